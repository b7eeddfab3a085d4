"""Randomized response, whole: disguise answers at the source, count through the disguise.

    design = Design.load("design.yaml")
    reports = disguise(people, design)
    RandomizedOracle(reports, design).count(["smokes=yes & region=north"])

Names are imported when they are first used, so that ``import deniable`` stays quick and a server
that never disguises never loads the code that does.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deniable.design import Design
    from deniable.engine.records import Records
    from deniable.errors import DeniableError
    from deniable.expression import Conjunction, Family
    from deniable.oracle.base import CountOracle, Estimates
    from deniable.oracle.exact import ExactOracle
    from deniable.oracle.greenberg import GreenbergOracle
    from deniable.oracle.joint import JointTable, joint_table
    from deniable.oracle.pooled import PooledOracle
    from deniable.oracle.randomized import RandomizedOracle
    from deniable.schema import Attribute, Schema
    from deniable.source.disguise import disguise

__version__ = "0.1.0"

_HOME = {
    "Attribute": "schema",
    "Conjunction": "expression",
    "CountOracle": "oracle.base",
    "DeniableError": "errors",
    "Design": "design",
    "Estimates": "oracle.base",
    "ExactOracle": "oracle.exact",
    "Family": "expression",
    "GreenbergOracle": "oracle.greenberg",
    "JointTable": "oracle.joint",
    "PooledOracle": "oracle.pooled",
    "RandomizedOracle": "oracle.randomized",
    "Records": "engine.records",
    "Schema": "schema",
    "disguise": "source.disguise",
    "joint_table": "oracle.joint",
}

__all__ = [
    "Attribute",
    "Conjunction",
    "CountOracle",
    "DeniableError",
    "Design",
    "Estimates",
    "ExactOracle",
    "Family",
    "GreenbergOracle",
    "JointTable",
    "PooledOracle",
    "RandomizedOracle",
    "Records",
    "Schema",
    "disguise",
    "joint_table",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'deniable' has no attribute {name!r}")
    return getattr(import_module(f"deniable.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
