/** The rows that the hooks return, from the types of the database. */
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "../contract/database.types";
import type { LevelRow } from "./levels";

type Tables = Database["public"]["Tables"];
type Functions = Database["public"]["Functions"];

/** Without the computed field by which PostgREST embeds the conversation. */
export type Memory = Omit<Tables["user_memory"]["Row"], "conversations">;
export type MemoryType = Database["public"]["Enums"]["memory_type"];
export type Profile = Tables["user_profile_list"]["Row"];
export type Conversation = Tables["conversations"]["Row"];
export type Participation = Tables["conversations_participants"]["Row"];
export type Message = Tables["messages"]["Row"];
export type Entity = Tables["user_memory_entities"]["Row"];
export type AliasProposal = Tables["user_memory_alias_proposals"]["Row"];
export type DailySummary = LevelRow<"days">;
export type WeeklySummary = LevelRow<"weeks">;
export type MonthlySummary = LevelRow<"months">;
export type HistorySummary = Tables["user_memory_history_summaries"]["Row"];
export type SessionSummary = Tables["user_memory_session_summaries"]["Row"];
export type SessionState = Tables["user_memory_session_state"]["Row"];
/** What has held for longer, by section: lines of text. */
export type Spine = Omit<Tables["user_memory_spine"]["Row"], "content"> & { content: Record<string, { text: string }[]> };
export type Todo = Tables["user_memory_todos"]["Row"];
export type TodoKind = "commitment" | "habit" | "thread" | "friction";
export type KeepsakeClient = SupabaseClient<Database>;

export const MEMORY_TYPES: readonly MemoryType[] = ["fact", "goal", "pattern", "relationship", "emotion"];

/** What a change of state returns: the id that `undo` takes, null where nothing changed. */
export interface OperationResult {
  operation_id: string | null;
  affected: number;
}

/** The person's choices about their memory. */
export interface MemorySettings {
  building: boolean;
  enabled: boolean;
  allowed_types: MemoryType[];
  retention_days: Partial<Record<MemoryType, number>>;
  long_term: boolean;
  onboarding_seen_at: string | null;
  erased_before: string | null;
}

/** Totals of the person's memories. */
export interface MemoryOverview {
  total: number;
  active: number;
  pinned: number;
  newest_at: string | null;
  by_type: Record<MemoryType, number>;
  by_status: Record<"active" | "superseded" | "archived" | "expired" | "deleted", number>;
  by_profile: Record<string, number>;
  settings: MemorySettings;
}

/** One memory as an operation changed it. */
export interface MemoryChange {
  memory_id: string;
  ref: string;
  action: "insert" | "update" | "delete";
  /** The mechanism that found what was said: a rule, another reader of the rules, or a model with its prompt. */
  why: string | null;
  /** The message by which it was made, where one is known and the operations of one memory were asked for. */
  message_id: string | null;
  is_doubted: boolean;
  text_before: string | null;
  text_after: string | null;
  status_before: string | null;
  status_after: string | null;
}

/** One entry of the audit log of the last 30 days. */
export type Operation = Omit<Functions["memory_operations"]["Returns"][number], "memories"> & {
  memories: MemoryChange[];
};

/** What an agent asks to have forgotten. */
export type PendingOperation = Omit<Functions["pending_operations"]["Returns"][number], "memories"> & {
  memories: { memory_id: string; ref: string; text: string }[];
};

/** A memory's number as people see it. */
export function refOf(memory: Pick<Memory, "memory_no">): string {
  return `M-${memory.memory_no}`;
}

/** When a memory ends by itself, in milliseconds. */
export function endOf({ expires_at }: Pick<Memory, "expires_at">): number {
  return expires_at === null ? Infinity : Date.parse(expires_at);
}

/** The state of a memory; one whose time has come is expired before the nightly run says so. */
export function statusOf(memory: Pick<Memory, "status" | "expires_at">): string {
  return memory.status === "active" && endOf(memory) <= Date.now() ? "expired" : memory.status;
}
