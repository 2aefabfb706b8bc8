/** Export, import and erasure: the functions that a person calls with their own token. */
import { useMemo } from "react";
import { useKeepsake } from "./provider";

/** What became of an imported file; `undo` takes all of it back by its `operation_id`. */
export interface ImportReport {
  status: "imported" | "unchanged" | "refused";
  operation_id: string | null;
  rows: number;
  imported: number;
  restored: number;
  archived: number;
  unchanged: number;
  refused: number;
  problems: { row: number; line: number; field: string; reason: string }[];
}

/** How many rows were erased from each place, or in a dry run would be. */
export interface ErasureReport {
  dry_run: boolean;
  erased: Record<string, number>;
  remaining: Record<string, number> | null;
  memories: { id: string; ref: string; status: string; text: string | null }[];
}

export type ErasureTarget = { memory_ids: string[] } | { subject: string } | { everything: true };

export interface Transfer {
  exportMemories: (format: "json" | "csv") => Promise<{ blob: Blob; filename: string }>;
  importMemories: (file: Blob & { name?: string }) => Promise<ImportReport>;
  previewErasure: (target: ErasureTarget, includeMessages?: boolean) => Promise<ErasureReport>;
  erase: (target: ErasureTarget, includeMessages?: boolean) => Promise<ErasureReport>;
}

/** An import that writes nothing answers 422 with its report. */
const REFUSED = [422];

export function useTransfer(): Transfer {
  const { call, refresh } = useKeepsake();
  return useMemo(() => {
    const eraseOrPreview = async (target: ErasureTarget, includeMessages: boolean, choice: object) => {
      const body = JSON.stringify({ ...target, include_messages: includeMessages, ...choice });
      return (await (await call("erase-memories", body)).json()) as ErasureReport;
    };
    return {
      exportMemories: async (format) => {
        const response = await call("export-memories", JSON.stringify({ format }));
        const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
        return { blob: await response.blob(), filename: named?.[1] ?? `memories.${format}` };
      },
      importMemories: async (file) => {
        const isCsv = file.type === "text/csv" || file.name?.toLowerCase().endsWith(".csv");
        const contentType = isCsv ? "text/csv" : "application/json";
        const query = file.name ? `?${new URLSearchParams({ file_name: file.name })}` : "";
        const response = await call("import-memories", file, { query, contentType, accepted: REFUSED });
        await refresh();
        return (await response.json()) as ImportReport;
      },
      previewErasure: (target, includeMessages = false) => eraseOrPreview(target, includeMessages, { dry_run: true }),
      erase: async (target, includeMessages = false) => {
        const report = await eraseOrPreview(target, includeMessages, { confirm: "erase" });
        await refresh();
        return report;
      },
    };
  }, [call, refresh]);
}
