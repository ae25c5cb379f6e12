"""Results of projects that lie in files only become part of the store: of a project of the original
program, of one that was copied from elsewhere, of all projects after the database was lost.

``found`` reads the files and finds the place of each, ``scores`` and ``records`` say what of them
is believed, ``takeover`` keeps it and ``state`` what came of it, ``pinning`` fixes what such a
project leaves open.
"""
