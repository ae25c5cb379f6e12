"""What is wrong with a skill, by rules that each have an id, a place and a fix."""
