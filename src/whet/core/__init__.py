"""Values of whet itself: cases, trials, records, grades, addresses, errors."""
