"""What an agreement means, in words for the people who must sign it."""

from collections.abc import Iterator

from deniable.base.wording import joined
from deniable.collab.agreement.agreement import DRAWN, SECURE_MODES, Agreement, Member


def story(agreement: Agreement) -> str:
    """Say what is sent, by whom, to whom, and what each of them learns; a few lines a party."""
    purpose = " ".join(agreement.purpose.split())
    lines = [f"{agreement.name}: {purpose}" if purpose else f"{agreement.name}"]
    lines += [_model(agreement), _people(agreement)]
    for member in agreement.members:
        lines += ["", f"{member.name} has {joined(member.schema.names)}."]
        lines += [f"  {line}" for line in _part(member, agreement)]
    if agreement.outside:
        lines += ["", f"{agreement.leader} has no records of its own."]
        lines.append(f"  It learns {joined(_learned_by_leading(agreement))}.")
    if agreement.mode in SECURE_MODES:
        lines += ["", *_secure(agreement)]
    lines += ["", *_policy(agreement)]
    lines.append(f"The result goes to {joined(agreement.results)}.")
    return "\n".join(lines)


def _model(agreement: Agreement) -> str:
    task = agreement.task
    about = f" about {task.target}" if task.target else ""
    who = agreement.leader
    if who == DRAWN:
        who = f"One of {joined(agreement.names)}, drawn by a joint coin,"
    return f"{who} works out {task.miner.noun}{about}, and so sees the result."


def _people(agreement: Agreement) -> str:
    if not agreement.vertical:
        return "Each party has people of its own, with the same columns."
    if agreement.align == "key":
        return "All parties have the same people, by identifiers that they share already."
    return (
        "It is about the people whom all parties have. They are found first, under encryption: "
        "nobody learns of people whom it does not have itself."
    )


def _part(member: Member, agreement: Agreement) -> Iterator[str]:
    leads = member.name in agreement.leaders
    learned: list[str] = []
    if leads:
        chance = "If it leads, it" if agreement.leader == DRAWN else "It leads, and"
        yield f"{chance} sends no records to anybody."
        learned += _learned_by_leading(agreement)
    if agreement.leader == DRAWN or not leads:
        chance = "If it does not lead, it" if leads else "It"
        others = [name for name in agreement.leaders if name != member.name]
        yield from _sending(member, agreement, others, chance)
    if agreement.align == "psi":
        learned += ["how many people the others have", "which of them it has too"]
    if agreement.mode in SECURE_MODES:
        learned.append("every count that is released")
    if member.name in agreement.results:
        learned.append("the result")
    yield f"It learns {joined(learned or ['nothing'])}."


def _sending(
    member: Member, agreement: Agreement, leaders: list[str], chance: str
) -> Iterator[str]:
    """Say what leaves the party; where the leader is drawn, the most that can."""
    if agreement.mode == "secure":
        yield f"{chance} sends no records to anybody."
        return
    to = leaders[0] if len(leaders) == 1 else "the leader"
    ways = agreement.ways_of_sending(member.name)
    columns = [name for name in member.schema.names if any(name in way.schema for way in ways)]
    if not columns:
        yield f"{chance} sends no records: others have the same columns."
        return
    if agreement.mode == "counts":
        yield f"{chance} sends no records to {to}, only counts estimated from disguised ones:"
    else:
        yield f"{chance} sends a record for each of these people to {to}:"
    for group in member.groups:
        if any(name in columns for name in group.names):
            yield f"  {group.channel.story(group.attributes)}"
    if member.personal:
        yield f"  Its data hold the personal answers: {joined(member.personal)}."
    for name in member.undisguised:
        if name in columns:
            yield f"  {name}: NOT disguised, sent as it is."


def _learned_by_leading(agreement: Agreement) -> list[str]:
    said = {
        "collect": "the records that the others send",
        "pool": "the records that the others send",
        "counts": "the estimated counts of each of the others",
        "hybrid": "the records that the other sends",
    }
    found = [said[agreement.mode]] if agreement.mode in said else []
    if agreement.leader == DRAWN:
        found = [f"{each} (if it leads)" for each in found]
    return [*found, "the result"] if agreement.outside else found


def _secure(agreement: Agreement) -> list[str]:
    first, second = agreement.names
    when = "Then" if agreement.mode == "hybrid" else "For this,"
    return [
        f"{when} {first} and {second} count together, under encryption: how many people have "
        "something at both.",
        "Both see which counts are asked for, and every count that is released; the counting shows "
        "neither of them the other's records.",
        "The program that computes a count sees it before the policy is applied, and drops what "
        "may not be released.",
        "Vectors are proven to be of zeros and ones, and one count in ten is audited: who is "
        "caught breaking the rules ends the run. What can be learnt before that is told in bits.",
    ]


def _policy(agreement: Agreement) -> list[str]:
    policy = agreement.policy
    if agreement.mode in SECURE_MODES:
        return [
            policy.story(),
            "Where a party's own policy is stricter, that holds; noise is left out only if all say "
            "so.",
        ]
    told = ["Counts are estimated through the disguise, and no minimum cell is applied to them."]
    if agreement.vertical:
        few = max(policy.people, policy.minimum, 1)
        told.append(f"Nothing is sent about fewer than {few:,} people in common.")
    plain = any(member.undisguised for member in agreement.members)
    if agreement.mode == "counts" and plain and policy.minimum > 0:
        told.append(
            f"It is to groups of people by undisguised columns: of fewer than {policy.minimum} "
            "nothing is told."
        )
    if agreement.mode == "counts":
        told.append(f"No more than {policy.estimates:,} of them are released.")
    return told
