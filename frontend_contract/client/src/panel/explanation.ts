/** Why a memory is there, in the sentences that `keepsake explain` has: questions and answers. */
import { statusOf } from "../react";
import type { Memory, MemoryChange, MemoryDetails, Operation } from "../react";
import { formatMoment } from "./dates";
import type { Strings } from "./strings/en";

const MODEL = /^model (.+), prompt \S+$/;
const RULE = /^(\w+) \d+ \(/;
const EXTRACTED: Record<string, "rule" | "model"> = { rule_extraction: "rule", llm_extraction: "model" };
const SENSITIVE_PERCENT = 40;
const DAYS_UNTIL_ERASED = 30;

type Values = Record<string, string | number | undefined>;

export interface Answer {
  question: string;
  answer: string;
}

/** The answers: where it is from, why it was kept, what changed it, whether it counts, how sure that is, what you can do. */
export function explain(memory: Memory, details: MemoryDetails, { explanation, locale }: Strings): Answer[] {
  const tell = (section: Record<string, string>, name: string, values: Values = {}): string =>
    (section[name] ?? "").replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ""));
  const at = (moment: string | null): string => (moment ? formatMoment(moment, locale) : "");
  const name = ({ text_after, ref }: MemoryChange): string => (text_after ? `${quoted(text_after, locale)} (${ref})` : ref);
  const { questions, where, kept, subjects, changed, recognized, counts, sure, can } = explanation;

  const first = details.operations.at(-1);
  const stored = first && changeOf(first, memory);
  const isStored = stored?.action === "insert";
  const source = sourceOf(memory, isStored ? first : undefined);
  const percent = Math.round(memory.confidence_score * 100);
  const state = memory.doubted_at && statusOf(memory) === "active" ? "doubted" : statusOf(memory);
  const end = memory.valid_to ?? memory.expires_at;

  const origin = (): string => {
    const values = { stored: at(isStored && first ? first.happened_at : memory.created_at) };
    if (source === "import") {
      const file = first?.reasons.find((reason) => reason.startsWith("import of "))?.slice("import of ".length);
      const row = tell(where, "row", { words: stored?.text_after ?? memory.memory_text });
      return `${tell(where, file ? "import" : "unnamed_import", { ...values, file })} ${row}`;
    }
    if (source !== "asked" && !EXTRACTED[source]) return tell(where, source, values);
    const told = details.message ? (source === "asked" ? "asked" : "chat") : memory.source_quote ? "quoted" : "gone";
    const words = details.message?.content ?? memory.source_quote ?? "";
    return tell(where, told, { ...values, said: at(details.message?.created_at ?? null), words: wordsOf(words) });
  };

  const reason = (): string[] => {
    if (!isStored || !first) return [tell(kept, "unknown")];
    if (source !== "asked" && !EXTRACTED[source]) return [tell(kept, source)];
    const older = details.replaced[0];
    const replaces = older && tell(kept, "replaces", { memory: `${quoted(older.memory_text, locale)} (M-${older.memory_no})` });
    return [source === "asked" ? tell(kept, "asked") : mechanism(kept, stored.why), replaces ?? ""];
  };

  const mechanism = (section: Record<string, string>, why: string | null): string => {
    const table = RULE.exec(why ?? "")?.[1];
    if (table) return section === kept ? tell(kept, "rule", { subject: (subjects as Record<string, string>)[table] }) : "";
    const model = MODEL.exec(why ?? "")?.[1];
    return model ? tell(section, "model", { model }) : tell(section, why ?? "");
  };

  const change = (operation: Operation): string[] => {
    const made = changeOf(operation, memory);
    const date = at(operation.happened_at);
    if (!made || made.action !== "update") return [];
    if (operation.reasons[0]?.startsWith("undo of ")) return [tell(changed, "undone_otherwise", { date })];
    if (operation === details.ending?.operation) return ending(operation, made, date);
    if (operation.actor !== "user") return [];
    if (made.text_before !== made.text_after)
      return [tell(changed, "edited", { date, before: made.text_before ?? "", after: made.text_after ?? "" })];
    if (operation.reasons.includes("confirm")) return [tell(changed, "confirmed", { date })];
    return made.status_before !== made.status_after && made.status_after === "active" ? [tell(changed, "restored", { date })] : [];
  };

  const ending = (operation: Operation, made: MemoryChange, date: string): string[] => {
    const message = details.ending?.message;
    const said = message && tell(changed, "message", { said: at(message.created_at), words: wordsOf(message.content) });
    const newer = operation.memories.find((each) => each.action === "insert" && each.text_after);
    if (memory.status === "superseded") {
      const other = newer && tell(changed, "took_its_place", { memory: name(newer) });
      if (said) return [said, ...(other ? [other] : [mechanism(recognized, made.why), tell(changed, "ended")])];
      return operation.actor === "user" ? [tell(changed, "ended_by_person", { date })] : other ? [other] : [];
    }
    if (memory.status !== "active") return [tell(changed, memory.status === "deleted" && said ? "forgotten" : memory.status, { date })];
    return said ? [said, mechanism(recognized, made.why), tell(changed, "doubted")] : [tell(changed, "doubted_otherwise", { date })];
  };

  const standing = (): string[] => {
    const erased = memory.deleted_at && new Date(Date.parse(memory.deleted_at) + DAYS_UNTIL_ERASED * 86_400_000).toISOString();
    const values = { since: at(memory.valid_from), until: at(end), doubted: at(memory.doubted_at), erased: at(erased) };
    const isFeeling = memory.memory_type === "emotion" && (state === "active" || state === "expired");
    const isLate = state === "expired" && memory.expires_at !== null && memory.expires_at <= memory.created_at;
    return [
      tell(counts, state === "active" && end ? "until" : state, values),
      isFeeling ? tell(counts, "feeling") : "",
      isLate ? tell(counts, "late", { stored: at(memory.created_at) }) : "",
    ];
  };

  const certainty = percent === 100 ? "own" : percent === SENSITIVE_PERCENT ? "sensitive" : (EXTRACTED[source] ?? "other");
  const changes = details.operations.slice(0, isStored ? -1 : undefined).reverse().flatMap(change);
  const answers: [keyof typeof questions, string[]][] = [
    ["where", [origin()]],
    ["kept", reason()],
    ["changed", changes],
    ["counts", standing()],
    ["sure", [tell(sure, certainty, { percent })]],
    ["can", [tell(can, state in can ? state : "over")]],
  ];
  return answers
    .map(([name, sentences]) => ({ question: questions[name], answer: sentences.filter(Boolean).join(" ") }))
    .filter(({ answer }) => answer);
}

/** The way in which the memory came about; "asked" where you asked in a chat to remember it. */
function sourceOf(memory: Memory, first: Operation | undefined): string {
  if (first?.reasons.some((reason) => reason.startsWith("import"))) return "import";
  if (first?.actor === "rules") return "rule_extraction";
  if (first?.actor === "llm") return "llm_extraction";
  if (memory.source !== "user") return memory.source;
  if (!first && memory.confidence_score === 1 && !memory.source_quote) return "user";
  return memory.source_message_id ? "asked" : "application";
}

function changeOf(operation: Operation, memory: Memory): MemoryChange | undefined {
  return operation.memories.find((each) => each.memory_id === memory.id);
}

/** The words of a message without the last full stop: they stand inside of a sentence. */
function wordsOf(text: string): string {
  return text.trim().replace(/\.$/, "");
}

function quoted(text: string, locale: string): string {
  return locale === "de" ? `„${text}“` : `“${text}”`;
}
