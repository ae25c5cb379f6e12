"""``whet package``: job packages of the library."""
