/** Erasure: what exactly is destroyed, a word to type, and a second count. */
import { useState, type ReactNode } from "react";
import { useTransfer, type ErasureReport, type ErasureTarget } from "../react";
import { Modal } from "./Modal";
import { useMemoryUi } from "./ui";

export function EraseDialog(props: { target: ErasureTarget; text: string; onClose: () => void }): ReactNode {
  const { target, text, onClose } = props;
  const { strings, notify, fail } = useMemoryUi();
  const { erase } = useTransfer();
  const [word, setWord] = useState("");
  const [includeMessages, setIncludeMessages] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const { erase: texts } = strings;
  const run = async () => {
    setIsRunning(true);
    try {
      notify(describe(await erase(target, includeMessages), strings));
      onClose();
    } catch (error) {
      fail(error);
      setIsRunning(false);
    }
  };
  return (
    <Modal title={texts.title} isAlert onClose={onClose}>
      <p>{text}</p>
      <label className="ks-check">
        <input
          type="checkbox"
          checked={includeMessages}
          onChange={(event) => setIncludeMessages(event.target.checked)}
        />
        {texts.messages}
      </label>
      <label className="ks-select">
        <span>{texts.type(texts.word)}</span>
        <input
          className="ks-field"
          autoComplete="off"
          spellCheck={false}
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
      </label>
      <div className="ks-row" data-end>
        <button type="button" className="ks-button" data-quiet onClick={onClose}>
          {strings.cancel}
        </button>
        <button
          type="button"
          className="ks-button"
          data-danger
          disabled={isRunning || word.trim().toUpperCase() !== texts.word}
          onClick={() => void run()}
        >
          {texts.confirm}
        </button>
      </div>
    </Modal>
  );
}

function describe(report: ErasureReport, { done, erase }: ReturnType<typeof useMemoryUi>["strings"]) {
  const left = Object.values(report.remaining ?? {}).reduce((sum, count) => sum + count, 0);
  const count = report.erased["public.user_memory"] ?? report.memories.length;
  return { title: done.erased(count), text: left ? erase.left(left) : erase.result };
}
