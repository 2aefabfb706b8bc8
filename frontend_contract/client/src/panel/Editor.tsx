/** The form that edits one row. It closes once the text is saved; where that is refused it stays, with the reason. */
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { flushSync } from "react-dom";
import type { OperationResult } from "../react";
import type { DraftActions } from "./drafts";
import { ErrorText } from "./errors";
import { leaveRow } from "./focus";
import { useMemoryUi } from "./ui";

type Send = () => Promise<OperationResult>;

export interface EditorProps {
  state: Omit<DraftActions<unknown>, "edit">;
  canSave: boolean;
  /** Sends what was typed; null where it changes nothing. */
  send: Send | null;
  /** What the person reads once it is saved. */
  done: string;
  /** The button that opened the editor, which has the focus again afterwards. */
  opener: RefObject<HTMLElement | null>;
  children: ReactNode;
  /** More that can be done with the row; each of them takes it out of its list. */
  removals?: { label: string; send: Send; done: string }[];
}

export function Editor(props: EditorProps): ReactNode {
  const { state, canSave, send, done, opener, children, removals = [] } = props;
  const { strings, announce, fail } = useMemoryUi();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focusField(form.current), []);
  const close = () => {
    const hadFocus = form.current?.contains(document.activeElement);
    flushSync(state.close);
    if (hadFocus) opener.current?.focus();
  };
  const run = async (change: Send, message: string) => {
    try {
      const result = await state.save(change);
      close();
      announce(result, message);
    } catch (error) {
      if (!form.current) fail(error); // which nobody would see beside the text
    }
  };
  const isSaving = state.draft?.isSaving ?? false;
  const submit = () => {
    if (canSave && !isSaving) void (send ? run(send, done) : close());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") close();
    if (event.key === "Enter" && !event.shiftKey && event.target instanceof HTMLTextAreaElement) {
      event.preventDefault();
      submit();
    }
  };
  return (
    <form
      ref={form}
      className="ks-editor"
      aria-busy={isSaving}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={onKeyDown}
    >
      {children}
      {state.draft?.error != null && (
        <div className="ks-error" role="alert">
          <ErrorText error={state.draft.error} strings={strings.errors} />
        </div>
      )}
      <div className="ks-row" data-wrap>
        <button type="submit" className="ks-button" data-primary disabled={!canSave}>
          {strings.save}
        </button>
        <button type="button" className="ks-button" data-quiet onClick={close}>
          {strings.cancel}
        </button>
        {removals.map((removal) => (
          <button
            key={removal.label}
            type="button"
            className="ks-button"
            data-quiet
            onClick={(event) => {
              if (isSaving) return;
              leaveRow(event.currentTarget);
              void run(removal.send, removal.done);
            }}
          >
            {removal.label}
          </button>
        ))}
      </div>
    </form>
  );
}

/** Whether a key belongs to an input method, as Enter does that chooses among Japanese words; Safari says so by 229. */
function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229;
}

/** Focus the editor's field, at its end, unless the person is busy elsewhere: its row may have been drawn anew. */
function focusField(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLInputElement | HTMLTextAreaElement>("textarea, input");
  const active = document.activeElement;
  if (!field || !(active?.contains(form) || form?.closest("li")?.contains(active))) return;
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
