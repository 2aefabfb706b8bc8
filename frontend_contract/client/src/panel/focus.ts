/** Where the focus goes when what has it disappears. */

/** Move the focus off a row that is about to go: to the row beside it, to one of the group beside, or to the tab's content. */
export function leaveRow(element: Element): void {
  const row = element.closest("li, article");
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling ?? rowOfGroupBeside(row);
  const target = neighbor?.querySelector<HTMLElement>("button, input") ?? contentAround(element);
  target?.focus();
}

/** The first row of the next group of rows, or of the one before. */
function rowOfGroupBeside(row: Element | null | undefined): Element | null | undefined {
  const group = row?.closest(".ks-group");
  const groups = [group?.nextElementSibling, group?.previousElementSibling];
  return groups.find((each) => each?.matches(".ks-group"))?.querySelector("li");
}

/** The content of the tab that an element is in; it can have the focus and stays when its rows go. */
export function contentAround(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[role=tabpanel]");
}
