"""Settings shared by all tests."""

from hypothesis import settings

# The machines are shared: how long an example takes says nothing about the code.
settings.register_profile("h2pc", deadline=None)
settings.load_profile("h2pc")
