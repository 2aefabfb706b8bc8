/** What a session's card tells is told once. @vitest-environment jsdom */
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { RecentSummaries } from "../../src/panel/RecentSummaries";
import type { SessionSummary, Summaries } from "../../src/react";
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
