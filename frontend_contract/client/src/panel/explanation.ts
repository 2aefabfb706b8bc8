/** Why a memory is there, in the sentences that `keepsake explain` has: questions and answers. */
import { statusOf } from "../react";
import type { Memory, MemoryChange, MemoryDetails, Operation } from "../react";
import { formatMoment } from "./dates";
import type { Strings } from "./strings/en";

const MODEL = /^model (.+), prompt \S+$/;
const RULE = /^(\w+) \d+ \((\w*)/;
const EXTRACTED = ["rule_extraction", "llm_extraction"];
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
    if (source !== "asked" && !EXTRACTED.includes(source)) return tell(where, source, values);
    const told = details.message ? (source === "asked" ? "asked" : "chat") : memory.source_quote ? "quoted" : "gone";
    const words = details.message?.content ?? memory.source_quote ?? "";
    return tell(where, told, { ...values, said: at(details.message?.created_at ?? null), words: wordsOf(words) });
  };

  const reason = (): string[] => {
    if (!isStored || !first) return [tell(kept, "unknown")];
    if (source !== "asked" && !EXTRACTED.includes(source)) return [tell(kept, source)];
    const older = details.replaced[0];
    const replaces = older && tell(kept, "replaces", { memory: `${quoted(older.memory_text, locale)} (M-${older.memory_no})` });
    return [source === "asked" ? tell(kept, "asked") : mechanism(stored.why), replaces ?? ""];
  };

  const named = (section: Record<string, string>, why: string | null): string => {
    const model = MODEL.exec(why ?? "")?.[1];
    return model ? tell(section, "model", { model }) : tell(section, why ?? "");
  };

  const mechanism = (why: string | null): string => {
    const [, table = "", key = ""] = RULE.exec(why ?? "") ?? [];
    const words: Record<string, string> = subjects;
    return table ? tell(kept, "rule", { subject: words[key] ?? words[table] }) : named(kept, why);
  };

  const decider = (why: string | null): string => named(recognized, why) || (why ? tell(recognized, "rule") : "");

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
      if (said) return [said, other || tell(changed, "ended"), decider(made.why)];
      return operation.actor === "user" ? [tell(changed, "ended_by_person", { date })] : other ? [other] : [];
    }
    if (memory.status !== "active") return [tell(changed, memory.status === "deleted" && said ? "forgotten" : memory.status, { date })];
    return said ? [said, tell(changed, "doubted"), decider(made.why)] : [tell(changed, "doubted_otherwise", { date })];
  };

  const updates = details.operations.slice(0, isStored ? -1 : undefined);

  const standing = (): string[] => {
    const returned = updates.find((operation) => hasReturned(changeOf(operation, memory)))?.happened_at ?? "";
    const since = Date.parse(returned) > Date.parse(memory.valid_from) ? returned : memory.valid_from;
    const erased = memory.deleted_at && new Date(Date.parse(memory.deleted_at) + DAYS_UNTIL_ERASED * 86_400_000).toISOString();
    const values = { since: at(since), until: at(end), stored: at(memory.created_at), erased: at(erased) };
    const isFeeling = memory.memory_type === "emotion" && (state === "active" || state === "expired");
    const isLate = state === "expired" && memory.expires_at !== null && memory.expires_at <= memory.created_at;
    return [
      tell(counts, state === "active" && end ? "until" : isLate ? "late" : state, values),
      isFeeling ? tell(counts, "feeling") : "",
    ];
  };

  const certainty = (): string[] => {
    if (state === "doubted") return [tell(sure, "doubted", { percent })];
    if (state !== "active") return [];
    if (percent === 100) {
      const made = updates.map((operation) => madeSure(operation, memory)).find(Boolean);
      return [tell(sure, made ?? (source === "asked" ? "asked" : "own"))];
    }
    const ofSource = EXTRACTED.includes(source) ? "read" : source in sure ? source : "other";
    return [tell(sure, percent === SENSITIVE_PERCENT ? "sensitive" : ofSource, { percent }), tell(sure, "use")];
  };

  const answers: [keyof typeof questions, string[]][] = [
    ["where", [origin()]],
    ["kept", reason()],
    ["changed", [...updates].reverse().flatMap(change)],
    ["counts", standing()],
    ["sure", certainty()],
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

/** Whether the memory counts again by a change, or in another form. */
function hasReturned(change: MemoryChange | undefined): boolean {
  if (change?.action !== "update") return false;
  const isOther = change.text_before !== null && change.text_before !== change.text_after;
  return isOther || (change.status_before !== change.status_after && change.status_after === "active");
}

/** The name of the sentence that says how you made the memory certain by a change. */
function madeSure(operation: Operation, memory: Memory): string | undefined {
  const change = changeOf(operation, memory);
  if (!change || operation.actor !== "user" || operation.undone_at) return undefined;
  if (change.text_before !== change.text_after && !change.message_id) return "edited";
  return operation.reasons.includes("confirm") ? "confirmed" : operation.reasons.includes("remember") ? "asked" : undefined;
}

/** The words of a message without the last full stop: they stand inside of a sentence. */
function wordsOf(text: string): string {
  return text.trim().replace(/\.$/, "");
}

function quoted(text: string, locale: string): string {
  return locale === "de" ? `„${text}“` : `“${text}”`;
}
