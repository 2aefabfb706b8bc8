/** What a summary's card tells is told once, and nothing is headed that is empty. @vitest-environment jsdom */
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { RecentSummaries } from "../../src/panel/RecentSummaries";
import { WeekCard } from "../../src/panel/SummaryCards";
import type { SessionSummary, Summaries, WeeklySummary } from "../../src/react";
import { show } from "../support/panel";

afterEach(cleanup);

/** The card of a session with these texts. */
async function card(one_liner: string, what_mattered: string[]): Promise<HTMLElement> {
  const session = { id: "session-1", ended_at: "2030-01-01T10:00:00Z", open_loops: [], commitments: [], generator: "rules", memory_ids: [] };
  const summaries = { spine: null, history: null, days: [], sessions: [{ ...session, one_liner, what_mattered } as unknown as SessionSummary] };
  await show(<RecentSummaries summaries={summaries as unknown as Summaries} />, {});
  return screen.findByRole("article");
}

it("leaves out what the sentence before lists", async () => {
  const shown = await card("Spoke of: “Lives in Graz” and “Likes figs”.", ["Lives in Graz.", "Likes figs"]);
  expect(shown.textContent?.match(/Lives in Graz|Likes figs/g)).toHaveLength(2);
  expect(shown.textContent).not.toContain("What mattered");
});

it("tells what the sentence had no room for, and what a model says beside it", async () => {
  const shown = await card("Spoke of: “Lives in Graz” and 1 more.", ["Lives in Graz", "Likes figs"]);
  expect(shown.textContent).toContain("What mattered");
  expect(shown.textContent?.match(/Lives in Graz|Likes figs/g)).toHaveLength(2);
});

it.each(["", "Felt calm."])("heads the feelings of a week only where there are any: %j", async (emotional_summary) => {
  const lists = { key_themes: [], dominant_patterns: [], energy_shifts: [], memory_ids: [] };
  const days = { week_start_date: "2030-01-07", week_end_date: "2030-01-13", week_number: 2, year: 2030, conversation_count: 1 };
  const week = { ...lists, ...days, id: "week-1", generator: "rules", summary: "Bought a boat.", emotional_summary };
  await show(<WeekCard week={week as unknown as WeeklySummary} />, {});
  const shown = await screen.findByRole("article");
  expect(shown.textContent?.includes("Feelings")).toBe(emotional_summary !== "");
});
