"""Cases that share a fixture are not independent: the cluster is the unit of chance."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from whet.stats.describe import mean
from whet.stats.intervals import Range
from whet.stats.quantiles import t_quantile, t_two_sided


class ClusteredMean(NamedTuple):
    """A mean over cases, each with the same weight; the error counts clusters.

    ``df`` are the degrees of freedom of Student's t. With one cluster there is no error,
    interval or p-value.
    """

    mean: float
    clusters: int
    error: float | None
    df: float | None
    interval: Range | None
    p_value: float | None


def clustered_mean(
    values: Sequence[float], clusters: Sequence[Hashable], level: float = 0.95
) -> ClusteredMean:
    """The mean of *values* with a cluster-robust error (CR2) and its small-sample t.

    var = Σ_g (Σ_{i in g} (x_i − x̄))² / (1 − n_g / n) / n², with Satterthwaite's degrees of
    freedom: the fewer of those for independent cases and for cases that agree entirely inside
    their cluster. With clusters of one case it is Student's interval. Not for clusters that
    were chosen rather than drawn, and hopeless with two or three of them.
    """
    if len(values) != len(clusters):
        raise ValueError(f"{len(values)} values need as many clusters, not {len(clusters)}")
    centre = mean(values)
    sums: dict[Hashable, list[float]] = defaultdict(list)
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster].append(value - centre)
    sizes = [len(inside) for inside in sums.values()]
    if len(sizes) == 1:
        return ClusteredMean(centre, 1, None, None, None, None)
    n = len(values)
    variance = math.fsum(math.fsum(u) ** 2 / (1 - len(u) / n) for u in sums.values()) / n**2
    error = math.sqrt(variance)
    df = max(1.0, min(_degrees(sizes, sizes), _degrees(sizes, [size**2 for size in sizes])))
    half = t_quantile((1 + level) / 2, df) * error
    p_value = t_two_sided(centre / error, df) if error > 0 else float(centre == 0)
    return ClusteredMean(
        centre, len(sizes), error, df, Range(centre - half, centre + half), p_value
    )


def _degrees(sizes: Sequence[int], variances: Sequence[float]) -> float:
    """Satterthwaite: (tr M)² / tr M² of the quadratic form that estimates the variance.

    *variances* are those of the sums of the clusters. The entry of M for the clusters g and h is
    c_g c_h Σ_k v_k (δ_kg − n_g / n) (δ_kh − n_h / n), with c_g² = 1 / (1 − n_g / n).
    """
    shares = [size / sum(sizes) for size in sizes]
    total = math.fsum(variances)
    trace = squares = 0.0
    for g, share in enumerate(shares):
        for h, other in enumerate(shares):
            entry = share * other * total - share * variances[h] - other * variances[g]
            if g == h:
                entry += variances[g]
                trace += entry / (1 - share)
            squares += entry**2 / ((1 - share) * (1 - other))
    return trace**2 / squares
