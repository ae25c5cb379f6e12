"""The HTTP door: parse, call, render. One file per resource."""
