"""The results that are shown: none before there are enough answers, then batch by batch."""

from dataclasses import dataclass
from typing import Any

from deniable.survey.results.results import Results, results
from deniable.survey.store.store import Store


@dataclass(frozen=True)
class Published:
    """Results of all batches that were released, and the tallies of that moment."""

    results: Results
    tallies: dict[str, int]


def published(store: Store) -> Published | None:
    """Give the results of the latest batch; they are computed once and then stay as they are."""
    released = store.released()
    if released is None:
        return None
    batch = released.pop("batch")

    def computed() -> dict[str, Any]:
        arms = (store.reports("disguised"), store.reports("direct"))
        return results(store.survey, *arms).document()

    document = store.frozen("results", batch, computed)
    return Published(Results.of(document), released)
