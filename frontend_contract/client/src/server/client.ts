/** `createKeepsake`: the functions as methods, with retries, deadlines and typed errors. */
import { KeepsakeError, refusalOf } from "../errors.js";
import { createFunctionsClient } from "../functions.js";
import { retryingFetch, type RetryOptions } from "./retry.js";
import type { Backfill, CallOptions, EitherCallOptions, Keepsake } from "./types.js";

export interface KeepsakeOptions extends RetryOptions {
  /** The project's URL, as `https://ref.supabase.co` or `http://127.0.0.1:54321`. */
  url: string;
  /** A secret key, `sb_secret_…`; it must never reach a browser. */
  secretKey: string;
  /** Where Keepsake's functions are, if that is not `/functions/v1` of the project. */
  functionsUrl?: string;
  /** Milliseconds for a call, retries included; 30 seconds by default. */
  timeout?: number;
}

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Create a client of the functions for a backend; it holds no connection and need not be closed. */
export function createKeepsake(options: KeepsakeOptions): Keepsake {
  const { url, secretKey, functionsUrl, timeout = 30_000 } = options;
  const client = createFunctionsClient({ url, functionsUrl });

  /** The options of a request for `openapi-fetch`. */
  const init = ({ isRepeatable, ...call }: EitherCallOptions & { isRepeatable?: boolean } = {}) => ({
    headers: headersOf(call, secretKey),
    signal: signalOf(call, timeout),
    fetch: retryingFetch({ ...options, retries: call.retries ?? options.retries, isRepeatable }),
  });
  const backfill = (period: Backfill | undefined) => ({
    query: period ? queryOf({ action: "backfill", ...period }) : {},
  });

  const exportMemories = async (body: { format?: "json" | "csv" }, call: EitherCallOptions) => {
    const parseAs = body.format === "csv" ? "text" : "json";
    return answerOf<unknown>(client.POST("/export-memories", { body, parseAs, ...init(call) }));
  };

  return {
    injectMemory: (body, call) => answerOf(client.POST("/inject-memory", { body, ...init(call) })),
    chatSend: (body, call) => answerOf(client.POST("/chat-send", { body, ...init(call) })),
    extractUserMemory: (body, call) => answerOf(client.POST("/extract-user-memory", { body, ...init(call) })),
    recordInjection: (body, call) => answerOf(client.POST("/record-injection", { body, ...init(call) })),
    // openapi-fetch reads the tuples of this answer as arrays.
    manageUserMemory: (body, call) => answerOf(client.POST("/manage-user-memory", { body, ...init(call) }) as never),
    conversationManager: (body, call) => answerOf(client.POST("/conversation-manager", { body, ...init(call) })),
    exportMemories: exportMemories as Keepsake["exportMemories"],
    importMemories: (file, call) => {
      const request = init({ retries: 0, isRepeatable: false, ...call });
      request.headers["content-type"] = call.contentType ?? "application/json";
      const query = queryOf({ atomic: call.atomic, file_name: call.fileName, profile_id: call.profileId });
      return answerOf(
        client.POST("/import-memories", {
          body: file as never,
          params: { query },
          bodySerializer: () => file,
          ...request,
        }),
      );
    },
    eraseMemories: (body, call) => answerOf(client.POST("/erase-memories", { body, ...init(call) })),
    generateDailySummaries: (body = {}, call = {}) =>
      answerOf(client.POST("/generate-daily-summaries", { body, params: backfill(call.backfill), ...init(call) })),
    generateWeeklySummaries: (body = {}, call = {}) =>
      answerOf(client.POST("/generate-weekly-summaries", { body, params: backfill(call.backfill), ...init(call) })),
    generateMonthlySummaries: (body = {}, call = {}) =>
      answerOf(client.POST("/generate-monthly-summaries", { body, params: backfill(call.backfill), ...init(call) })),
    llmSummarizer: (body, call) => answerOf(client.POST("/llm-summarizer", { body, ...init(call) })),
    compareYearlyPatterns: (body, call) => answerOf(client.POST("/compare-yearly-patterns", { body, ...init(call) })),
    undoOperation: (body, call) => answerOf(client.POST("/undo-operation", { body, ...init(call) })),
    archiveOldMemories: (body = {}, call) => answerOf(client.POST("/archive-old-memories", { body, ...init(call) })),
    runDueJobs: (body = {}, call) => answerOf(client.POST("/run-due-jobs", { body, ...init(call) })),
    health: (call = {}) =>
      answerOf(client.GET("/health", { params: { query: queryOf({ ready: call.ready }) }, ...init(call) })),
    metrics: (call) => answerOf<string>(client.GET("/metrics", { parseAs: "text", ...init(call) })),
    openapi: (call) => answerOf<string>(client.GET("/openapi.json", { parseAs: "text", ...init(call) })),
    manageUserMemorySchema: (call) => answerOf(client.GET("/manage-user-memory/schema", init(call))),
    saveMessage: async (message, call) => {
      const { headers, signal, fetch } = init(call);
      headers["content-type"] = "application/json";
      const { id, ...columns } = message;
      const body = JSON.stringify({ message_id: id, ...columns, replace: call?.replace ?? false });
      const target = `${url.replace(/\/+$/, "")}/rest/v1/rpc/save_message`;
      await answerOf(readError(fetch(new Request(target, { method: "POST", headers, body, signal }))));
    },
  };
}

/** What was answered; throws what was refused, or why nothing was answered. */
async function answerOf<Data>(request: Promise<Answered<Data>>): Promise<Data> {
  let answered: Answered<Data>;
  try {
    answered = await request;
  } catch (cause) {
    throw failureOf(cause);
  }
  if (!answered.response.ok) throw refusalOf(answered.error, answered.response);
  return answered.data as Data;
}

/** An aborted call throws its signal's reason; a deadline and a lost connection are errors of ours. */
function failureOf(cause: unknown): unknown {
  const name = cause instanceof Error || cause instanceof DOMException ? cause.name : "";
  if (name === "TimeoutError")
    return new KeepsakeError("deadline_exceeded", "Keepsake did not answer in time.", { cause });
  if (name === "TypeError") return new KeepsakeError("unreachable", "Keepsake cannot be reached.", { cause });
  if (name === "SyntaxError")
    return new KeepsakeError("unexpected_answer", "Keepsake's address answered no JSON.", { cause });
  return cause;
}

async function readError(request: Promise<Response>): Promise<Answered<undefined>> {
  const response = await request;
  const text = await response.text();
  if (response.ok) return { response };
  try {
    return { response, error: JSON.parse(text) };
  } catch {
    return { response, error: text };
  }
}

/** A person's token alone decides who calls; the secret key would make it the backend's call. */
function headersOf(call: EitherCallOptions, secretKey: string): Record<string, string> {
  const credentials: Record<string, string> = call.token
    ? { authorization: `Bearer ${call.token}` }
    : { apikey: secretKey };
  return call.requestId ? { ...credentials, "x-request-id": call.requestId } : credentials;
}

function signalOf(call: CallOptions, timeout: number): AbortSignal {
  const deadline = AbortSignal.timeout(call.timeout ?? timeout);
  return call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
}

function queryOf(values: Record<string, string | number | boolean | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
