"""Jobs as a person or a program uses them, through whichever door."""
