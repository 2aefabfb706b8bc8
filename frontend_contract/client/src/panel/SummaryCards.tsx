/** What the archive shows of one summary. */
import type { ReactNode } from "react";
import { useForgetSummary, useSummaries, type MonthlySummary, type WeeklySummary } from "../react";
import { formatDay, formatMonth, formatRange, lastDayOf } from "./dates";
import { leaveRow } from "./focus";
import { Icon } from "./icons";
import { useMemoryUi } from "./ui";

export function WeekCard({ week }: { week: WeeklySummary }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const title = formatRange(week.week_start_date, week.week_end_date, locale);
  return (
    <article className="ks-summary">
      <header>
        <h3>{title}</h3>
        <span className="ks-faint">
          {texts.week(week.week_number, week.year)} · {texts.conversations(week.conversation_count)}
        </span>
      </header>
      <p>{week.summary}</p>
      {week.emotional_summary !== week.summary && <Part name={texts.feelings} text={week.emotional_summary} />}
      <Words name={texts.themes} words={week.key_themes} />
      <Words name={texts.patterns} words={week.dominant_patterns} />
      <Words name={texts.shifts} words={week.energy_shifts} />
      <EndedSince summary={week} lastDay={week.week_end_date} />
      <SummaryFooter summary={week} title={title} />
    </article>
  );
}

/** `isShort` leaves out who wrote it, as beside a comparison that says so, and what one can do with it. */
export function MonthCard({ month, isShort = false }: { month: MonthlySummary; isShort?: boolean }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const title = formatMonth(month.year, month.month, locale);
  return (
    <article className="ks-summary">
      <header>
        <h3>{title}</h3>
        <span className="ks-faint">{texts.conversations(month.conversation_count)}</span>
      </header>
      <Part name={texts.feelings} text={month.emotional_summary} />
      {month.cognitive_summary && <Part name={texts.thoughts} text={month.cognitive_summary} />}
      <Words name={texts.themes} words={month.key_themes} />
      <EndedSince summary={month} lastDay={lastDayOf(month.year, month.month)} />
      {!isShort && <SummaryFooter summary={month} title={title} />}
    </article>
  );
}

/** What of a summary is no longer so, and since when: its text tells of its own days and stays as it is. */
export function EndedSince(props: { summary: { memory_ids: string[] }; lastDay: string }): ReactNode {
  const { summary, lastDay } = props;
  const { summaries: texts, locale } = useMemoryUi().strings;
  const { summaries } = useSummaries();
  const ended = (summaries?.ended ?? []).filter(
    ({ id, valid_to }) => summary.memory_ids.includes(id) && valid_to !== null && valid_to.slice(0, 10) > lastDay,
  );
  return ended.map(({ id, memory_text, valid_to }) => (
    <p key={id} className="ks-faint">
      {texts.endedSince(memory_text, formatDay(valid_to as string, locale))}
    </p>
  ));
}

/** Who wrote a summary, and a way to forget it. */
export function SummaryFooter(props: { summary: { id: string; generator: string }; title: string }): ReactNode {
  const { summary, title } = props;
  const { strings, perform } = useMemoryUi();
  const forget = useForgetSummary();
  return (
    <footer className="ks-row">
      <Generator name={summary.generator} />
      <button
        type="button"
        className="ks-button"
        data-small
        aria-label={`${strings.memory.forget}: ${title}`}
        onClick={(event) => {
          leaveRow(event.currentTarget);
          void perform(forget(summary), strings.summaries.nowForgotten, title);
        }}
      >
        <Icon name="trash" size={15} />
        {strings.memory.forget}
      </button>
    </footer>
  );
}

export function Generator({ name }: { name: string }): ReactNode {
  const { summaries: texts } = useMemoryUi().strings;
  return <p className="ks-generator ks-faint">{name === "llm" ? texts.byModel : texts.byRules}</p>;
}

export function EmptyArchive({ title, hint }: { title: string; hint: string }): ReactNode {
  return (
    <div className="ks-empty">
      <p>{title}</p>
      <p className="ks-faint">{hint}</p>
    </div>
  );
}

function Part({ name, text }: { name: string; text: string }): ReactNode {
  if (!text) return null;
  return (
    <div className="ks-part">
      <h4 className="ks-label">{name}</h4>
      <p>{text}</p>
    </div>
  );
}

export function Words({ name, words }: { name: string; words: string[] }): ReactNode {
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
