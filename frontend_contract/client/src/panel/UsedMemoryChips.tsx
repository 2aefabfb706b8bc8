/** Chips under an answer: how the memories begin that it was given, and the names of its summaries; a chip shows all of its
 * text, and opens the panel at its memory or at the summaries. */
import { useId, useState, type ReactNode } from "react";
import { useMemoriesById, useSummaries, type Summaries } from "../react";
import { formatMoment, formatRange } from "./dates";
import { nameOfPeriod } from "./levels";
import type { Strings } from "./strings/en";
import { Tooltip } from "./Tooltip";
import { useMemoryUi } from "./ui";

/** In characters: how much of a memory stands in its chip. */
const MAX_LENGTH = 36;

export interface UsedMemoryChipsProps {
  /** `memory_ids` of `inject-memory`, or of `messages.meta`. */
  memoryIds: readonly string[];
  /** `summary_ids` of the same. */
  summaryIds?: readonly string[];
  /** Chips before "+3 more"; default 3. */
  maxChips?: number;
  theme?: "auto" | "light" | "dark";
}

export function UsedMemoryChips(props: UsedMemoryChipsProps): ReactNode {
  const { memoryIds, summaryIds = [], maxChips = 3, theme = "auto" } = props;
  const { strings, openMemory, openSummaries } = useMemoryUi();
  const { chips: texts } = strings;
  const memories = useMemoriesById(memoryIds);
  const { summaries } = useSummaries({ enabled: summaryIds.length > 0 });
  const [areAllShown, setAreAllShown] = useState(false);
  const chips = [
    ...memories.map(({ id, memory_text: text, memory_type: type }) => {
      const name = beginningOf(text);
      return { id, text, type, name, label: texts.open(name, strings.typeOne[type]), open: () => openMemory(id) };
    }),
    ...(summaries ? summaryIds.flatMap((id) => nameOf(summaries, id, strings) ?? []) : []).map((summary) => {
      return { ...summary, type: "summary", label: texts.openSummary(summary.name), open: openSummaries };
    }),
  ];
  if (!chips.length) return null;
  const shown = areAllShown || chips.length <= maxChips + 1 ? chips : chips.slice(0, maxChips);
  const hidden = chips.length - shown.length;
  return (
    <div className="ks-root ks-chips" data-theme={theme} role="group" aria-label={texts.label}>
      <span className="ks-chips-label">{texts.used}</span>
      {shown.map((chip) => (
        <UsedChip key={chip.id} chip={chip} theme={theme} />
      ))}
      {hidden > 0 && (
        <button type="button" className="ks-chip" data-more onClick={() => setAreAllShown(true)}>
          {texts.more(hidden)}
        </button>
      )}
    </div>
  );
}

interface Chip {
  name: string;
  text: string;
  type: string;
  label: string;
  open: () => void;
}

function UsedChip({ chip, theme }: { chip: Chip; theme: string }): ReactNode {
  const id = useId();
  return (
    <Tooltip id={id} text={chip.text} theme={theme} side="top">
      <button type="button" className="ks-chip" data-type={chip.type} aria-label={chip.label} aria-describedby={id} onClick={chip.open}>
        {chip.name}
      </button>
    </Tooltip>
  );
}

/** What a summary is called, and its text; undefined for one that was forgotten since, or is too old for the archive. */
function nameOf(summaries: Summaries, id: string, strings: Strings): { id: string; name: string; text: string } | undefined {
  const { summaries: texts, locale } = strings;
  const { spine, history } = summaries;
  const find = <Row extends { id: string }>(rows: Row[]) => rows.find((row) => row.id === id);
  const [session, state] = [find(summaries.sessions), find(summaries.states)];
  const period = nameOfPeriod(summaries, id, locale);
  if (period) return { id, ...period };
  if (session) return { id, name: formatMoment(session.ended_at, locale), text: session.one_liner };
  if (state) return { id, name: texts.recent, text: state.rolling_summary };
  if (history?.id === id) return { id, name: formatRange(history.start_date, history.end_date, locale), text: history.summary };
  if (spine?.id === id) return { id, name: texts.spine, text: Object.values(spine.content).flat().map((item) => item.text).join("; ") };
  return undefined;
}

/** A text that is short enough, or its first words and an ellipsis; of a long word its first characters. */
function beginningOf(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_LENGTH) return text;
  const start = characters.slice(0, MAX_LENGTH).join("");
  const end = start.lastIndexOf(" ");
  return `${end > MAX_LENGTH / 2 ? start.slice(0, end) : start}…`;
}
