"""Runs the command line as ``python -m keepsake.cli``."""

from keepsake.cli import main

if __name__ == "__main__":
    main()
