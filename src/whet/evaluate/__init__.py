"""Plan, grade, aggregate, and the doors that translate documents into experiments."""
