"""The application that commands are added to, and what they share: help and the folder of the project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.exceptions import TyperException

from keepsake import __version__

if TYPE_CHECKING:  # what is slow to import is imported by the command that needs it
    from keepsake.project.folder import ProjectFolder

DATA = Path(".keepsake")


def _say_version(requested: bool) -> None:  # noqa: FBT001 (typer calls it so)
    if requested:
        typer.echo(f"keepsake {__version__}")
        raise typer.Exit


class _Group(TyperGroup):
    """The commands, with flags that take no value and so name no type; it names the options that there are."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_flag_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _known_options_named(self, ctx):
            return super().parse_args(ctx, args)


class Command(TyperCommand):
    """A command whose flags name no type, and that knows the option that was meant."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments."""
        return _without_flag_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; an unknown option is refused with the nearest one, or with all there are."""
        with _known_options_named(self, ctx):
            return super().parse_args(ctx, args)


app = typer.Typer(
    name="keepsake",
    cls=_Group,
    help="Long-term memory for chat applications on Supabase.\n\n"
    "Start with `keepsake demo`, or with `keepsake up` and then `keepsake token --user you@example.com`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.callback()
def _common(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None: ...


def open_project(data: Path) -> ProjectFolder:
    """Return the folder of a project; nothing is created yet."""
    from keepsake.project.folder import ProjectFolder

    return ProjectFolder(data.resolve())


@contextmanager
def _known_options_named(command: TyperGroup | TyperCommand, ctx: Any) -> Iterator[None]:
    """Complete the refusal of an unknown option by the nearest one, or by all there are."""
    try:
        yield
    except TyperException as error:
        unknown = getattr(error, "option_name", None)
        if unknown and hasattr(error, "possibilities"):  # Typer's own NoSuchOption, which it does not export
            known = [name.removeprefix("--") for param in command.get_params(ctx) for name in param.opts]
            near = get_close_matches(unknown.removeprefix("--").replace("_", "-"), known, n=1)
            hint = f"Did you mean '--{near[0]}'?" if near else f"There are --{', --'.join(known)}."
            error.message = f"No such option '{unknown}'. {hint}"
            error.args, error.possibilities = (error.message,), None
        raise


def _without_flag_types(params: list[Any]) -> list[Any]:
    for param in params:
        if isinstance(param, TyperOption) and param.is_flag:
            param.metavar = ""
    return params
