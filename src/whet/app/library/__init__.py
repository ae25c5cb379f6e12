"""The library as a person uses it, through whichever door.

``library`` finds and changes assets, ``views`` is how they are shown,
``requests`` what is asked of them, ``intake`` and ``outgo`` are
the ways in and out, ``cases`` and ``tags`` change parts of an asset, ``assist`` asks a model.
"""
