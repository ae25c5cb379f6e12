"""Jobs: what a skill with an output contract asks for, and how it is worked out of the inputs."""
