"""Pictures and interactive pages of learned graphs."""
