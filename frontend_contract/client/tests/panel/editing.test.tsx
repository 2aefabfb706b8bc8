/** Editing in the memory panel: what a person has typed is never lost. @vitest-environment jsdom */
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { MemoryPanel } from "../../src/panel";
import { memoryRow, show, type Script } from "../support/panel";

const REFUSED = { status: 400, body: { code: "23514", message: "refused" } };
const OVERVIEW = { active: 1, total: 1, pinned: 0, by_status: {}, by_type: { fact: 1 }, settings: { enabled: true, building: true } };
const TODO = {
  id: "todo-1",
  todo_text: "Call Ada",
  kind: "commitment",
  status: "open",
  due_date: null,
  opened_at: "2030-01-01T00:00:00Z",
  closed_at: null,
};
const ENTITY = { id: "entity-1", key: "person:ada", label: "Ada", kind: "person", aliases: [] };

interface Row {
  tab: string;
  opener: string | RegExp;
  field: string | RegExp;
  request: string;
  script: (server: Server) => Script;
}

/** What the server holds, and whether it refuses changes. */
interface Server {
  isRefusing: boolean;
  text: string;
}

const saved = (server: Server, column: string) => (body: unknown) => {
  if (server.isRefusing) return REFUSED;
  server.text = (body as Record<string, string>)[column] ?? server.text;
  return { body: [{ id: "x" }] };
};

const ROWS: Row[] = [
  {
    tab: "Memories",
    opener: /^Memory|^Edited/,
    field: /^Text of M-/,
    request: "PATCH user_memory",
    script: (server) => ({
      "GET user_memory": () => ({ body: [memoryRow(1, server.text)] }),
      "PATCH user_memory": saved(server, "memory_text"),
    }),
  },
  {
    tab: "To-dos",
    opener: /^Edit: /,
    field: "Text of the to-do",
    request: "PATCH user_memory_todos",
    script: (server) => ({
      "GET user_memory_todos": () => ({ body: [{ ...TODO, todo_text: server.text }] }),
      "PATCH user_memory_todos": saved(server, "todo_text"),
    }),
  },
  {
    tab: "Names",
    opener: /^Rename: /,
    field: /^Name of /,
    request: "POST rename_entity",
    script: (server) => ({
      "GET user_memory_entities": () => ({ body: [{ ...ENTITY, label: server.text }] }),
      "POST rename_entity": saved(server, "label"),
    }),
  },
];

afterEach(cleanup);

async function openPanel(script: Script): Promise<string[]> {
  return show(<MemoryPanel />, { "POST memory_overview": () => ({ body: OVERVIEW }), ...script });
}

async function openTab(name: string): Promise<void> {
  fireEvent.mouseDown(await screen.findByRole("tab", { name }), { button: 0 });
}

async function startEditing({ opener }: Row): Promise<void> {
  const button = await screen.findByRole("button", { name: opener });
  press(button);
  const edit = screen.queryByRole("button", { name: "Edit" });
  if (edit) press(edit);
}

/** Click a button, which has the focus then. */
function press(button: HTMLElement): void {
  button.focus();
  fireEvent.click(button);
}

it.each(ROWS)("$tab: keeps the text and says why where it is not saved, and saves it later", async (row) => {
  const server = { isRefusing: true, text: "Memory" };
  await openPanel(row.script(server));
  await openTab(row.tab);
  await startEditing(row);
  fireEvent.change(screen.getByLabelText(row.field), { target: { value: "Edited by hand" } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("not accepted");
  expect(alert.closest("form")).not.toBeNull();
  await waitFor(() => expect(screen.getByLabelText(row.field)).toHaveProperty("value", "Edited by hand"));
  server.isRefusing = false;
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByLabelText(row.field)).toBeNull());
  expect(server.text).toBe("Edited by hand");
  expect(screen.queryByRole("alert")).toBeNull();
});

