"""Pictures and pages of what was learned."""
