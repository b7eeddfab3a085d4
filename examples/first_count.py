"""Disguise a table and count through the disguise."""

from deniable import Design, ExactOracle, RandomizedOracle, disguise

design = Design.of(
    {
        "attributes": {"smokes": ["no", "yes"], "age": ["young", "old"]},
        "groups": [{"attributes": ["smokes"], "channel": "related", "theta": "4/5"}],
    }
)
people = {"smokes": ["no"] * 3200 + ["yes"] * 800, "age": ["young", "old"] * 2000}
asked = ["smokes=yes", "smokes=yes & age=old"]

reports = disguise(people, design, random_state=7)  # the seed is for this page; leave it out
print(RandomizedOracle(reports, design).count(asked))
print("truth:", ExactOracle(people, design.schema).count(asked).value)
