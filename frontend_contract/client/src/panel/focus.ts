/** Where the focus goes when what has it disappears. */

/** Move the focus off a row that is about to go: to the row beside it, or to the tab's content where it is the only one. */
export function leaveRow(element: Element): void {
  const row = element.closest("li, article");
  const neighbor = row?.nextElementSibling ?? row?.previousElementSibling;
  const target = neighbor?.querySelector<HTMLElement>("button, input") ?? contentAround(element);
  target?.focus();
}

/** The content of the tab that an element is in; it can have the focus and stays when its rows go. */
export function contentAround(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>("[role=tabpanel]");
}
