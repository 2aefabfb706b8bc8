/** The archive of summaries: weeks, months, the same month of two years, and themes and moods over time. */
import { useMemo, useState, type ReactNode } from "react";
import { useSummaries, type MonthlySummary, type WeeklySummary } from "../react";
import { formatMonth, formatRange } from "./dates";
import { Select } from "./MemoryFilters";
import { ThemeChart } from "./ThemeChart";
import { messageOf, useMemoryUi } from "./ui";

type Part = "weeks" | "months" | "year" | "chart";
const PARTS: readonly Part[] = ["weeks", "months", "year", "chart"];

export function SummaryArchive(): ReactNode {
  const { strings } = useMemoryUi();
  const { summaries, error } = useSummaries();
  const [part, setPart] = useState<Part>("weeks");
  const { summaries: texts } = strings;
  if (error) return <p className="ks-empty" role="alert">{messageOf(error)}</p>;
  if (!summaries) return <p className="ks-empty">{strings.loading}</p>;
  const isEmpty = !summaries.weeks.length && !summaries.months.length;
  return (
    <div className="ks-archive">
      <div className="ks-segments" role="group" aria-label={strings.tabs.summaries}>
        {PARTS.map((each) => (
          <button key={each} type="button" aria-pressed={part === each} onClick={() => setPart(each)}>
            {texts[each]}
          </button>
        ))}
      </div>
      {isEmpty && part !== "chart" ? (
        <div className="ks-empty">
          <p>{texts.empty}</p>
          <p className="ks-faint">{texts.emptyHint}</p>
        </div>
      ) : (
        <>
          {part === "weeks" && summaries.weeks.map((week) => <WeekCard key={week.id} week={week} />)}
          {part === "months" && summaries.months.map((month) => <MonthCard key={month.id} month={month} />)}
          {part === "year" && <YearComparison months={summaries.months} />}
          {part === "chart" && <ThemeChart summaries={summaries} />}
        </>
      )}
    </div>
  );
}

function WeekCard({ week }: { week: WeeklySummary }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  return (
    <article className="ks-summary">
      <header>
        <h3>{formatRange(week.week_start_date, week.week_end_date, locale)}</h3>
        <span className="ks-faint">
          {texts.week(week.week_number, week.year)} · {texts.conversations(week.conversation_count)}
        </span>
      </header>
      <p>{week.summary}</p>
      {week.emotional_summary !== week.summary && <Part name={texts.feelings} text={week.emotional_summary} />}
      <Words name={texts.themes} words={week.key_themes} />
      <Words name={texts.patterns} words={week.dominant_patterns} />
      <Words name={texts.shifts} words={week.energy_shifts} />
      <Generator name={week.generator} />
    </article>
  );
}

function MonthCard({ month }: { month: MonthlySummary }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  return (
    <article className="ks-summary">
      <header>
        <h3>{formatMonth(month.year, month.month, locale)}</h3>
        <span className="ks-faint">{texts.conversations(month.conversation_count)}</span>
      </header>
      <Part name={texts.feelings} text={month.emotional_summary} />
      {month.cognitive_summary && <Part name={texts.thoughts} text={month.cognitive_summary} />}
      <Words name={texts.themes} words={month.key_themes} />
      <Generator name={month.generator} />
    </article>
  );
}

function YearComparison({ months }: { months: MonthlySummary[] }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const pairs = useMemo(() => pairWithYearBefore(months), [months]);
  const [chosen, setChosen] = useState(0);
  const pair = pairs[Math.min(chosen, pairs.length - 1)];
  if (!pair) return <p className="ks-empty">{texts.noYear}</p>;
  const name = (month: MonthlySummary) => formatMonth(month.year, month.month, locale);
  return (
    <>
      {pairs.length > 1 && (
        <Select
          label={texts.compare}
          value={String(chosen)}
          options={pairs.map(([now], index) => [String(index), name(now)])}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      <div className="ks-pair">
        {[...pair].reverse().map((month) => (
          <MonthCard key={month.id} month={month} />
        ))}
      </div>
    </>
  );
}

/** Each month with the same month of the year before, where both are stored. */
function pairWithYearBefore(months: MonthlySummary[]): [MonthlySummary, MonthlySummary][] {
  return months.flatMap((now) => {
    const before = months.find(
      (each) => each.month === now.month && each.year === now.year - 1 && each.profile_id === now.profile_id,
    );
    return before ? [[now, before] as [MonthlySummary, MonthlySummary]] : [];
  });
}

function Part({ name, text }: { name: string; text: string }): ReactNode {
  return (
    <p>
      <span className="ks-label">{name}</span> {text}
    </p>
  );
}

function Words({ name, words }: { name: string; words: string[] }): ReactNode {
  if (!words.length) return null;
  return (
    <dl className="ks-words">
      <dt>{name}</dt>
      {words.map((word) => (
        <dd key={word}>{word}</dd>
      ))}
    </dl>
  );
}

function Generator({ name }: { name: string }): ReactNode {
  const { summaries: texts } = useMemoryUi().strings;
  return <p className="ks-generator ks-faint">{name === "llm" ? texts.byModel : texts.byRules}</p>;
}
