/** What the person has typed and not saved yet. It outlives the rows, which leave the document when one scrolls or filters. */
import { createContext, useContext, useSyncExternalStore } from "react";

export interface Draft<Values> {
  values: Values;
  isSaving: boolean;
  /** Why it was not saved. */
  error: unknown;
}

export class DraftStore {
  private readonly drafts = new Map<string, Draft<unknown>>();
  private readonly listeners = new Set<() => void>();

  get = (id: string): Draft<unknown> | undefined => this.drafts.get(id);

  set(id: string, draft: Draft<unknown> | undefined): void {
    if (draft) this.drafts.set(id, draft);
    else this.drafts.delete(id);
    for (const listener of [...this.listeners]) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
}

export const DraftContext = createContext(new DraftStore());

export interface DraftActions<Values> {
  /** Undefined while nothing is being edited. */
  draft: Draft<Values> | undefined;
  /** Open the editor, or note what was typed; not while it is saved. */
  edit: (values: Values) => void;
  close: () => void;
  /** Send a change. On success the draft is no longer needed; a refusal leaves it, with the error. */
  save: <Result>(send: () => Promise<Result>) => Promise<Result>;
}

/** The draft of the row with this id. */
export function useDraft<Values>(id: string): DraftActions<Values> {
  const store = useContext(DraftContext);
  const draft = useSyncExternalStore(store.subscribe, () => store.get(id), () => undefined);
  return {
    draft: draft as Draft<Values> | undefined,
    edit: (values) => {
      const before = store.get(id);
      if (!before?.isSaving) store.set(id, { values, isSaving: false, error: before?.error ?? null });
    },
    close: () => store.set(id, undefined),
    save: async (send) => {
      const saved = { values: store.get(id)?.values, isSaving: true, error: null };
      store.set(id, saved);
      return send().catch((error: unknown) => {
        if (store.get(id)) store.set(id, { ...saved, isSaving: false, error });
        throw error;
      });
    },
  };
}
