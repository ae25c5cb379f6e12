"""The library as a person uses it, through whichever door.

``library`` finds and changes assets, ``told`` is how they are shown, ``intake`` and ``outgo`` are
the ways in and out, ``cases`` and ``tags`` change parts of an asset, ``assist`` asks a model.
"""
