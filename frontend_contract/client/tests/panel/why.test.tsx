/** "Why do I see this?" says where one memory is from, and by which words it ended. @vitest-environment jsdom */
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { afterEach, expect, it } from "vitest";
import { MemoryDetails } from "../../src/panel/MemoryDetails";
import type { Memory } from "../../src/react";
import { memoryRow, show } from "../support/panel";

const STORED = "2030-03-01T10:00:00Z";
const ENDED = "2030-04-02T10:00:00Z";

afterEach(cleanup);

interface Given {
  memory: Record<string, unknown>;
  change: Record<string, unknown>;
  actor?: string;
  others?: Record<string, unknown>[];
  said?: string;
  reasons?: string[];
  locale?: string;
  isImport?: boolean;
}

/** The sentences about a memory that rules found, and to which one more thing was done. */
async function reasons({ memory, change, actor = "rules", others = [], said, reasons = [], locale, isImport = false }: Given): Promise<string> {
  const shown: Record<string, unknown> = { ...memoryRow(1, "Lives in Graz"), source: "rule_extraction", source_message_id: "said-first", ...memory };
  const made = { memory_id: shown.id, ref: "M-1", action: "insert", why: "statement_kinds 1 (home)", text_after: "Lives in Graz" };
  const changed = { memory_id: shown.id, ref: "M-1", action: "update", status_before: "active", text_before: "Lives in Graz", ...change };
  const operations = [
    { operation_id: "b", happened_at: ENDED, actor, reasons, undone_at: null, memories: [changed, ...others] },
    { operation_id: "a", happened_at: STORED, actor: "rules", reasons: [], undone_at: null, memories: [made] },
  ];
  await show(<MemoryDetails memory={shown as unknown as Memory} conversation={null} />, {
    "POST memory_operations": () => ({ body: isImport ? operations.slice(0, 1) : operations }),
    "POST source_message": () => ({ body: [{ id: "said-later", content: said ?? "I live in Graz.", created_at: ENDED }] }),
  }, locale);
  const summary = await screen.findByText(/Why do I see this\?|Warum sehe ich das\?/);
  return summary.parentElement!.textContent!;
}

it("names the words by which a memory ended, and what took its place", async () => {
  const text = await reasons({
    memory: { status: "superseded" },
    change: { status_after: "superseded", message_id: "said-later", why: "statement_kinds 2 (home)" },
    others: [{ memory_id: "newer", ref: "M-2", action: "insert", text_after: "Lives in Linz" }],
    said: "I moved to Linz.",
  });
  expect(text).toContain("A built-in rule, not a language model, recognized your sentence as one about your home.");
  expect(text).toMatch(/On .*Apr 2.* you wrote: “I moved to Linz”\. So “Lives in Linz” \(M-2\) took its place\. A built-in rule decided this\./);
  expect(text).toContain("now it is history: kept, but no longer shown to the assistant");
  expect(text).not.toContain("How sure");
});

it("says the same in German", async () => {
  const text = await reasons({ memory: {}, change: { status_after: "active" }, locale: "de" });
  expect(text).toMatch(/Du hast am .* in einem Chat geschrieben: „I live in Graz“\./);
  expect(text).toContain("als einen über dein Zuhause erkannt");
  expect(text).toContain("Wie sicher ist Keepsake? Ganz, denn ");
});

it("names the file of an import, and what stood there", async () => {
  const text = await reasons({
    memory: { source: "import", source_message_id: null },
    change: { action: "insert", text_after: "Lives in Graz" },
    actor: "user",
    reasons: ["import of old.csv"],
    isImport: true,
  });
  expect(text).toMatch(/It was in a file that you imported on .*: old\.csv\. The file said: “Lives in Graz”\./);
});

it("names the words that cast doubt", async () => {
  const text = await reasons({
    memory: { doubted_at: ENDED },
    change: { status_after: "active", is_doubted: true, message_id: "said-later" },
    said: "moved again lol",
  });
  expect(text).toMatch(/you wrote: “moved again lol”\. So this may no longer be true\. You did not say what is true instead/);
  expect(text).toContain("the assistant is shown it only when your message is about it");
});

it("says of an edited memory where it was from, and that you changed it", async () => {
  const text = await reasons({
    memory: { source: "user", source_quote: null },
    change: { status_after: "active", text_after: "Lives in Graz, near the river" },
    actor: "user",
  });
  expect(text).toContain("You wrote in a chat on");
  expect(text).toMatch(/On .*Apr 2.* you changed its text yourself, from “Lives in Graz” to “Lives in Graz, near the river”\./);
  expect(text).toMatch(/Yes\. In this form it has counted since .*Apr 2.*Fully, because you wrote this text yourself\./);
});

it("says that you ended it yourself", async () => {
  const text = await reasons({ memory: { status: "superseded" }, change: { status_after: "superseded" }, actor: "user" });
  expect(text).toMatch(/On .*Apr 2.* you said that it is no longer so\./);
});

function ChangingMemory(): ReactNode {
  const [memory, setMemory] = useState(memoryRow(1));
  return (
    <>
      <MemoryDetails memory={memory as unknown as Memory} conversation={null} />
      <button onClick={() => setMemory((before) => ({ ...before, updated_at: ENDED }))}>Change</button>
    </>
  );
}

it("stays, with all below it, while a changed memory is read anew", async () => {
  let answer = (): void => undefined;
  let reads = 0;
  await show(<ChangingMemory />, {
    "POST memory_operations": async () => {
      if (++reads > 1) await new Promise<void>((resolve) => (answer = resolve));
      return { body: [] };
    },
  });
  await screen.findByText("Why do I see this?");
  fireEvent.click(screen.getByText("Change"));
  await waitFor(() => expect(reads).toBe(2));
  expect(screen.queryByText("Why do I see this?")).not.toBeNull();
  answer();
});
