"""A party file to start from."""

from pathlib import Path

from deniable.engine.writing import whole_file

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
  - {{attributes: [smokes, age], channel: related, theta: 0.8}}
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


def start(path: Path, name: str, identity: Path) -> bool:
    """Write a party file with comments; one that is there is left alone."""
    if path.exists():
        return False
    with whole_file(path) as temporary:
        temporary.write_text(
            PARTY.format(name=name, identity=identity.resolve().name), encoding="utf-8"
        )
    return True
