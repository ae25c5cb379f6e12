"""The parts of a job package's contract: engines, schemas, artifacts."""
