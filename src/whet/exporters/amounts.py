"""Numbers as people read them: shares of 1 as points of 100, a real minus, no minus before 0."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whet.documents.verdict import Interval
    from whet.exporters.figures import Spread, Unit

NONE = "–"


def amount(value: float | None, unit: "Unit" = "points") -> str:
    """A number with its unit; points have none."""
    if value is None:
        return NONE
    number = _digits(abs(value), unit)
    return f"−{number}" if value < 0 and _counts(number) else number


def signed(value: float | None, unit: "Unit" = "points") -> str:
    """A difference."""
    if value is None:
        return NONE
    number = _digits(abs(value), unit)
    if not _counts(number):
        return number
    return f"−{number}" if value < 0 else f"+{number}"


def spread(value: "Spread | None", unit: "Unit") -> str:
    """A mean, and its standard deviation."""
    if value is None:
        return NONE
    if value.deviation is None:
        return amount(value.mean, unit)
    middle, around = amount(value.mean, unit), _digits(value.deviation, unit)
    # One unit for both.
    return f"{middle.removesuffix(' s')} ± {around.removeprefix('$')}"


def signed_range(interval: "Interval | None") -> str:
    """The interval of a difference, in points."""
    return f"{signed(interval.low)} … {signed(interval.high)}" if interval else NONE


def plain_range(interval: "Interval | None") -> str:
    """The interval of a share, in points."""
    return f"{amount(interval.low)} … {amount(interval.high)}" if interval else NONE


def percent(share: float) -> str:
    """A level of confidence."""
    return f"{100 * share:g} %"


def _digits(value: float, unit: "Unit") -> str:
    match unit:
        case "points":
            return f"{100 * value:.1f}"
        case "seconds":
            return f"{value:,.1f} s"
        case "tokens":
            return f"{value:,.0f}"
        case "usd":
            return f"${value:,.2f}" if value >= 1 else f"${value:.4f}"


def _counts(number: str) -> bool:
    """Whether anything is left after rounding."""
    return any(digit in number for digit in "123456789")
