/** What a person reads after a change: which memory it was, and nothing that no longer holds. @vitest-environment jsdom */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { MemoryPanel, MemorySavedToast } from "../../src/panel";
import { memoryRow, show } from "../support/panel";

const OVERVIEW = { active: 7, total: 7, pinned: 0, by_status: {}, by_type: { fact: 7 }, settings: { enabled: true, building: true } };
const DOUBTED = Array.from({ length: 7 }, (_, index) => ({
  ...memoryRow(index + 1, `Drives car ${index + 1}`),
  doubted_at: "2030-01-01T00:00:00Z",
}));

afterEach(cleanup);

it("names the memory that was confirmed, not its number alone", async () => {
  await show(<MemoryPanel />, {
    "POST memory_overview": () => ({ body: OVERVIEW }),
    "GET user_memory": () => ({ body: DOUBTED }),
    "POST confirm_memory": () => ({ body: { operation_id: "operation-1", affected: 1 } }),
  });
  const [question] = await screen.findAllByRole("button", { name: "Still true" });
  fireEvent.click(question as HTMLElement);
  const title = await screen.findByText("M-1 is confirmed.");
  expect(title.parentElement?.textContent).toContain("Drives car 1");
});

it("counts every doubted memory, and asks about five at a time", async () => {
  await show(<MemoryPanel />, {
    "POST memory_overview": () => ({ body: OVERVIEW }),
    "GET user_memory": () => ({ body: DOUBTED }),
  });
  await screen.findByText("7 memories may no longer be true");
  expect(screen.getAllByRole("button", { name: "Still true" })).toHaveLength(5);
});

it("names the memory that is about to be erased", async () => {
  await show(<MemoryPanel />, {
    "POST memory_overview": () => ({ body: OVERVIEW }),
    "GET user_memory": () => ({ body: [memoryRow(3, "Has a dog named Rex")] }),
  });
  fireEvent.click(await screen.findByRole("button", { name: /^Has a dog/ }));
  fireEvent.click(await screen.findByRole("button", { name: "Erase for good…" }));
  expect((await screen.findByRole("alertdialog")).textContent).toContain("“Has a dog named Rex” (M-3)");
});

it.each(["deleted", "superseded", null])("takes “This was saved” away once the memory is %s", async (status) => {
  const rows: Record<string, unknown>[] = [memoryRow(1, "Lives in Porto")];
  await show(
    <>
      <MemoryPanel />
      <MemorySavedToast messageId="message-1" />
    </>,
    {
      "POST memory_overview": () => ({ body: OVERVIEW }),
      "GET user_memory": () => ({ body: [...rows] }),
      "POST forget_memory": () => {
        rows.pop();
        if (status) rows.push({ ...memoryRow(1, "Lives in Porto"), status });
        return { body: { operation_id: "operation-1", affected: 1 } };
      },
    },
  );
  await screen.findByText("This was saved");
  fireEvent.click(await screen.findByRole("button", { name: /^Lives in Porto/ }));
  fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await screen.findByText("M-1 was deleted.");
  await waitFor(() => expect(screen.queryByText("This was saved")).toBeNull());
});
