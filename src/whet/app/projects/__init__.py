"""Projects as a person uses them, through whichever door.

``create`` makes one, ``shelf`` finds and keeps them, ``told`` is how they are shown,
``compare`` and ``report`` are what came of them. Running them is ``app/experiments.py``.
"""
