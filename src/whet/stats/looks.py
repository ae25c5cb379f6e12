"""Looking while an experiment runs, and stopping when it is clear, without fooling oneself.

Whoever looks after every round and stops at the first "better" is fooled far more often than one
time in twenty. So the looks share the error: the last one keeps nearly all of it and finds nearly
what a single look would find, and those before it stop only for what is very clear. The shares
add up to one, so all looks together err no more often than a single one, however they depend
on each other.
"""

EARLY = 0.1
"""The part of the error that all looks before the last one use together."""


def look_shares(looks: int) -> list[float]:
    """The part of the error for each of so many planned looks, in their order.

    Pass it to ``comparison.compare_runs``. Plan the looks before the first one. An experiment that
    has to end early, for a reason that has nothing to do with its results, makes its last look
    then, with the last share.
    """
    if looks < 1:
        raise ValueError("an experiment is looked at once or more")
    early = looks - 1
    return [*[EARLY / early] * early, 1 - EARLY] if early else [1.0]
