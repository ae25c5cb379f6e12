"""The command line door: parse, call, render. One file per command group."""
