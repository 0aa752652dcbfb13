"""The tests: a package, so that worker processes find it before another one of that name."""
