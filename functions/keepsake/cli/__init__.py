"""The command line: runs a local Supabase project with Keepsake, and operates any other."""

from __future__ import annotations

from keepsake.cli import adoption_commands, local_commands, model_commands, operator_commands
from keepsake.cli.app import app
from keepsake.local.command_errors import reported_errors

__all__ = ["adoption_commands", "local_commands", "main", "model_commands", "operator_commands"]


def main() -> None:
    """Run the command line; what goes wrong is said in a line, and never as a traceback."""
    with reported_errors():
        app()
