"""The JSON documents of the published formats, one module a family, loaded lazily."""
