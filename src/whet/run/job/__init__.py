"""Jobs: from typed inputs to declared files, in turns of one conversation."""
