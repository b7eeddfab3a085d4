"""The results that are shown: none before there are enough answers, then batch by batch."""

from dataclasses import dataclass

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
    document = store.frozen(batch)
    if document is None:
        found = results(store.survey, store.reports("disguised"), store.reports("direct"))
        document = store.freeze(batch, found.document())
    return Published(Results.of(document), released)
