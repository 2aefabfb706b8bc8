/** A month beside the same month of the year before: what stayed, what changed, what is new. */
import { useQuery } from "@tanstack/react-query";
import type { components } from "../contract/functions.types";
import { SCOPE, useKeepsake } from "./provider";

/** The answer of `compare-yearly-patterns`. */
export type YearlyComparison = components["schemas"]["CompareYearlyPatternsResponse"];

/** The comparison for a month of the main profile; it is written the first time it is asked for. Null reads nothing. */
export function useYearlyComparison(month: { year: number; month: number } | null): {
  comparison: YearlyComparison | undefined;
  isLoading: boolean;
  error: Error | null;
} {
  const { cache, call } = useKeepsake();
  const query = useQuery(
    {
      queryKey: [SCOPE, "yearly-comparison", month?.year, month?.month],
      queryFn: async () => {
        const body = JSON.stringify({ year: month?.year, month: month?.month });
        return (await (await call("compare-yearly-patterns", body)).json()) as YearlyComparison;
      },
      enabled: month !== null,
    },
    cache,
  );
  return { comparison: query.data, isLoading: query.isLoading, error: query.error };
}
