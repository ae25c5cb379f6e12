"""Job packages: installed into the library, looked up, and read for jobs."""