it.each(ROWS)("$tab: gives the focus back after Save and after Cancel", async (row) => {
  await openPanel(row.script({ isRefusing: false, text: "Memory" }));
  await openTab(row.tab);
  for (const button of ["Save", "Cancel"]) {
    await startEditing(row);
    const field = screen.getByLabelText<HTMLInputElement>(row.field);
    expect(document.activeElement).toBe(field);
    fireEvent.change(field, { target: { value: "Edited by hand" } });
    press(screen.getByRole("button", { name: button }));
    await waitFor(() => expect(screen.queryByLabelText(row.field)).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole("button", { name: row.opener }));
    if (row.tab === "Memories") fireEvent.click(screen.getByRole("button", { name: row.opener })); // close it
  }
});

it.each(ROWS)("$tab: leaves the keys of an input method to it", async (row) => {
  const requests = await openPanel(row.script({ isRefusing: false, text: "Memory" }));
  await openTab(row.tab);
  await startEditing(row);
  const field = screen.getByLabelText(row.field);
  fireEvent.change(field, { target: { value: "東京" } });
  for (const key of ["Enter", "Escape"]) {
    fireEvent.keyDown(field, { key, isComposing: true });
    fireEvent.keyDown(field, { key, keyCode: 229 });
  }
  expect(screen.getByLabelText(row.field)).toHaveProperty("value", "東京");
  expect(requests).not.toContain(row.request);
});

it("offers no other change of a memory while its text is edited", async () => {
  const [row] = ROWS as [Row];
  await openPanel(row.script({ isRefusing: false, text: "Memory" }));
  await startEditing(row);
  for (const name of ["Edit", "Pin", "Delete", "Erase for good"]) expect(screen.queryByRole("button", { name })).toBeNull();
  press(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByRole("button", { name: "Delete" })).toBeTruthy();
});

it("keeps a text while the person looks at another tab", async () => {
  const [row] = ROWS as [Row];
  await openPanel(row.script({ isRefusing: false, text: "Memory" }));
  await startEditing(row);
  fireEvent.change(screen.getByLabelText(row.field), { target: { value: "Half a sen" } });
  await openTab("Names");
  await waitFor(() => expect(screen.queryByLabelText(row.field)).toBeNull());
  await openTab("Memories");
  expect(await screen.findByLabelText(row.field)).toHaveProperty("value", "Half a sen");
});

it("draws no row anew, while one types in it, because a memory was added in front", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => memoryRow(30 - index));
  await openPanel({ "GET user_memory": () => ({ body: rows }) });
  // The last row of the first block.
  fireEvent.click(await screen.findByText("Memory number 11"));
  press(screen.getByRole("button", { name: "Edit" }));
  const field = screen.getByLabelText("Text of M-11");
  fireEvent.change(field, { target: { value: "Half a sen" } });
  rows.unshift(memoryRow(31));
  await screen.findByText("Memory number 31");
  expect(screen.getByLabelText("Text of M-11")).toBe(field);
  expect(document.activeElement).toBe(field);
  expect(field).toHaveProperty("value", "Half a sen");
});

it("moves the focus to the tab's content when its only row goes", async () => {
  const rows = [memoryRow(1)];
  await openPanel({
    "GET user_memory": () => ({ body: rows }),
    "POST forget_memory": () => ({ body: { operation_id: null, affected: rows.splice(0).length } }),
  });
  fireEvent.click(await screen.findByText("Memory number 1"));
  press(screen.getByRole("button", { name: "Delete" }));
  await screen.findByText("Nothing is remembered yet.");
  expect(document.activeElement).toBe(screen.getByRole("tabpanel", { name: "Memories" }));
});

it("moves the focus to the group beside when the only pinned row goes", async () => {
  const rows = [{ ...memoryRow(2), pinned: true }, memoryRow(3), memoryRow(1)];
  await openPanel({
    "GET user_memory": () => ({ body: rows }),
    "POST forget_memory": () => ({ body: { operation_id: null, affected: rows.splice(0, 1).length } }),
  });
  fireEvent.click(within(await screen.findByRole("region", { name: "Pinned" })).getByText("Memory number 2"));
  press(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByText("Memory number 2")).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /^Memory number 3/ }));
});

