/** Who is asked about memory, and as what: new, or remembered already. @vitest-environment jsdom */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { MemoryOnboarding } from "../../src/panel";
import { memoryRow, show } from "../support/panel";

afterEach(cleanup);

/** Open the dialog of a person who is known or not, and paused or not; what is written of their settings. */
async function open(rows: Record<string, unknown>[], settings: { building?: boolean; onboarding_seen_at?: string } = {}) {
  const written: unknown[] = [];
  const overview = { settings: { enabled: true, building: true, onboarding_seen_at: null, ...settings } };
  const requests = await show(<MemoryOnboarding />, {
    "POST memory_overview": () => ({ body: overview }),
    "GET user_memory": () => ({ body: rows }),
    "POST user_memory_settings": (body) => {
      written.push(body);
      return { body: [{ user_id: "person-1" }] };
    },
  });
  return { requests, written };
}

it("asks somebody new, whose agreement turns memory on", async () => {
  const { written } = await open([]);
  await screen.findByRole("heading", { name: "I can remember" });
  fireEvent.click(screen.getByRole("button", { name: "All right" }));
  await waitFor(() => expect(written).toMatchObject([{ building: true, onboarding_seen_at: expect.any(String) }]));
});

it.each([true, false])("tells who is remembered already, and leaves their choice as it is (building: %s)", async (building) => {
  const { written } = await open([memoryRow(1)], { building });
  await screen.findByRole("heading", { name: "I remember you" });
  expect(screen.queryByText("Not now, pause memory")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "All right" }));
  await waitFor(() => expect(written).toHaveLength(1));
  expect(written[0]).not.toHaveProperty("building");
});

it("pauses the memory of who is remembered already, if they say so", async () => {
  const { written } = await open([memoryRow(1)]);
  fireEvent.click(await screen.findByRole("button", { name: "Pause memory" }));
  await waitFor(() => expect(written).toMatchObject([{ building: false }]));
});

it.each(["Escape", "Open the settings"])("takes no answer from %s", async (way) => {
  const { written } = await open([]);
  const dialog = await screen.findByRole("dialog");
  if (way === "Escape") fireEvent(dialog, new Event("cancel", { cancelable: true }));
  else fireEvent.click(screen.getByRole("button", { name: way }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(written).toEqual([]);
});

it("asks nobody twice", async () => {
  const { requests } = await open([], { onboarding_seen_at: "2030-01-01T00:00:00Z" });
  await waitFor(() => expect(requests).toContain("POST memory_overview"));
  expect(screen.queryByRole("dialog")).toBeNull();
});
