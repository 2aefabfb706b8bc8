/** What the components share: language, messages with undo, and which memory the panel should show. */
import * as Toast from "@radix-ui/react-toast";
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from "react";
import { useMemoryChanges, type OperationResult } from "../react";
import { DraftContext, DraftStore } from "./drafts";
import { ErrorText } from "./errors";
import { de } from "./strings/de";
import { en, type Strings } from "./strings/en";

const LANGUAGES: Record<string, Strings> = { en, de };
const TOAST_MILLISECONDS = 10_000;
/** Of what only confirms, such as that something was undone. */
const SHORT_TOAST_MILLISECONDS = 5_000;

export interface MemoryUiProviderProps {
  /** `en` or `de`; another language begins with English. */
  locale?: string;
  /** Replaces single texts. */
  strings?: Partial<Strings>;
  /** `auto` follows the system. */
  theme?: "auto" | "light" | "dark";
  /** Called where a chip wants the panel to be visible. */
  onOpenPanel?: (memoryId: string | null) => void;
  children: ReactNode;
}

export interface Notice {
  title: string;
  text?: ReactNode;
  isError?: boolean;
  action?: { label: string; altText: string; run: () => void };
}

export interface MemoryUi {
  strings: Strings;
  /** Show a message; call what it returns to take it away again. */
  notify: (notice: Notice) => () => void;
  /** Say that something failed, why, and what the person can do. */
  fail: (error: unknown) => void;
  /** Say what was done, to what text, with Undo. */
  announce: (result: OperationResult, done: string, text?: string) => void;
  /** Run a change; say what was done, to what text, with Undo, or that it failed. */
  perform: (change: Promise<OperationResult>, done: string, text?: string) => Promise<void>;
  /** Open the panel at a memory. */
  openMemory: (memoryId: string) => void;
  target: { memoryId: string; count: number } | null;
  /** Open the panel at the settings; `settingsCount` says how often that was asked for. */
  openSettings: () => void;
  settingsCount: number;
  /** Open the panel at the summaries, as above. */
  openSummaries: () => void;
  summariesCount: number;
}

const UiContext = createContext<MemoryUi | null>(null);

export function MemoryUiProvider(props: MemoryUiProviderProps): ReactNode {
  const { locale = "en", strings: replacements, theme = "auto", onOpenPanel, children } = props;
  const [notices, setNotices] = useState<(Notice & { key: number })[]>([]);
  const [target, setTarget] = useState<MemoryUi["target"]>(null);
  const [settingsCount, setSettingsCount] = useState(0);
  const [summariesCount, setSummariesCount] = useState(0);
  const nextKey = useRef(0);
  const strings = useMemo(() => ({ ...findStrings(locale), ...replacements }), [locale, replacements]);
  const close = useCallback((key: number) => setNotices((list) => list.filter((notice) => notice.key !== key)), []);
  const notify = useCallback(
    (notice: Notice) => {
      const key = nextKey.current++;
      setNotices((list) => [...list.slice(-2), { ...notice, key }]);
      return () => close(key);
    },
    [close],
  );
  const fail = useCallback(
    (error: unknown) =>
      void notify({ title: strings.failed, text: <ErrorText error={error} strings={strings.errors} />, isError: true }),
    [notify, strings],
  );
  const announce = useAnnounce(strings, notify, fail);
  const perform = useCallback<MemoryUi["perform"]>(
    (change, done, text) => change.then((result) => announce(result, done, text), fail),
    [announce, fail],
  );
  const [drafts] = useState(() => new DraftStore());
  const value = useMemo<MemoryUi>(
    () => ({
      strings,
      notify,
      fail,
      announce,
      perform,
      target,
      openMemory: (memoryId) => {
        setTarget((before) => ({ memoryId, count: (before?.count ?? 0) + 1 }));
        onOpenPanel?.(memoryId);
      },
      settingsCount,
      openSettings: () => {
        setSettingsCount((before) => before + 1);
        onOpenPanel?.(null);
      },
      summariesCount,
      openSummaries: () => {
        setSummariesCount((before) => before + 1);
        onOpenPanel?.(null);
      },
    }),
    [strings, notify, fail, announce, perform, target, settingsCount, summariesCount, onOpenPanel],
  );
  return (
    <UiContext value={value}>
      <Toast.Provider duration={TOAST_MILLISECONDS} label={strings.notifications} swipeDirection="right">
        <DraftContext.Provider value={drafts}>{children}</DraftContext.Provider>
        {notices.map(({ key, ...notice }) => (
          <NoticeToast key={key} notice={notice} strings={strings} onClose={() => close(key)} />
        ))}
        <Toast.Viewport className="ks-root ks-toasts" data-theme={theme} label={`${strings.notifications} ({hotkey})`} />
      </Toast.Provider>
    </UiContext>
  );
}

/** What the nearest `MemoryUiProvider` gives. */
export function useMemoryUi(): MemoryUi {
  const value = useContext(UiContext);
  if (!value) throw new Error("Put a <MemoryUiProvider> around Keepsake's components.");
  return value;
}

export function findStrings(locale: string): Strings {
  return LANGUAGES[locale.slice(0, 2).toLowerCase()] ?? en;
}

function useAnnounce(strings: Strings, notify: MemoryUi["notify"], fail: MemoryUi["fail"]): MemoryUi["announce"] {
  const { undo } = useMemoryChanges();
  return useCallback(
    ({ operation_id: id }, done, text) => {
      const run = (operation: string) => void undo(operation).then(() => notify({ title: strings.undone }), fail);
      const action = id ? { label: strings.undo, altText: strings.undo, run: () => run(id) } : null;
      notify({ title: done, ...(text ? { text } : {}), ...(action ? { action } : {}) });
    },
    [undo, strings, notify, fail],
  );
}

function NoticeToast(props: { notice: Notice; strings: Strings; onClose: () => void }): ReactNode {
  const { notice, strings, onClose } = props;
  return (
    <Toast.Root
      className="ks-toast"
      data-error={notice.isError || undefined}
      type={notice.isError ? "foreground" : "background"}
      duration={notice.action || notice.text ? TOAST_MILLISECONDS : SHORT_TOAST_MILLISECONDS}
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <div className="ks-toast-text">
        <Toast.Title className="ks-toast-title">{notice.title}</Toast.Title>
        {notice.text && <Toast.Description className="ks-toast-description">{notice.text}</Toast.Description>}
      </div>
      {notice.action && (
        <Toast.Action className="ks-button" data-quiet altText={notice.action.altText} onClick={notice.action.run}>
          {notice.action.label}
        </Toast.Action>
      )}
      <Toast.Close className="ks-icon-button" aria-label={strings.dismiss}>
        <span aria-hidden>×</span>
      </Toast.Close>
    </Toast.Root>
  );
}
