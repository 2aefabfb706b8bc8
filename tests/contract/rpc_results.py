"""What the RPCs that return JSON return, as TypeScript; the Supabase CLI only knows that it is JSON."""

from __future__ import annotations

import re

INTERFACES = """
/** What a change did: how many rows, and the operation that `undo_operation` takes, where it did something. */
export interface OperationResult {
  operation_id: string | null;
  affected: number;
}

export interface UndoResult extends OperationResult {
  undone: string;
}

type MemoryStatus = "active" | "superseded" | "archived" | "expired" | "deleted";
type MemoryType = Database["public"]["Enums"]["memory_type"];

/** The person's memories in numbers, and their settings with what holds where they chose nothing. */
export interface MemoryOverview {
  total: number;
  active: number;
  pinned: number;
  newest_at: string | null;
  by_type: Record<MemoryType, number>;
  by_status: Record<MemoryStatus, number>;
  by_profile: Record<string, number>;
  settings: {
    building: boolean;
    enabled: boolean;
    allowed_types: MemoryType[];
    retention_days: Partial<Record<MemoryType, number>>;
    long_term: boolean;
    onboarding_seen_at: string | null;
    erased_before: string | null;
  };
}

/**
 * What an operation did to one memory; `ref` is how people read its number, as "M-143", and `why` the mechanism that
 * found what was said: a rule, another reader of the rules, or a model with the version of its prompt.
 */
export interface ChangedMemory {
  memory_id: string;
  ref: string;
  action: string;
  why: string | null;
  message_id: string | null;
  is_doubted: boolean;
  text_before: string | null;
  text_after: string | null;
  status_before: MemoryStatus | null;
  status_after: MemoryStatus | null;
}

export interface PendingMemory {
  memory_id: string;
  ref: string;
  text: string;
}
"""

RESULTS = {
    "add_entity_alias": "OperationResult",
    "answer_pending_operation": "OperationResult",
    "clear_my_memories": "OperationResult",
    "confirm_alias": "OperationResult",
    "confirm_memory": "OperationResult",
    "end_memory": "OperationResult",
    "forget_memory": "OperationResult",
    "forget_place": "OperationResult",
    "forget_summary": "OperationResult",
    "forget_todo": "OperationResult",
    "memory_overview": "MemoryOverview",
    "refuse_alias": "OperationResult",
    "remove_entity_alias": "OperationResult",
    "rename_entity": "OperationResult",
    "restore_memory": "OperationResult",
    "set_memory_persona": "OperationResult",
    "undo_operation": "UndoResult",
}
"""Each RPC that returns JSON, with the type of it."""

COLUMNS = {
    ("memory_operations", "memories: Json"): "memories: ChangedMemory[]",
    ("memory_operations", "undone_at: string"): "undone_at: string | null",
    ("pending_operations", "memories: Json"): "memories: PendingMemory[]",
}
"""The same for columns of what other RPCs return."""


def with_rpc_results(types: str) -> str:
    """The Supabase CLI's types with these results; raises ValueError if they do not fit, or if one is missing."""
    for name, result in RESULTS.items():
        types = _replace_in(types, name, "Returns: Json", f"Returns: {result}")
    for (name, before), after in COLUMNS.items():
        types = _replace_in(types, name, before, after)
    if left := re.findall(r"(\w+): \{ Args: [^;]*(?:; [^;]*)*?; Returns: Json \}", types):
        raise ValueError(f"say in tests/contract/rpc_results.py what these return: {', '.join(left)}")
    return types + INTERFACES


def _replace_in(types: str, name: str, before: str, after: str) -> str:
    start = types.find(f"\n      {name}: {{")
    found = types.find(before, start)
    end = re.compile(r"\n      \w+: \{").search(types, start + 1)
    if start < 0 or found < 0 or (end and found > end.start()):
        raise ValueError(f"the RPC {name} is not there, or has no {before}")
    return types[:found] + after + types[found + len(before) :]
