"""What users call with their data: everything is checked here, and strings become objects."""
