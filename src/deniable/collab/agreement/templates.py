"""Files to start from: a party's own, and an agreement of two."""

from pathlib import Path

from deniable.base.files import write_new, write_whole

PARTY = """\
# What this organisation is willing to do, and with whom. It stays here; nobody else reads it.
party: "{name}"
listen: 127.0.0.1:7440          # 0.0.0.0:7440 to be reached from other machines
identity: "{identity}"
state: state                    # ledgers, disguised records and results; keep it

data: patients.parquet          # any table that deniable reads
id: patient                     # the column by which records are aligned; it is never mined

columns:                        # what may be used, with all values
  smokes: [no, yes]
  age: [young, old]

disguise:                       # how a column may be sent; one in no group is never sent
  - {{attributes: [smokes], channel: keep-or-uniform, theta: 1/2}}
  - {{attributes: [age], channel: keep-or-uniform, theta: 1/2}}
# send undisguised: [age]       # or as it is

policy:                         # what may be told; the strictest policy of all parties holds
  minimum cell: 10              # no count of fewer people
  # counts: 500                 # no more counts than these, in one collaboration

# peers:                        # who may connect; read the fingerprints to each other by phone
#   south:
#     address: south.example:7440
#     certificate: south.pem    # the certificate.pem of their deniable party init
#     fingerprint: "0123 4567 …"
"""

AGREEMENT = """\
# What several organisations do together: the same file for all, and each approves it.
collaboration: readmission
purpose: Which patients come back?

# collect: different columns of the same people, disguised   pool: the same columns, other people
# counts: as pool, but only estimated counts are sent        secure: encrypted counts, two parties
# hybrid: disguised records, then encrypted counts for what they leave open, two parties
mode: hybrid

parties:                        # what each brings, within what its party.yaml offers
  north:
    columns: {smokes: [no, yes], readmitted: [no, yes]}
  south:
    columns: {age: [young, old], region: [coast, hills]}
    disguise:
      - {attributes: [age], channel: keep-or-uniform, theta: 1/2}
    undisguised: [region]       # sent as it is

leader: north                   # who mines; or drawn: by a coin that all toss together
align: psi                      # find the people in common; or key: all have the same

mine:                           # or rules: {support: 0.1, confidence: 0.6}, or bayes: {target: …}
  tree: {target: readmitted, max_depth: 6}

policy:                         # the strictest of this and of every party's own holds
  minimum cell: 10
results: [north, south]         # who gets the model
"""


def start(path: Path, name: str, identity: Path) -> bool:
    """Write a party file with comments; one that is there is left alone."""
    if path.exists():
        return False
    write_whole(path, PARTY.format(name=name, identity=identity.resolve().name))
    return True


def start_agreement(path: Path) -> None:
    """Write an agreement with comments, to be changed by all parties together."""
    write_new(path, AGREEMENT)
