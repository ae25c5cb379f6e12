"""Looking at sessions: phases, figures, comparison, timelines, and where a verdict comes from.

Pure functions over session logs. Nearly all of them take the ``Acts`` of a session, which
``acts_of`` reads once.
"""
