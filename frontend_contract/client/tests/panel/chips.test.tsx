/** The chips under an answer name the memories that it was given. @vitest-environment jsdom */
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { UsedMemoryChips } from "../../src/panel";
import { memoryRow, show } from "../support/panel";

const LONG = "Promised to bring the blue bicycle of a neighbor back before the end of the month";

afterEach(cleanup);

async function chipOf(text: string): Promise<HTMLElement> {
  const row = memoryRow(1, text);
  await show(<UsedMemoryChips memoryIds={[row["id"] as string]} />, { "GET user_memory": () => ({ body: [row] }) });
  return screen.findByRole("button", { name: /in the memory panel$/ });
}

it("shows a short memory as it is, and names its type as well", async () => {
  const chip = await chipOf("Lives in Lisbon");
  expect(chip.textContent).toBe("Lives in Lisbon");
  expect(chip.getAttribute("aria-label")).toBe("Open “Lives in Lisbon” (fact) in the memory panel");
});

it("shows how a long memory begins, and all of it as its description", async () => {
  const chip = await chipOf(LONG);
  expect(chip.textContent).toBe("Promised to bring the blue bicycle…");
  expect(chip.getAttribute("aria-label")).toContain("“Promised to bring the blue bicycle…”");
  expect(document.getElementById(chip.getAttribute("aria-describedby") ?? "")?.textContent).toBe(LONG);
});

it("names the summaries as well, and opens the panel at the summaries", async () => {
  const week = {
    id: "00000000-0000-4000-8000-0000000000aa",
    year: 2027,
    week_number: 10,
    week_start_date: "2027-03-08",
    week_end_date: "2027-03-14",
    summary: "Gene had a stroke.",
  };
  await show(<UsedMemoryChips memoryIds={[]} summaryIds={[week.id, "00000000-0000-4000-8000-0000000000bb"]} />, {
    "GET user_memory_weekly_summaries": () => ({ body: [week] }),
  });
  const chip = await screen.findByRole("button");
  expect(chip.textContent).toMatch(/^Mar 8\s–\s14$/);
  expect(chip.getAttribute("aria-label")).toBe(`Open the summaries in the memory panel: ${chip.textContent}`);
  expect(document.getElementById(chip.getAttribute("aria-describedby") ?? "")?.textContent).toBe(week.summary);
});

it.each(["記".repeat(90), "😀".repeat(90)])("cuts a text without spaces between its characters", async (text) => {
  const chip = await chipOf(text);
  expect(chip.textContent).toBe(`${text.slice(0, 36 * ([...text][0]?.length ?? 1))}…`);
});
