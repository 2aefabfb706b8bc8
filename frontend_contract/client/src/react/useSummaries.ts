/** The summaries of the person's days, weeks and months, and the feelings that were noted in that time. */
import { useQuery } from "@tanstack/react-query";
import { unwrap } from "./errors";
import { SCOPE, useKeepsake } from "./provider";
import type { DailySummary, Memory, MonthlySummary, WeeklySummary } from "./rows";

const MAX_DAYS = 31;
const MAX_WEEKS = 60;
const MAX_MONTHS = 36;
const MAX_MOODS = 500;

/** A feeling that was noted, whether it is current or not. */
export type Mood = Pick<Memory, "id" | "memory_text" | "value" | "created_at">;

export interface Summaries {
  days: DailySummary[];
  weeks: WeeklySummary[];
  months: MonthlySummary[];
  moods: Mood[];
}

export function useSummaries(options: { enabled?: boolean } = {}): {
  summaries: Summaries | undefined;
  error: Error | null;
} {
  const { client, cache } = useKeepsake();
  const query = useQuery(
    {
      queryKey: [SCOPE, "summaries"],
      queryFn: async (): Promise<Summaries> => {
        const newestFirst = { ascending: false };
        const [days, weeks, months, moods] = await Promise.all([
          client.from("user_memory_daily_summaries").select("*").order("summary_date", newestFirst).limit(MAX_DAYS).then(unwrap),
          client.from("user_memory_weekly_summaries").select("*").order("week_start_date", newestFirst).limit(MAX_WEEKS).then(unwrap),
          client
            .from("user_memory_monthly_summaries")
            .select("*")
            .order("year", newestFirst)
            .order("month", newestFirst)
            .limit(MAX_MONTHS)
            .then(unwrap),
          client
            .from("user_memory")
            .select("id,memory_text,value,created_at")
            .eq("memory_type", "emotion")
            .neq("status", "deleted")
            .order("created_at", newestFirst)
            .limit(MAX_MOODS)
            .then(unwrap),
        ]);
        return { days, weeks, months, moods };
      },
      enabled: options.enabled ?? true,
    },
    cache,
  );
  return { summaries: query.data, error: query.error };
}
