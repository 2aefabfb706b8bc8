"""Finds polynomial backtracking in a regular expression, from its parsed form.

A pattern is read as a graph of character sets and loops. Time grows faster than the text where one run of characters
can be divided between two loops in many ways and something behind them can still fail; a search counts as a loop over
anything before the pattern. Sets stand for what they match of a sample alphabet, so the answer errs on the strict side.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

LONGEST_BOUND = 500
"""A repeat that may be longer than this counts as unbounded."""

_ALPHABET = [*map(chr, range(256)), *"\u2019\u2026\u4e2d\u0130\u017f\u2028\u0665\u0416\U0001f600\ufffc"]
_ALL = (1 << len(_ALPHABET)) - 1
_SINGLE = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)
_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


@dataclass(eq=False)
class _Node:
    """One step of the graph: a character set, an assertion, or nothing; ``loop`` where it may be repeated for ever."""

    characters: int | None = None
    loop: bool = False
    gives_back: bool = True
    assertion: Any = None
    aside: bool = False
    following: list[_Node] = field(default_factory=list)
    inside: frozenset[_Node] = frozenset()
    body: _Node | None = None
    ends: frozenset[_Node] = frozenset()
    atoms: frozenset[int] = frozenset()
    shown: str = ""


def problems(pattern: str, flags: int = 0, *, searched: bool = True, whole: bool = False) -> list[str]:
    """The pairs of loops that make the pattern slow: ``searched`` from every position, ``whole`` up to the end."""
    tree = parser.parse(pattern, flags)
    graph = _Graph(tree.state.flags)
    start, end = _Node(), _Node(shown="end")
    exits = graph.add(tree, [start])
    if whole:
        must_end = _Node(assertion="end")
        _link(exits, must_end)
        exits = [must_end]
    _link(exits, end)
    loops = [node for node in graph.nodes if node.loop]
    anything = _Node(characters=_ALL, loop=True, following=[start], shown="search")
    pairs = itertools.product([anything, *loops] if searched else loops, loops)
    return [f"{one.shown} then {other.shown}" for one, other in pairs if _share_a_run(one, other, end)]


def _share_a_run(first: _Node, second: _Node, end: _Node) -> bool:
    """Whether a run can be divided between two loops in many ways, and something behind them can still fail."""
    if not first.gives_back or second in first.inside or first in second.inside or first.atoms - second.atoms:
        return False
    shared = (first.characters or 0) & (second.characters or 0)
    if not (shared and _pumps(first, shared) and _pumps(second, shared)):
        return False
    return _reaches(first, second, shared) and not _succeeds(second, end)


class _Graph:
    """The nodes of one pattern."""

    def __init__(self, flags: int) -> None:
        self.nodes: list[_Node] = []
        self._flags = flags
        self._atoms: tuple[int, ...] = ()

    def add(self, tree: Iterable[Any], entries: list[_Node], flags: int | None = None) -> list[_Node]:
        """Put a sequence behind the entries; what may come last in it."""
        flags = self._flags if flags is None else flags
        for kind, value in tree:
            entries = self._step(kind, value, entries, flags)
        return entries

    def _node(self, entries: list[_Node], **given: Any) -> _Node:
        node = _Node(atoms=frozenset(self._atoms), **given)
        self.nodes.append(node)
        _link(entries, node)
        return node

    def _step(  # noqa: PLR0911 (one for each kind)
        self, kind: Any, value: Any, entries: list[_Node], flags: int
    ) -> list[_Node]:
        if kind in _SINGLE:
            return [self._node(entries, characters=characters(kind, value, flags), shown=str((kind, value))[:60])]
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeat(kind, value, entries, flags)
        if kind is op.SUBPATTERN:
            _, added, removed, body = value
            return self.add(body, entries, (flags | added) & ~removed)
        if kind is op.ATOMIC_GROUP:
            self._atoms = (*self._atoms, len(self.nodes))
            exits = self.add(value, entries, flags)
            self._atoms = self._atoms[:-1]
            return exits
        if kind is op.BRANCH:
            return [end for branch in value[1] for end in self.add(branch, entries, flags)]
        if kind in (op.ASSERT, op.ASSERT_NOT):
            return self._look(kind, value, entries, flags)
        if kind is op.AT:
            return [self._node(entries, assertion=(kind, value, flags))]
        if kind is op.GROUPREF:
            return [*entries, self._node(entries, characters=_ALL, shown="reference")]
        raise NotImplementedError(str(kind))

    def _look(self, kind: Any, given: tuple[int, Any], entries: list[_Node], flags: int) -> list[_Node]:
        direction, body = given
        gate = self._node(entries, assertion=(kind, direction, body, flags))
        if direction > 0:
            before = len(self.nodes)
            self.add(body, [gate], flags)
            for node in self.nodes[before:]:
                node.aside = True
        return [gate]

    def _repeat(self, kind: Any, given: tuple[int, Any, Any], entries: list[_Node], flags: int) -> list[_Node]:
        least, most, body = given
        unbounded = most is op.MAXREPEAT or most > LONGEST_BOUND
        gives_back = kind is not op.POSSESSIVE_REPEAT
        if len(body) == 1 and body[0][0] in _SINGLE:
            code, value = body[0]
            node = self._node(
                entries,
                characters=characters(code, value, flags),
                loop=unbounded,
                gives_back=gives_back,
                shown=f"{str(body[0])[:60]}{{{least},{most}}}",
            )
            return [node, *entries] if least == 0 else [node]
        before = len(self.nodes)
        if not gives_back:
            self._atoms = (*self._atoms, -before)
        head = self._node(entries)
        exits = self.add(body, [head], flags)
        if not gives_back:
            self._atoms = self._atoms[:-1]
        members = self.nodes[before:]
        if most != 1:
            _link(exits, head)
        if unbounded:
            seen = 0
            for member in members:
                seen |= member.characters or 0
            loop = self._node(
                entries, characters=seen, loop=True, gives_back=gives_back, shown=f"loop {str(body)[:80]}"
            )
            loop.inside = frozenset(members)
            loop.body, loop.ends = head, frozenset(exits)
            return [loop, *exits, *(entries if least == 0 else [])]
        return [*exits, *(entries if least == 0 else [])]


def _link(entries: Iterable[_Node], node: _Node) -> None:
    for entry in entries:
        if node not in entry.following:
            entry.following.append(node)


def _reaches(first: _Node, second: _Node, shared: int) -> bool:
    """Whether the second loop can follow the first with nothing between but what both may hold."""
    waiting, seen = list(first.following), set()
    while waiting:
        node = waiting.pop()
        if node is second:
            return True
        if id(node) in seen or not _passes(node, shared):
            continue
        seen.add(id(node))
        waiting.extend(node.following)
    return False


def _pumps(loop: _Node, shared: int) -> bool:
    """Whether one round of a loop can be made of the shared characters alone."""
    if loop.body is None:
        return True
    waiting, seen = list(loop.body.following), set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen or node not in loop.inside or not _passes(node, shared):
            continue
        if node in loop.ends:
            return True
        seen.add(id(node))
        waiting.extend(node.following)
    return False


def _passes(node: _Node, shared: int) -> bool:
    if node.assertion is not None:
        return _allows(node.assertion, shared)
    return node.characters is None or bool(node.characters & shared)


def _allows(assertion: Any, shared: int) -> bool:
    """Whether an assertion can hold inside a run of the shared characters."""
    if assertion == "end":
        return False
    kind, *given = assertion
    if kind is op.AT:
        where, flags = given
        return _allows_place(where, flags, shared)
    direction, body, flags = given
    if direction > 0 or len(body) != 1 or body[0][0] not in _SINGLE:
        return True
    code, value = body[0]
    only = characters(code, value, flags)
    return bool(shared & ~only) if kind is op.ASSERT_NOT else bool(shared & only)


def _allows_place(where: Any, flags: int, shared: int) -> bool:
    if where is op.AT_BOUNDARY:
        word = _mask_of(r"\w")
        return bool(shared & word) and bool(shared & ~word)
    if where in (op.AT_BEGINNING, op.AT_END) and flags & re.MULTILINE:
        return bool(shared & _mask("\n"))
    return where is op.AT_NON_BOUNDARY


def _succeeds(node: _Node, end: _Node) -> bool:
    """Whether nothing behind a loop can fail."""
    if node.aside:
        return False
    waiting, seen = list(node.following), set()
    while waiting:
        one = waiting.pop()
        if one is end:
            return True
        if id(one) in seen or one.characters is not None or (one.assertion is not None and not _ends(node, one)):
            continue
        seen.add(id(one))
        waiting.extend(one.following)
    return False


def _ends(loop: _Node, one: _Node) -> bool:
    """Whether an assertion of the end holds wherever a loop over (nearly) everything stops."""
    if one.assertion == "end":
        return loop.characters == _ALL
    kind, where, *more = one.assertion
    if kind is not op.AT or where not in (op.AT_END, op.AT_END_STRING):
        return False
    return loop.characters == _ALL or (
        where is op.AT_END and bool(more[0] & re.MULTILINE) and loop.characters == _ALL & ~_mask("\n")
    )


def _mask(found: Iterable[str]) -> int:
    wanted = set(found)
    return sum(1 << place for place, character in enumerate(_ALPHABET) if character in wanted)


def _mask_of(pattern: str) -> int:
    return _mask(character for character in _ALPHABET if re.fullmatch(pattern, character, re.DOTALL))


def characters(kind: Any, value: Any, flags: int) -> int:
    """The characters of the sample that one step matches."""
    found = _plain(kind, value, flags)
    if flags & re.IGNORECASE and kind is op.LITERAL:
        found |= _mask({chr(value).lower(), chr(value).upper()})
    return found


def _plain(kind: Any, value: Any, flags: int) -> int:
    if kind is op.ANY:
        return _ALL if flags & re.DOTALL else _ALL & ~_mask("\n")
    if kind is op.LITERAL:
        return _mask(chr(value))
    if kind is op.NOT_LITERAL:
        return _ALL & ~_mask(chr(value))
    found, negated = 0, False
    for code, given in value:
        if code is op.NEGATE:
            negated = True
        elif code is op.RANGE:
            members = [c for c in _ALPHABET if given[0] <= ord(c) <= given[1]]
            if flags & re.IGNORECASE:
                members += [c.swapcase() for c in members]
            found |= _mask(members)
        elif code is op.CATEGORY:
            found |= _mask_of(_CATEGORIES[given])
        else:
            found |= characters(code, given, flags)
    return _ALL & ~found if negated else found
