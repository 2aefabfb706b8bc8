/** The levels of summaries: where the rows of each are, by which columns the newest come first, and how many are read. */
import type { Database } from "../contract/database.types";
import { unwrap } from "./errors";
import type { KeepsakeClient } from "./rows";

type Tables = Database["public"]["Tables"];

export const LEVELS = {
  days: { table: "user_memory_daily_summaries", by: ["summary_date"], most: 31 },
  weeks: { table: "user_memory_weekly_summaries", by: ["week_start_date"], most: 60 },
  months: { table: "user_memory_monthly_summaries", by: ["year", "month"], most: 36 },
} as const satisfies Record<string, { table: keyof Tables; by: readonly string[]; most: number }>;

export type SummaryLevel = keyof typeof LEVELS;
export type LevelRow<L extends SummaryLevel = SummaryLevel> = Tables[(typeof LEVELS)[L]["table"]]["Row"];
export type LevelRows = { [L in SummaryLevel]: LevelRow<L>[] };

export const LEVEL_NAMES = Object.keys(LEVELS) as SummaryLevel[];

/** The newest summaries of every level. */
export async function fetchLevels(client: KeepsakeClient): Promise<LevelRows> {
  const found = await Promise.all(LEVEL_NAMES.map((level) => fetchLevel(client, level)));
  return Object.fromEntries(LEVEL_NAMES.map((level, index) => [level, found[index]])) as unknown as LevelRows;
}

/** The summaries of every level without one row. */
export function levelsWithout(rows: LevelRows, id: string): LevelRows {
  const others = (each: { id: string }[]) => each.filter((row) => row.id !== id);
  return Object.fromEntries(LEVEL_NAMES.map((level) => [level, others(rows[level])])) as unknown as LevelRows;
}

async function fetchLevel(client: KeepsakeClient, level: SummaryLevel): Promise<LevelRow[]> {
  const { table, by, most } = LEVELS[level];
  const all = client.from(table as keyof Tables).select("*");
  const sorted = by.reduce((query, column) => query.order(column, { ascending: false }), all);
  return unwrap(await sorted.limit(most)) as LevelRow[];
}
