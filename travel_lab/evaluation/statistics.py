"""Intervals and differences by resampling: conversations first, then the probes within each.

Probes of one conversation share its results, so they are not independent; resampling probes alone would give intervals that
are too narrow. The scheme is that of Field and Welsh (2007), Bootstrapping clustered data, J. R. Stat. Soc. B 69.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from travel_lab.errors import BadInput

Numbers = np.ndarray[Any, np.dtype[Any]]
RESAMPLES = 2_000
LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A mean with its interval and what it rests on."""

    mean: float
    low: float
    high: float
    conversations: int
    probes: int
    resamples: int

    def __str__(self) -> str:
        """Such as `0.84 [0.79, 0.88] (30 conversations, 310 probes)`."""
        return f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}] ({self.conversations} conversations, {self.probes} probes)"

    @property
    def excludes_zero(self) -> bool:
        """Whether a difference may be called one."""
        return self.low > 0 or self.high < 0


Values = Mapping[str, Sequence[float]]
"""Conversation → one value a probe."""


def interval(values: Values, *, seed: int, resamples: int = RESAMPLES, level: float = LEVEL) -> Interval:
    """The mean over probes with a percentile interval.

    Args:
        values: One value a probe, by conversation; conversations without any are left out.
        seed: Of the resampling.
        resamples: How many.
        level: Such as 0.95.

    Raises:
        BadInput: There is no value at all.
    """
    groups = [np.asarray(found, dtype=float) for _, found in sorted(values.items()) if len(found)]
    if not groups:
        raise BadInput("There is no value to take a mean of: no probe was measured. Look at the rows' errors first.")
    whole, sizes, chance = np.concatenate(groups), np.array([len(group) for group in groups]), np.random.default_rng(seed)
    means = np.array([_resampled(whole, sizes, chance) for _ in range(resamples)])
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(
        mean=float(whole.mean()),
        low=float(low),
        high=float(high),
        conversations=len(groups),
        probes=len(whole),
        resamples=resamples,
    )


def difference(first: Mapping[str, Mapping[str, float]], second: Mapping[str, Mapping[str, float]], *, seed: int) -> Interval:
    """The mean of first − second over the probes both have, paired by conversation and probe id.

    Raises:
        BadInput: They share no probe.
    """
    paired = {
        case: [first[case][probe] - second[case][probe] for probe in sorted(first[case].keys() & second[case].keys())]
        for case in first.keys() & second.keys()
    }
    return interval(paired, seed=seed)


def effective(value: float, nothing: float, everything: float) -> float:
    """Where a completeness stands between the controls: 0 at *nothing*, 1 at *everything*; nan when these are equal."""
    return (value - nothing) / (everything - nothing) if everything != nothing else float("nan")


def _resampled(values: Numbers, sizes: Numbers, chance: np.random.Generator) -> float:
    """The mean of one resample: conversations with replacement, then as many probes of each as it has, with replacement."""
    starts = np.cumsum(sizes) - sizes
    chosen = np.repeat(drawn := chance.integers(len(sizes), size=len(sizes)), sizes[drawn])
    return float(values[starts[chosen] + (chance.random(len(chosen)) * sizes[chosen]).astype(int)].mean())
