"""Rubric scores for a trial, one judge a file."""
