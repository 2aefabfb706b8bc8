/** What stands behind a memory: the words it is based on, the conversation, what it replaced, and what happened. */
import type { ReactNode } from "react";
import { refOf, useMemoryDetails, type Memory, type MemoryChange, type Operation } from "../react";
import { isUnavailable } from "../react/errors";
import { formatDay, formatMoment, formatPeriod } from "./dates";
import { ErrorText } from "./errors";
import { explain } from "./explanation";
import type { Strings } from "./strings/en";
import { useMemoryUi } from "./ui";

const MAX_OPERATIONS = 6;

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
          {explain(memory, details, strings).map(({ question, answer }) => (
            <p key={question}>
              <strong>{question}</strong> {answer}
            </p>
          ))}
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
