/** Themes and moods over time: a table with a dot where one appears, so that it can be read aloud too. */
import { useMemo, type ReactNode } from "react";
import type { Summaries } from "../react";
import { formatDay, formatRange } from "./dates";
import { useMemoryUi } from "./ui";

const MAX_PERIODS = 8;
const MAX_ROWS = 8;

interface ChartRow {
  name: string;
  kind: "theme" | "mood";
  counts: number[];
}

export function ThemeChart({ summaries }: { summaries: Summaries }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const { weeks, rows } = useMemo(() => buildRows(summaries), [summaries]);
  if (!rows.length) return <p className="ks-empty">{texts.empty}</p>;
  return (
    <div className="ks-chart" role="region" aria-label={texts.chart} tabIndex={0}>
      <table>
        <caption className="ks-hidden">{texts.chart}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="ks-hidden">{texts.themes}</span>
            </th>
            {weeks.map((week) => (
              <th key={week.week_start_date} scope="col">
                <abbr title={formatRange(week.week_start_date, week.week_end_date, locale)}>
                  {formatDay(`${week.week_start_date}T12:00`, locale)}
                </abbr>
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
        <span className="ks-dot" data-size="2" data-kind="mood" /> {texts.moods}
      </p>
    </div>
  );
}

function buildRows({ weeks, moods }: Summaries) {
  const shown = weeks.slice(0, MAX_PERIODS).reverse();
  const themes = countRows("theme", shown.map((week) => week.key_themes));
  const moodsOfWeek = shown.map((week) =>
    moods
      .filter(({ created_at: at }) => at.slice(0, 10) >= week.week_start_date && at.slice(0, 10) <= week.week_end_date)
      .map((mood) => mood.value ?? mood.memory_text),
  );
  return { weeks: shown, rows: [...themes, ...countRows("mood", moodsOfWeek)] };
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
