/** "Why do I see this?" says where one memory is from, and by which words it ended. @vitest-environment jsdom */
import { cleanup, screen } from "@testing-library/react";
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
}

/** The sentences about a memory that rules found, and to which one more thing was done. */
async function reasons({ memory, change, actor = "rules", others = [], said }: Given): Promise<string> {
  const shown: Record<string, unknown> = { ...memoryRow(1, "Lives in Graz"), source: "rule_extraction", source_message_id: "said-first", ...memory };
  const made = { memory_id: shown.id, ref: "M-1", action: "insert", why: "home_and_work 1 (home)", text_after: "Lives in Graz" };
  const changed = { memory_id: shown.id, ref: "M-1", action: "update", status_before: "active", text_before: "Lives in Graz", ...change };
  const operations = [
    { operation_id: "b", happened_at: ENDED, actor, reasons: [], undone_at: null, memories: [changed, ...others] },
    { operation_id: "a", happened_at: STORED, actor: "rules", reasons: [], undone_at: null, memories: [made] },
  ];
  await show(<MemoryDetails memory={shown as unknown as Memory} conversation={null} />, {
    "POST memory_operations": () => ({ body: operations }),
    "GET messages": () => ({ body: [{ id: "said-later", content: said ?? "", created_at: ENDED }] }),
  });
  const summary = await screen.findByText("Why do I see this?");
  return summary.nextElementSibling!.textContent!;
}

it("names the words by which a memory ended, and what took its place", async () => {
  const text = await reasons({
    memory: { status: "superseded" },
    change: { status_after: "superseded", message_id: "said-later" },
    others: [{ memory_id: "newer", ref: "M-2", action: "insert", text_after: "Lives in Linz" }],
    said: "I moved to Linz.",
  });
  expect(text).toMatch(/^You said it in a chat; the words above are yours\. A fixed rule recognized it/);
  expect(text).toMatch(/It is no longer so since .*Apr 2.*, because you said “I moved to Linz”\. “Lives in Linz” \(M-2\) took its place\./);
});

it("names the words that cast doubt", async () => {
  const text = await reasons({
    memory: { doubted_at: ENDED },
    change: { status_after: "active", is_doubted: true, message_id: "said-later" },
    said: "moved again lol",
  });
  expect(text).toMatch(/Since .*Apr 2.* it may no longer be so, because you said “moved again lol”\./);
});

it("says of an edited memory where it was from, and that you changed it", async () => {
  const text = await reasons({
    memory: { source: "user", source_quote: null },
    change: { status_after: "active", text_after: "Lives in Graz, near the river" },
    actor: "user",
  });
  expect(text).toMatch(/^You said it in a chat\. A fixed rule recognized it .* You changed its text on .*Apr 2/);
  expect(text).not.toContain("wrote or confirmed");
});

it("says that you ended it yourself", async () => {
  const text = await reasons({ memory: { status: "superseded" }, change: { status_after: "superseded" }, actor: "user" });
  expect(text).toMatch(/no longer so since .*, because you said so on this page\./);
});
