"""``whet job``: skills that are run with typed inputs for what they deliver."""
