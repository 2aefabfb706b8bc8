/** What stands behind a memory: the words it is based on, the conversation, what it replaced, and what happened. */
import type { ReactNode } from "react";
import {
  refOf,
  useMemoryDetails,
  type Memory,
  type MemoryChange,
  type MemoryDetails as MemoryDetailsData,
  type Operation,
} from "../react";
import { isUnavailable } from "../react/errors";
import { formatDay, formatMoment, formatPeriod } from "./dates";
import { ErrorText } from "./errors";
import type { Strings } from "./strings/en";
import { useMemoryUi } from "./ui";

const MAX_OPERATIONS = 6;
const MODEL = /^model (.+), prompt \S+$/;

export function MemoryDetails(props: { memory: Memory; conversation: string | null | undefined }): ReactNode {
  const { memory, conversation } = props;
  const { strings } = useMemoryUi();
  const { details, error } = useMemoryDetails(memory);
  const texts = strings.memory;
  const facts = [
    strings.sources[memory.source] ?? memory.source,
    memory.confidence_score === 1 ? texts.confirmed : texts.confidence(Math.round(memory.confidence_score * 100)),
    memory.reference_count ? texts.used(memory.reference_count) : texts.neverUsed,
    ...(memory.period ? [texts.about(formatPeriod(memory.period, strings.locale))] : []),
    ...(memory.expires_at ? [texts.until(formatMoment(memory.expires_at, strings.locale))] : []),
  ];
  return (
    <>
      {memory.source_quote && (
        <figure className="ks-quote">
          <blockquote>{memory.source_quote}</blockquote>
          <figcaption>
            {texts.quote}
            {conversation !== undefined && ` · ${conversation ?? texts.untitled}`}
            {details?.message && ` · ${formatMoment(details.message.created_at, strings.locale)}`}
          </figcaption>
        </figure>
      )}
      {details?.message && details.message.content !== memory.source_quote && (
        <details className="ks-message">
          <summary>{texts.message}</summary>
          <p>{details.message.content}</p>
        </details>
      )}
      <p className="ks-facts">{facts.join(" · ")}</p>
      {details && (
        <details className="ks-message">
          <summary>{texts.why}</summary>
          <p>{[...originOf(memory, details.operations, strings), ...endOf(memory, details, strings), texts.control].join(" ")}</p>
        </details>
      )}
      {error && !details && !isUnavailable(error) && (
        <div className="ks-faint" role="alert">
          <ErrorText error={error} strings={strings.errors} />
        </div>
      )}
      {details && details.replaced.length > 0 && (
        <section className="ks-history">
          <h4>{texts.earlier}</h4>
          <ol>
            {details.replaced.map((earlier) => (
              <li key={earlier.id}>
                <s>{earlier.memory_text}</s>{" "}
                <span className="ks-faint">
                  {refOf(earlier)}, {texts.until(formatDay(earlier.valid_to ?? memory.created_at, strings.locale))}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {details && details.operations.length > 1 && (
        <details className="ks-message">
          <summary>{texts.changes}</summary>
          <ol className="ks-operations">
            {details.operations.slice(0, MAX_OPERATIONS).map((operation) => (
              <OperationLine key={operation.operation_id} operation={operation} memoryId={memory.id} strings={strings} />
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** Why the memory is there, in sentences: the one way in which it came about, what found it, and what you changed. */
function originOf(memory: Memory, operations: Operation[], { memory: texts, locale }: Strings): string[] {
  const first = operations.at(-1);
  const oldest = first?.memories.find((each) => each.memory_id === memory.id);
  const edit = operations.find((each) => each.actor === "user" && !each.undone_at && rewrites(each, memory.id));
  const edited = edit ? [texts.edited(formatMoment(edit.happened_at, locale))] : [];
  if (!first || oldest?.action !== "insert") return [texts.origins[memory.source] ?? texts.origins.user!, ...edited];
  const isFound = first.actor === "rules" || first.actor === "llm";
  if (!isFound) {
    const isAsked = first.actor === "user" && memory.source_message_id !== null;
    return [isAsked ? texts.asked : (texts.origins[memory.source] ?? texts.origins.user!), ...edited];
  }
  const model = oldest.why ? MODEL.exec(oldest.why)?.[1] : undefined;
  const found = model ? texts.foundByModel(model) : ((oldest.why && texts.readers[oldest.why]) ?? texts.foundByRule);
  return [edit ? texts.said : texts.origins.rule_extraction!, ...(oldest.why ? [found] : []), ...edited];
}

function rewrites(operation: Operation, memoryId: string): boolean {
  const change = operation.memories.find((each) => each.memory_id === memoryId);
  return change?.action === "update" && change.text_before !== null && change.text_before !== change.text_after;
}

/** Why it is no longer so, or in doubt: your words, or who did it, and what took its place. */
function endOf(memory: Memory, { ending }: MemoryDetailsData, { memory: texts, locale }: Strings): string[] {
  if (!ending) return [];
  const { operation, message } = ending;
  const state = memory.status === "active" ? "doubted" : memory.status;
  const date = formatMoment(operation.happened_at, locale);
  const words = message?.content ? texts.becauseYouSaid(message.content.replace(/[.\s]+$/, "")) : operation.actor === "user" ? texts.becauseYou : "";
  const newer = operation.memories.find((each) => each.action === "insert" && each.text_after);
  const sentence = `${texts.ends[state]!(date)}${words}.`;
  return memory.status === "superseded" && newer ? [sentence, texts.tookItsPlace(newer.text_after!, newer.ref)] : [sentence];
}

function OperationLine(props: { operation: Operation; memoryId: string; strings: Strings }): ReactNode {
  const { operation, memoryId, strings } = props;
  const change = operation.memories.find((each) => each.memory_id === memoryId);
  if (!change) return null;
  const isRewritten = change.text_before !== null && change.text_before !== change.text_after;
  return (
    <li>
      <span className="ks-faint">{formatMoment(operation.happened_at, strings.locale)}</span> {nameOf(change, strings)}
      {isRewritten && (
        <>
          {": "}
          <s>{change.text_before}</s>
        </>
      )}
    </li>
  );
}

function nameOf(change: MemoryChange, { memory: texts }: Strings): string {
  if (change.status_before !== change.status_after && change.action === "update") {
    if (change.status_after === "deleted") return texts.forgotten;
    if (change.status_after === "superseded") return texts.replaced;
    if (change.status_after === "archived") return texts.archived;
    if (change.status_after === "active") return texts.restored;
  }
  return texts.actions[change.action];
}
