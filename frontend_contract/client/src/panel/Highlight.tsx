/** A text with the words of a search marked; always text, never markup. */
import { useMemo, type ReactNode } from "react";

const MIN_STEM = 4;

export function Highlight({ text, search }: { text: string; search: string }): ReactNode {
  const pattern = useMemo(() => buildPattern(search), [search]);
  if (!pattern) return text;
  return text.split(pattern).map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part));
}

/** Words are found by their stem, so their beginnings are marked to the end of the word. */
function buildPattern(search: string): RegExp | null {
  const words = search.split(/\s+/).filter((word) => !word.startsWith("-"));
  const stems = words
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ""))
    .filter(Boolean)
    .map((word) => (word.length > MIN_STEM + 1 ? word.slice(0, Math.max(MIN_STEM, word.length - 3)) : word));
  return stems.length ? new RegExp(`(?<![\\p{L}\\p{N}])((?:${stems.join("|")})[\\p{L}\\p{N}]*)`, "giu") : null;
}
