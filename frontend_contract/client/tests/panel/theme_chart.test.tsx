/** The chart of themes: the newest month is in sight, and two Octobers can be told apart. @vitest-environment jsdom */
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ThemeChart } from "../../src/panel/ThemeChart";
import type { Summaries } from "../../src/react";
import { show } from "../support/panel";

/** What jsdom, which lays out nothing, says is the chart's width. */
const WIDTH = 640;

const month = (year: number, number: number) => ({ year, month: number, key_themes: ["bakery"] });

function summaries(moods: object[]): Summaries {
  const months = [month(2026, 10), month(2026, 2), month(2025, 12), month(2025, 10)];
  return { weeks: [], months, moods } as unknown as Summaries;
}

beforeEach(() => void vi.spyOn(Element.prototype, "scrollWidth", "get").mockReturnValue(WIDTH));
afterEach(() => {
  vi.restoreAllMocks();
  cleanup();
});

it("names the year where one begins, and shows the end of the chart", async () => {
  await show(<ThemeChart summaries={summaries([])} />, {});
  const heads = (await screen.findAllByRole("columnheader")).map((head) => head.textContent);
  expect(heads.slice(1)).toEqual(["Oct2025", "Dec", "Feb2026", "Oct"]);
  expect(screen.getByRole("region", { name: "Themes, Moods" }).scrollLeft).toBe(WIDTH);
  expect(screen.queryByText("Moods", { exact: true })).toBeNull();
});

it("explains the color of moods where there are some", async () => {
  await show(<ThemeChart summaries={summaries([{ value: "calm", created_at: "2026-10-02T10:00:00Z" }])} />, {});
  expect((await screen.findByText(/^Themes *Moods$/)).className).toContain("ks-legend");
});
