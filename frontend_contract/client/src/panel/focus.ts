/** Where the focus goes when what has it disappears. */

/** Move the focus off a row that is about to go: to the next row of its kind, to the one before, or to the tab's content.
 * Rows of one list stand in several groups and blocks, so those beside it need not have the same parent. */
export function leaveRow(element: Element): void {
  const content = contentAround(element);
  const row = element.closest("li, article");
  const all = [...(content?.querySelectorAll("li, article") ?? [])];
  const rows = all.filter((each) => each.className === row?.className);
  const index = rows.findIndex((each) => each === row);
  const neighbor = rows[index + 1] ?? rows[index - 1];
  const target = neighbor?.querySelector<HTMLElement>("button, input") ?? content;
  target?.focus();
}

/** The content of the tab that an element is in; it can have the focus and stays when its rows go. */
export function contentAround(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[role=tabpanel]");
}
