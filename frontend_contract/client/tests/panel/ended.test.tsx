/** A written week says beside its text what is no longer so, and keeps the text. @vitest-environment jsdom */
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { WeekCard } from "../../src/panel/SummaryCards";
import type { WeeklySummary } from "../../src/react";
import { show } from "../support/panel";

const LATER = "00000000-0000-4000-8000-000000000001";
const WITHIN = "00000000-0000-4000-8000-000000000002";
const ELSEWHERE = "00000000-0000-4000-8000-000000000003";

afterEach(cleanup);

it("marks what ended after the week, of the memories that its text rests on", async () => {
  const week = {
    id: "00000000-0000-4000-8000-0000000000aa",
    year: 2027,
    week_number: 10,
    week_start_date: "2027-03-08",
    week_end_date: "2027-03-14",
    summary: "Walt is flying to Denver.",
    emotional_summary: "",
    key_themes: [],
    dominant_patterns: [],
    energy_shifts: [],
    conversation_count: 1,
    memory_ids: [LATER, WITHIN],
    generator: "llm",
  } as unknown as WeeklySummary;
  const ended = [
    { id: LATER, memory_text: "Is flying to Denver", valid_to: "2027-03-17T10:00:00+00:00" },
    { id: WITHIN, memory_text: "Works at Acme", valid_to: "2027-03-12T10:00:00+00:00" },
    { id: ELSEWHERE, memory_text: "Has a cat", valid_to: "2027-03-20T10:00:00+00:00" },
  ];
  await show(<WeekCard week={week} />, { "GET user_memory": () => ({ body: ended }) });
  expect((await screen.findByText(/^No longer so since/)).textContent).toMatch(/since Mar 17(, 2027)?: Is flying to Denver$/);
  expect(screen.getAllByText(/^No longer so since/)).toHaveLength(1);
  expect(screen.getByText("Walt is flying to Denver.")).toBeTruthy();
});
