/** What the panel calls the period of a summary, and which of its texts stands for it, level by level. */
import type { SummaryLevel, LevelRow, LevelRows } from "../react";
import { formatDay, formatMonth, formatRange } from "./dates";

interface Period {
  name: string;
  text: string;
}

const PERIODS: { [L in SummaryLevel]: (row: LevelRow<L>, locale: string) => Period } = {
  days: (day, locale) => ({ name: formatDay(`${day.summary_date}T12:00`, locale), text: day.summary }),
  weeks: (week, locale) => ({ name: formatRange(week.week_start_date, week.week_end_date, locale), text: week.summary }),
  months: (month, locale) => ({
    name: formatMonth(month.year, month.month, locale),
    text: month.cognitive_summary || month.emotional_summary,
  }),
};

/** The period of the summary with this id; undefined where none of these has it. */
export function nameOfPeriod(rows: LevelRows, id: string, locale: string): Period | undefined {
  for (const level of Object.keys(PERIODS) as SummaryLevel[]) {
    const found = periodOf(level, rows, id, locale);
    if (found) return found;
  }
  return undefined;
}

function periodOf<L extends SummaryLevel>(level: L, rows: LevelRows, id: string, locale: string): Period | undefined {
  const row = rows[level].find((each) => each.id === id);
  return row && PERIODS[level](row as LevelRow<L>, locale);
}
