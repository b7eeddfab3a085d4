"""An estimate as a bar with its interval, drawn without scripts or inline styles."""

from markupsafe import Markup

from deniable.base.wording import percent
from deniable.compliance.interval import Interval
from deniable.survey.results import Share

WIDTH = 400
HEIGHT = 22


def bar(share: Share) -> Markup:
    """Draw the estimate, its interval, and where the known or the direct share lies."""
    estimate = share.estimate
    middle = HEIGHT / 2
    parts = [
        f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="4"/>',
        f'<rect class="estimate" width="{_x(estimate.share):.1f}" height="{HEIGHT}" rx="4"/>',
        f'<path class="interval" d="M{_x(estimate.low):.1f} {middle}H{_x(estimate.high):.1f}'
        f'M{_x(estimate.low):.1f} 6v10M{_x(estimate.high):.1f} 6v10"/>',
    ]
    if share.known is not None:
        parts.append(f'<path class="known" d="M{_x(share.known):.1f} 0v{HEIGHT}"/>')
    if share.direct is not None:
        parts.append(f'<circle class="direct" cx="{_x(share.direct.share):.1f}" cy="11" r="4.5"/>')
    words = f"{share.value}: {_said(estimate)}"
    return Markup(
        '<svg class="bar" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(
        WIDTH,
        HEIGHT,
        words,
        Markup("".join(parts)),  # noqa: S704 (numbers only)
    )


def between(found: Interval | None) -> Markup:
    """Write an estimate, and its interval in a line of its own."""
    if found is None:
        return Markup("–")
    bounds = f"{percent(found.low)} to {percent(found.high)}"
    return Markup('{}<br> <span class="small">({})</span>').format(percent(found.share), bounds)


def _said(found: Interval) -> str:
    return f"{percent(found.share)}, between {percent(found.low)} and {percent(found.high)}"


def _x(share: float) -> float:
    """Where a share lies; drawn at the edge if it lies beyond, written as it is."""
    return WIDTH * min(max(share, 0.0), 1.0)
