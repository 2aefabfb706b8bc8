/** Export, import, deletion and erasure of everything. */
import { useRef, useState, type ReactNode } from "react";
import { useMemoryChanges, useTransfer, type ImportReport, type MemoryOverview } from "../react";
import { EraseDialog } from "./EraseDialog";
import { Modal } from "./Modal";
import { useMemoryUi } from "./ui";

const MAX_PROBLEMS = 20;

export function DataSettings({ overview }: { overview: MemoryOverview | undefined }): ReactNode {
  const { strings, fail } = useMemoryUi();
  const { exportMemories, importMemories } = useTransfer();
  const [dialog, setDialog] = useState<"clear" | "erase" | null>(null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const download = (format: "json" | "csv") =>
    exportMemories(format).then(({ blob, filename }) => saveFile(blob, filename), fail);
  const upload = (chosen: File | undefined) => {
    if (chosen) importMemories(chosen).then(setReport, fail);
    if (file.current) file.current.value = "";
  };
  const total = overview?.total ?? 0;
  return (
    <>
      <fieldset className="ks-fieldset">
        <legend>{strings.settings.data}</legend>
        <p className="ks-faint">{strings.settings.dataHint}</p>
        <div className="ks-row" data-wrap>
          <button type="button" className="ks-button" onClick={() => void download("json")}>
            {strings.settings.exportJson}
          </button>
          <button type="button" className="ks-button" onClick={() => void download("csv")}>
            {strings.settings.exportCsv}
          </button>
          <button type="button" className="ks-button" onClick={() => file.current?.click()}>
            {strings.settings.import}
          </button>
          <input
            ref={file}
            type="file"
            className="ks-hidden"
            tabIndex={-1}
            aria-label={strings.settings.importLabel}
            accept=".json,.jsonl,.ndjson,.csv,application/json,text/csv"
            onChange={(event) => upload(event.target.files?.[0])}
          />
        </div>
      </fieldset>
      <fieldset className="ks-fieldset" data-danger>
        <legend>{strings.settings.removal}</legend>
        <p className="ks-faint">{strings.settings.removalHint}</p>
        <div className="ks-row" data-wrap>
          <button type="button" className="ks-button" disabled={!total} onClick={() => setDialog("clear")}>
            {strings.settings.clear}
          </button>
          <button type="button" className="ks-button" data-danger onClick={() => setDialog("erase")}>
            {strings.settings.erase}
          </button>
        </div>
      </fieldset>
      {dialog === "clear" && <ClearDialog count={total} onClose={() => setDialog(null)} />}
      {dialog === "erase" && (
        <EraseDialog target={{ everything: true }} text={strings.erase.all(total)} onClose={() => setDialog(null)} />
      )}
      {report && <ImportDialog report={report} onClose={() => setReport(null)} />}
    </>
  );
}

function ClearDialog({ count, onClose }: { count: number; onClose: () => void }): ReactNode {
  const { strings, perform } = useMemoryUi();
  const { clear } = useMemoryChanges();
  return (
    <Modal title={strings.clear.title(count)} isAlert onClose={onClose}>
      <p>{strings.clear.text}</p>
      <div className="ks-row" data-end>
        <button type="button" className="ks-button" data-quiet onClick={onClose}>
          {strings.cancel}
        </button>
        <button
          type="button"
          className="ks-button"
          data-danger
          onClick={() => {
            void perform(clear(), strings.done.cleared(count));
            onClose();
          }}
        >
          {strings.clear.confirm(count)}
        </button>
      </div>
    </Modal>
  );
}

function ImportDialog({ report, onClose }: { report: ImportReport; onClose: () => void }): ReactNode {
  const { strings, perform } = useMemoryUi();
  const { undo } = useMemoryChanges();
  const texts = strings.import;
  const counts = (["restored", "unchanged", "archived", "refused"] as const).filter((name) => report[name]);
  const operation = report.operation_id;
  return (
    <Modal title={texts.title} onClose={onClose}>
      <p>{texts.summary(report.imported, report.rows)}</p>
      {counts.length > 0 && (
        <ul className="ks-report">
          {counts.map((name) => (
            <li key={name}>
              {report[name]} {texts[name]}
            </li>
          ))}
        </ul>
      )}
      {report.problems.length > 0 && (
        <ul className="ks-report" data-problems>
          {report.problems.slice(0, MAX_PROBLEMS).map((problem) => (
            <li key={`${problem.row}-${problem.field}`}>
              {texts.row(problem.row)}: {texts.reasons[problem.reason] ?? texts.unreadable} (
              {[problem.field, texts.reasons[problem.reason] ? "" : problem.reason].filter(Boolean).join(": ")})
            </li>
          ))}
        </ul>
      )}
      <div className="ks-row" data-end>
        {operation && (
          <button
            type="button"
            className="ks-button"
            data-quiet
            onClick={() => {
              void perform(undo(operation), strings.undone);
              onClose();
            }}
          >
            {texts.undo}
          </button>
        )}
        <button type="button" className="ks-button" data-primary onClick={onClose}>
          {strings.close}
        </button>
      </div>
    </Modal>
  );
}

function saveFile(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
