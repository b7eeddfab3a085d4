"""Do people follow the device? Estimated from control items, rather than assumed.

A device that some ignore is a *mixture*: with shares φ of each kind of behaviour, and the channel
``B_b`` of what that kind sends (``B_follow = C``),

    C' = Σ_b φ_b·B_b                           the channel as it is followed
    P(pattern) = Σ_b φ_b·P_b(pattern)          of the reports on control items, all P_b known

because the true shares of control items are known. The second line is one of known components in
unknown shares: signed weights over patterns give every φ_b unbiased, as signed weights over reports
give shares (`mixture`). The first line then undoes the disguise as for any other channel
(`corrected_shares`), with errors that hold both: those of the answers and those of φ.

Assumed: whether somebody follows the device does not depend on the sensitive answer itself. Those
who only deny what is true of them pass every control item that is not true of them.
"""
