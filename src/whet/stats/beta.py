"""The beta distribution, for exact limits of a proportion."""

import math

_PRECISION = 1e-15
_MOST_TERMS = 1000
_HALVINGS = 100


def beta_cdf(x: float, a: float, b: float) -> float:
    """The probability that a beta variable with the shapes *a* and *b* is at most *x*."""
    if not (a > 0 and b > 0):
        raise ValueError(f"the shapes must be positive, not {a} and {b}")
    if x <= 0 or x >= 1:
        return float(x >= 1)
    constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(constant + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return incomplete_beta(x, a, b, front)
    return 1 - incomplete_beta(1 - x, b, a, front)


def beta_quantile(probability: float, a: float, b: float) -> float:
    """The value that a beta variable stays below with this probability, by halving 0…1."""
    if not 0 < probability < 1:
        raise ValueError(f"a probability strictly between 0 and 1 is needed, not {probability}")
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if beta_cdf(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def incomplete_beta(x: float, a: float, b: float, front: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction.

    *front* is x^a · (1 − x)^b / B(a, b). For x below (a + 1) / (a + b + 2), where some fifty
    terms are enough and none of the partial fractions is zero.
    """
    fraction = numerator = 1.0
    denominator = 0.0
    for k in range(1, _MOST_TERMS):
        m = k // 2
        if k % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        numerator = 1 + term / numerator
        denominator = 1 / (1 + term * denominator)
        fraction *= numerator * denominator
        if abs(numerator * denominator - 1) < _PRECISION:
            break
    return front / (a * fraction)
