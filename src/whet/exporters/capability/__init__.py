"""Reports of capability runs: JSON, CSV, Markdown, a page of HTML."""
