/** A month beside the same month of the year before, with what Keepsake makes of the two. */
import { useMemo, useState, type ReactNode } from "react";
import { useProfiles, useYearlyComparison, type MonthlySummary, type YearlyComparison } from "../react";
import { formatMonth } from "./dates";
import { LoadError } from "./LoadError";
import { Select } from "./MemoryFilters";
import { EmptyArchive, Generator, MonthCard } from "./SummaryCards";
import { useMemoryUi } from "./ui";

export function YearComparison({ months }: { months: MonthlySummary[] }): ReactNode {
  const { summaries: texts, locale } = useMemoryUi().strings;
  const pairs = useMemo(() => pairWithYearBefore(months), [months]);
  const [chosen, setChosen] = useState(0);
  const pair = pairs[Math.min(chosen, pairs.length - 1)];
  if (!pair) return <EmptyArchive title={texts.noYear} hint={texts.noYearHint} />;
  const [later, earlier] = pair;
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
      <Development later={later} earlier={earlier} />
      <div className="ks-pair">
        <MonthCard month={earlier} isShort />
        <MonthCard month={later} isShort />
      </div>
    </>
  );
}

/** Each month with the same month of the year before, where both are stored. */
function pairWithYearBefore(months: MonthlySummary[]): [later: MonthlySummary, earlier: MonthlySummary][] {
  return months.flatMap((later) => {
    const earlier = months.find(
      (each) => each.month === later.month && each.year === later.year - 1 && each.profile_id === later.profile_id,
    );
    return earlier ? [[later, earlier] as [MonthlySummary, MonthlySummary]] : [];
  });
}

/** Only months of the main profile are compared by Keepsake; others stand side by side without words. */
function Development({ later, earlier }: { later: MonthlySummary; earlier: MonthlySummary }): ReactNode {
  const { strings } = useMemoryUi();
  const { summaries: texts, locale } = strings;
  const profiles = useProfiles();
  const isMain = profiles.some(({ id, is_primary }) => is_primary && id === later.profile_id);
  const { comparison: found, isLoading, error } = useYearlyComparison(isMain ? later : null);
  if (isLoading) return <p className="ks-faint" role="status">{texts.comparing}</p>;
  if (error && !found) return <LoadError error={error} />;
  if (!found?.comparison) return null;
  const { growth } = found.comparison;
  const months = [earlier, later].map(({ year, month }) => formatMonth(year, month, locale));
  return (
    <article className="ks-summary" data-lead>
      <header>
        <h3>{texts.between(months[0] ?? "", months[1] ?? "")}</h3>
      </header>
      <p>{growth}</p>
      <Lists comparison={found.comparison} />
      <Generator name={found.generator ?? "rules"} />
    </article>
  );
}

function Lists({ comparison }: { comparison: NonNullable<YearlyComparison["comparison"]> }): ReactNode {
  const { summaries: texts } = useMemoryUi().strings;
  const parts = (["appeared", "stayed", "changed"] as const).filter((part) => comparison[part].length);
  if (!parts.length) return null;
  return (
    <dl className="ks-development">
      {parts.map((part) => (
        <div key={part} data-part={part}>
          <dt>{texts[part]}</dt>
          {comparison[part].map((line) => (
            <dd key={line}>{line}</dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