it("moves the focus to the next row when one goes that came while the panel was open", async () => {
  const rows = [memoryRow(1)];
  await openPanel({
    "GET user_memory": () => ({ body: rows }),
    "POST forget_memory": () => ({ body: { operation_id: null, affected: rows.splice(0, 1).length } }),
  });
  await screen.findByText("Memory number 1");
  rows.unshift(memoryRow(2));
  fireEvent.click(await screen.findByText("Memory number 2"));
  press(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByText("Memory number 2")).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /^Memory number 1/ }));
});

it("shows a change, while it is on its way, whatever else has changed meanwhile", async () => {
  const rows = [memoryRow(2), memoryRow(1)];
  let answer = (): void => undefined;
  const requests = await openPanel({
    "GET user_memory": () => ({ body: rows }),
    "PATCH user_memory": async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      rows[1] = { ...rows[1], pinned: true };
      return { body: [{ id: rows[1]?.id }] };
    },
  });
  fireEvent.click(await screen.findByText("Memory number 1"));
  press(screen.getByRole("button", { name: "Pin" }));
  await waitFor(() => expect(requests).toContain("PATCH user_memory"));
  rows[0] = { ...rows[0], updated_at: "2031-01-01T00:00:00Z" };
  const polls = () => requests.filter((each) => each === "GET user_memory").length;
  const before = polls();
  await waitFor(() => expect(polls()).toBeGreaterThan(before + 3));
  expect(screen.getByRole("region", { name: "Pinned" })).toBeDefined();
  answer();
  await screen.findByText("M-1 is pinned.");
  expect(screen.getByRole("region", { name: "Pinned" })).toBeDefined();
});

it("sends the changes of a memory one after another, so that the last one can be undone", async () => {
  const row = memoryRow(1);
  const committed: string[] = [];
  let answer = (): void => undefined;
  const commit = (operation: string, values: Record<string, unknown>) => {
    committed.push(operation);
    Object.assign(row, values);
    return { body: { operation_id: operation, affected: 1 } };
  };
  const requests = await openPanel({
    "GET user_memory": () => ({ body: [memoryRow(2), row].filter(({ status }) => status === "active") }),
    "PATCH user_memory": async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      commit("pin", { pinned: true });
      return { body: [{ id: row.id }] };
    },
    "POST memory_operations": () => ({ body: [{ operation_id: committed.at(-1) }] }),
    "POST forget_memory": () => commit("forget", { status: "deleted" }),
    "POST undo_operation": (body) =>
      (body as { operation_id: string }).operation_id === committed.at(-1)
        ? commit("undo", { status: "active" })
        : { status: 409, body: { code: "PT409", message: "changed since" } },
  });
  fireEvent.click(await screen.findByText("Memory number 1"));
  press(screen.getByRole("button", { name: "Pin" }));
  await screen.findByRole("region", { name: "Pinned" });
  await waitFor(() => expect(requests).toContain("PATCH user_memory"));
  press(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Pinned" })).toBeNull());
  const polls = () => requests.filter((each) => each === "GET user_memory").length;
  const before = polls();
  await waitFor(() => expect(polls()).toBeGreaterThan(before + 3));
  answer();
  const toast = (await screen.findByText("M-1 was deleted.")).closest("li") as HTMLElement;
  press(within(toast).getByRole("button", { name: "Undo" }));
  await screen.findByRole("region", { name: "Pinned" });
  expect(committed).toEqual(["pin", "forget", "undo"]);
});

it("keeps a to-do's text where it cannot be dropped", async () => {
  const [, row] = ROWS as [Row, Row];
  await openPanel(row.script({ isRefusing: true, text: "Call Ada" }));
  await openTab("To-dos");
  await startEditing(row);
  fireEvent.change(screen.getByLabelText(row.field), { target: { value: "Call Ada tomorrow" } });
  fireEvent.click(screen.getByRole("button", { name: "No longer wanted" }));
  await waitFor(() => expect(within(screen.getByRole("region", { name: "Open" })).getByRole("alert")).toBeDefined());
  expect(screen.getByLabelText(row.field)).toHaveProperty("value", "Call Ada tomorrow");
});
