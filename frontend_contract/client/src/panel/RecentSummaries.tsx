/** What the archive shows of late: what has held for longer, the last six days, and each day and conversation. */
import type { ReactNode } from "react";
import type { DailySummary, HistorySummary, SessionSummary, Spine, Summaries } from "../react";
import { formatDay, formatMoment, formatRange } from "./dates";
import { EndedSince, SummaryFooter, Words } from "./SummaryCards";
import { useMemoryUi } from "./ui";

const SECTIONS = ["PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS"] as const;

export function RecentSummaries({ summaries }: { summaries: Summaries }): ReactNode {
  const { spine, history, days, sessions } = summaries;
  return (
    <>
      {spine && <SpineCard spine={spine} />}
      {history && <HistoryCard history={history} />}
      {days.map((day) => (
        <DayCard key={day.id} day={day} />
      ))}
      {sessions.map((session) => (
        <SessionCard key={session.id} session={session} />
      ))}
    </>
  );
}

function SpineCard({ spine }: { spine: Spine }): ReactNode {
  const { summaries: texts } = useMemoryUi().strings;
  return (
    <article className="ks-summary" data-lead>
      <header>
        <h3>{texts.spine}</h3>
      </header>
      {SECTIONS.map((section) => (
        <Words key={section} name={texts.sections[section]} words={(spine.content[section] ?? []).map(({ text }) => text)} />
      ))}
      <SummaryFooter summary={spine} title={texts.spine} />
    </article>
  );
}

function HistoryCard({ history }: { history: HistorySummary }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const title = formatRange(history.start_date, history.end_date, locale);
  return (
    <article className="ks-summary">
      <header>
        <h3>{title}</h3>
        <span className="ks-faint">{texts.sixDays}</span>
      </header>
      <p>{history.summary}</p>
      <SummaryFooter summary={history} title={title} />
    </article>
  );
}

function DayCard({ day }: { day: DailySummary }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const title = formatDay(`${day.summary_date}T12:00`, locale);
  return (
    <article className="ks-summary">
      <header>
        <h3>{title}</h3>
        <span className="ks-faint">{texts.conversations(day.conversation_count)}</span>
      </header>
      <p>{day.summary}</p>
      <Words name={texts.themes} words={day.key_themes} />
      <EndedSince summary={day} lastDay={day.summary_date} />
      <SummaryFooter summary={day} title={title} />
    </article>
  );
}

function SessionCard({ session }: { session: SessionSummary }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const title = formatMoment(session.ended_at, locale);
  return (
    <article className="ks-summary">
      <header>
        <h3>{title}</h3>
        <span className="ks-faint">{texts.session}</span>
      </header>
      <p>{session.one_liner}</p>
      <Words name={texts.mattered} words={session.what_mattered.filter((text) => !session.one_liner.includes(text.replace(/\.$/, "")))} />
      <Words name={texts.sections.OPEN_LOOPS} words={[...new Set([...session.open_loops, ...session.commitments])]} />
      <SummaryFooter summary={session} title={title} />
    </article>
  );
}
