/** Themes and moods over time: a table with a dot where one appears, so that it can be read aloud too. */
import { useLayoutEffect, useMemo, useRef, type ReactNode } from "react";
import type { MonthlySummary, Summaries, WeeklySummary } from "../react";
import { formatDay, formatMonth, formatRange } from "./dates";
import { useMemoryUi } from "./ui";

/** With fewer months, weeks are shown. */
const MIN_MONTHS = 3;
const MAX_PERIODS = 9;
const MAX_ROWS = 8;

interface Period {
  /** The first day, and the last one. */
  start: string;
  end: string;
  label: string;
  /** Shown where a year begins; null of a week, whose days say enough. */
  year: number | null;
  title: string;
  themes: string[];
}

interface ChartRow {
  name: string;
  kind: "theme" | "mood";
  counts: number[];
}

export function ThemeChart({ summaries }: { summaries: Summaries }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const { periods, rows } = useMemo(() => buildRows(summaries, locale), [summaries, locale]);
  const title = `${texts.themes}, ${texts.moods}`;
  const chart = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (chart.current) chart.current.scrollLeft = chart.current.scrollWidth; // the newest is in sight
  }, [periods]);
  if (!rows.length) return <p className="ks-empty">{texts.empty}</p>;
  return (
    <div ref={chart} className="ks-chart" role="region" aria-label={title} tabIndex={0}>
      <table>
        <caption className="ks-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="ks-hidden">{texts.themes}</span>
            </th>
            {periods.map((period, index) => (
              <th key={period.start} scope="col">
                <abbr title={period.title}>{period.label}</abbr>
                {period.year !== (periods[index - 1]?.year ?? null) && <span className="ks-chart-year">{period.year}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.kind}-${row.name}`} data-kind={row.kind}>
              <th scope="row">{row.name}</th>
              {row.counts.map((count, index) => (
                <td key={index}>
                  {count > 0 && <span className="ks-dot" data-size={Math.min(count, 3)} />}
                  <span className="ks-hidden">{count ? `${texts.appears} ${count}` : texts.absent}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="ks-legend ks-faint">
        <span className="ks-dot" data-size="2" data-kind="theme" /> {texts.themes}
        {rows.some(({ kind }) => kind === "mood") && (
          <>
            <span className="ks-dot" data-size="2" data-kind="mood" /> {texts.moods}
          </>
        )}
      </p>
    </div>
  );
}

function buildRows({ weeks, months, moods }: Summaries, locale: string) {
  const areMonths = new Set(months.map(({ year, month }) => `${year} ${month}`)).size >= MIN_MONTHS;
  const stored = areMonths ? months.map((month) => monthPeriod(month, locale)) : weeks.map((week) => weekPeriod(week, locale));
  const periods = joinProfiles(stored).slice(0, MAX_PERIODS).reverse();
  const moodsOfPeriods = periods.map(({ start, end }) =>
    moods
      .filter(({ created_at: at }) => at.slice(0, 10) >= start && at.slice(0, 10) <= end)
      .map((mood) => mood.value ?? mood.memory_text),
  );
  const themes = countRows("theme", periods.map((period) => period.themes));
  return { periods, rows: [...themes, ...countRows("mood", moodsOfPeriods)] };
}

/** One period for all profiles. */
function joinProfiles(periods: Period[]): Period[] {
  const byStart = new Map<string, Period>();
  for (const period of periods) {
    const themes = [...(byStart.get(period.start)?.themes ?? []), ...period.themes];
    byStart.set(period.start, { ...period, themes });
  }
  return [...byStart.values()];
}

function monthPeriod({ year, month, key_themes: themes }: MonthlySummary, locale: string): Period {
  const start = `${year}-${String(month).padStart(2, "0")}`;
  const label = new Date(year, month - 1, 1).toLocaleDateString(locale, { month: "short" });
  return { start: `${start}-01`, end: `${start}-31`, label, year, title: formatMonth(year, month, locale), themes };
}

function weekPeriod({ week_start_date: start, week_end_date: end, key_themes: themes }: WeeklySummary, locale: string): Period {
  return { start, end, label: formatDay(`${start}T12:00`, locale), year: null, title: formatRange(start, end, locale), themes };
}

/** The most frequent words of the periods, with how often each appears in each. */
function countRows(kind: ChartRow["kind"], wordsOfPeriods: string[][]): ChartRow[] {
  const names = [...new Set(wordsOfPeriods.flat())];
  const rows = names.map((name) => ({
    name,
    kind,
    counts: wordsOfPeriods.map((words) => words.filter((word) => word === name).length),
  }));
  const total = (row: ChartRow) => row.counts.reduce((sum, count) => sum + count, 0);
  return rows.sort((one, other) => total(other) - total(one)).slice(0, MAX_ROWS);
}
