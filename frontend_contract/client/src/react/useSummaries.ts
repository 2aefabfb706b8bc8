/** Everything that was summarized of the person, and the feelings that were noted in that time. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { unwrap } from "./errors";
import { fetchLevels, levelsWithout, type LevelRows } from "./levels";
import { changeAtOnce } from "./optimistic";
import { SCOPE, useKeepsake } from "./provider";
import type {
  HistorySummary,
  KeepsakeClient,
  Memory,
  OperationResult,
  SessionState,
  SessionSummary,
  Spine,
} from "./rows";

const SUMMARIES = [SCOPE, "summaries"] as const;
const MAX_SESSIONS = 30;
const MAX_MOODS = 500;
const MAX_ENDED = 500;

/** A feeling that was noted, whether it is current or not. */
export type Mood = Pick<Memory, "id" | "memory_text" | "value" | "created_at">;

/** A memory that has ended, and since when. */
export type EndedMemory = Pick<Memory, "id" | "memory_text" | "valid_to">;

export interface Summaries extends LevelRows {
  /** The newest version. */
  spine: Spine | undefined;
  /** The newest summary of six days. */
  history: HistorySummary | undefined;
  sessions: SessionSummary[];
  /** What was said of late, by persona. */
  states: Pick<SessionState, "id" | "rolling_summary">[];
  moods: Mood[];
  /** What was so and is no more, the newest end first. */
  ended: EndedMemory[];
}

export function useSummaries(options: { enabled?: boolean } = {}): {
  summaries: Summaries | undefined;
  error: Error | null;
} {
  const { client, cache } = useKeepsake();
  const query = useQuery(
    { queryKey: SUMMARIES, queryFn: () => fetchSummaries(client), enabled: options.enabled ?? true },
    cache,
  );
  return { summaries: query.data, error: query.error };
}

/** Forgets a summary of any kind, of a spine every version: it is not written again. */
export function useForgetSummary(): (summary: { id: string }) => Promise<OperationResult> {
  const keepsake = useKeepsake();
  return useCallback(
    ({ id }) =>
      changeAtOnce(
        keepsake,
        SUMMARIES,
        id,
        (summaries: Summaries) => without(summaries, id),
        async () =>
          unwrap(await keepsake.client.rpc("forget_summary", { summary: id })) as unknown as OperationResult,
      ),
    [keepsake],
  );
}

async function fetchSummaries(client: KeepsakeClient): Promise<Summaries> {
  const newestFirst = { ascending: false };
  const [spines, histories, sessions, states, levels, moods, ended] = await Promise.all([
    client.from("user_memory_spine").select("*").order("created_at", newestFirst).limit(1).then(unwrap),
    client.from("user_memory_history_summaries").select("*").order("end_date", newestFirst).limit(1).then(unwrap),
    client.from("user_memory_session_summaries").select("*").order("ended_at", newestFirst).limit(MAX_SESSIONS).then(unwrap),
    client.from("user_memory_session_state").select("id,rolling_summary").neq("rolling_summary", "").then(unwrap),
    fetchLevels(client),
    client
      .from("user_memory")
      .select("id,memory_text,value,created_at")
      .eq("memory_type", "emotion")
      .neq("status", "deleted")
      .order("created_at", newestFirst)
      .limit(MAX_MOODS)
      .then(unwrap),
    client
      .from("user_memory")
      .select("id,memory_text,valid_to")
      .eq("status", "superseded")
      .not("valid_to", "is", null)
      .order("valid_to", newestFirst)
      .limit(MAX_ENDED)
      .then(unwrap),
  ]);
  return { spine: spines[0] as Spine | undefined, history: histories[0], sessions, states, ...levels, moods, ended };
}

function without(summaries: Summaries, id: string): Summaries {
  const { spine, history, sessions } = summaries;
  return {
    ...summaries,
    ...levelsWithout(summaries, id),
    spine: spine?.id === id ? undefined : spine,
    history: history?.id === id ? undefined : history,
    sessions: sessions.filter((session) => session.id !== id),
  };
}
