"""Settings, part look-up and wiring: the only place that joins parts."""
