"""What the engines around agent programs share: options, home, credentials, and the one drive."""
