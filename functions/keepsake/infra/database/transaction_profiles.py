"""The named ways to run a transaction; which use case takes which stands in ``docs/transactions.md``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Mode:
    """What a profile turns on."""

    pipelined: bool = False
    """Statements whose results nobody waits for travel together: fewer round trips."""
    prepared: bool = False
    """Every statement is prepared once a connection, with one generic plan that uses indexes only."""
    savepoints: bool = True
    """Whether ``conn.transaction()`` inside makes a savepoint."""
    locks: bool = False
    """Takes locks that others wait for: each batch ends with a Sync."""
    receives: bool = False
    """Uses the connections that are kept for it while all others are taken."""
    answers_at_once: bool = False
    """Waits for a connection or a lock no longer than a person's answer may wait."""
    snapshot: bool = False
    """Repeatable read: every statement sees what was committed before the first."""


class Profile(Enum):
    """How a transaction runs."""

    HOT = Mode(pipelined=True, prepared=True, savepoints=False, answers_at_once=True)
    """What every message asks, always in the same way, and which takes no lock that others wait for.

    ``begin`` and ``commit`` travel with the statements beside them, so psycopg cannot tell that a transaction is under
    way: ``conn.transaction()`` inside would be no savepoint.
    """
    PIPELINED = Mode(pipelined=True)
    """The ordinary transaction."""
    LOCKING = Mode()
    """Takes locks that others wait for, and sends each statement by itself.

    Within a pipeline the server cannot tell a frozen process from a slow one, and would keep its locks without end;
    outside one ``idle_in_transaction_session_timeout`` ends the transaction.
    """
    LOCKING_PREPARED = Mode(pipelined=True, prepared=True, locks=True)
    """The same for what every message or summary asks: plans are made once a connection, and kept.

    Its batches end with a Sync each: between two of them the server waits as it does outside a pipeline.
    """
    RECEIVING = Mode(pipelined=True, prepared=True, locks=True, receives=True)
    """LOCKING_PREPARED for what only notes a message: however busy the rest is, no message is refused for it."""
    SNAPSHOT = Mode(snapshot=True)
    """Reads much over a long time and sees one moment throughout; rows can be fetched bit by bit."""
