"""Reports in the formats of others: Markdown, JUnit XML, a page of HTML."""
