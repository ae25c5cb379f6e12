"""Shipped for plugin authors: conformance suites for the ports that can be implemented."""
