"""The command line, as ``python -m h2pc``."""

from h2pc.cli.main import app

if __name__ == "__main__":
    app(prog_name="h2pc")
