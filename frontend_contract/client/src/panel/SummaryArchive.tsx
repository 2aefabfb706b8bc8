/** The archive of summaries: of late, weeks, months, the same month of two years, and themes and moods over time. */
import { useState, type ReactNode } from "react";
import { useSummaries } from "../react";
import { LoadError } from "./LoadError";
import { RecentSummaries } from "./RecentSummaries";
import { EmptyArchive, MonthCard, WeekCard } from "./SummaryCards";
import { ThemeChart } from "./ThemeChart";
import { useMemoryUi } from "./ui";
import { YearComparison } from "./YearComparison";

type Part = "recent" | "weeks" | "months" | "year" | "chart";
const PARTS: readonly Part[] = ["recent", "weeks", "months", "year", "chart"];

export function SummaryArchive(): ReactNode {
  const { strings } = useMemoryUi();
  const { summaries, error } = useSummaries();
  const [chosen, setChosen] = useState<Part>();
  const { summaries: texts } = strings;
  if (!summaries && error) return <LoadError error={error} />;
  if (!summaries) return <p className="ks-empty">{strings.loading}</p>;
  const { spine, history, sessions, days, weeks, months } = summaries;
  const hasRecent = Boolean(spine ?? history ?? days[0] ?? sessions[0]);
  if (!hasRecent && !weeks.length && !months.length) return <EmptyArchive title={texts.empty} hint={texts.emptyHint} />;
  const part = chosen ?? (weeks.length ? "weeks" : "recent");
  const isEmpty = { recent: !hasRecent, weeks: !weeks.length, months: !months.length, year: false, chart: false }[part];
  return (
    <div className="ks-archive">
      <div className="ks-segments" role="group" aria-label={strings.tabs.summaries}>
        {PARTS.map((each) => (
          <button key={each} type="button" aria-pressed={part === each} onClick={() => setChosen(each)}>
            {texts[each]}
          </button>
        ))}
      </div>
      {isEmpty && <p className="ks-empty">{strings.list.none}</p>}
      {part === "recent" && <RecentSummaries summaries={summaries} />}
      {part === "weeks" && weeks.map((week) => <WeekCard key={week.id} week={week} />)}
      {part === "months" && months.map((month) => <MonthCard key={month.id} month={month} />)}
      {part === "year" && <YearComparison months={months} />}
      {part === "chart" && <ThemeChart summaries={summaries} />}
    </div>
  );
}
