"""Files: tables, networks and graphs are read and written here, whole or not at all."""
