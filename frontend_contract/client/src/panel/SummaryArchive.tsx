/** The archive of summaries: weeks, months, the same month of two years, and themes and moods over time. */
import { useState, type ReactNode } from "react";
import { useSummaries } from "../react";
import { LoadError } from "./LoadError";
import { EmptyArchive, MonthCard, WeekCard } from "./SummaryCards";
import { ThemeChart } from "./ThemeChart";
import { useMemoryUi } from "./ui";
import { YearComparison } from "./YearComparison";

type Part = "weeks" | "months" | "year" | "chart";
const PARTS: readonly Part[] = ["weeks", "months", "year", "chart"];

export function SummaryArchive(): ReactNode {
  const { strings } = useMemoryUi();
  const { summaries, error } = useSummaries();
  const [part, setPart] = useState<Part>("weeks");
  const { summaries: texts } = strings;
  if (!summaries && error) return <LoadError error={error} />;
  if (!summaries) return <p className="ks-empty">{strings.loading}</p>;
  if (!summaries.weeks.length && !summaries.months.length) return <EmptyArchive title={texts.empty} hint={texts.emptyHint} />;
  return (
    <div className="ks-archive">
      <div className="ks-segments" role="group" aria-label={strings.tabs.summaries}>
        {PARTS.map((each) => (
          <button key={each} type="button" aria-pressed={part === each} onClick={() => setPart(each)}>
            {texts[each]}
          </button>
        ))}
      </div>
      {part === "weeks" && summaries.weeks.map((week) => <WeekCard key={week.id} week={week} />)}
      {part === "months" && summaries.months.map((month) => <MonthCard key={month.id} month={month} />)}
      {part === "year" && <YearComparison months={summaries.months} />}
      {part === "chart" && <ThemeChart summaries={summaries} />}
    </div>
  );
}
