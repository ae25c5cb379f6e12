"""Reports of projects: JSON, CSV, Markdown, a page of HTML."""
