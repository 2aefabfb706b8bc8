/** The types of the server client: what each function takes and answers, by the contract. */
import type { components } from "../contract/functions.types.js";

type Schemas = components["schemas"];

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call, retries included; overrides the client's. */
  timeout?: number | undefined;
  /** Overrides the client's. */
  retries?: number | undefined;
  /** Sent as `x-request-id`, and written on every line that Keepsake logs for the call. */
  requestId?: string | undefined;
}

/** A call in a person's name: `token` is their JWT. */
export interface PersonCallOptions extends CallOptions {
  token: string;
}

/** A call in the backend's name, or with `token` in a person's. */
export interface EitherCallOptions extends CallOptions {
  token?: string | undefined;
}

/** A past period whose summaries are written again: `year` and `month`, `year` and `week`, or `date`. */
export interface Backfill {
  year?: number;
  month?: number;
  week?: number;
  date?: string;
  user_id?: string;
}

export interface BackfillCallOptions extends CallOptions {
  backfill?: Backfill | undefined;
}

export interface ImportCallOptions extends PersonCallOptions {
  contentType?: "application/json" | "application/x-ndjson" | "text/csv";
  atomic?: boolean;
  /** By which an explanation of these memories names the file. */
  fileName?: string;
  profileId?: string;
}

/** A message as the host's table has it; the id is the caller's, so that saving it twice saves it once. */
export interface MessageToSave {
  id: string;
  conversation_id: string;
  user_id: string | null;
  role: "user" | "assistant";
  content: string;
}

export interface SaveOptions extends CallOptions {
  /** Overwrite the row that has this id, as with an answer that has grown; otherwise it is left as it is. */
  replace?: boolean | undefined;
}

type Call<Request, Response, Options = CallOptions> = (
  body: Schemas[Request & keyof Schemas],
  options?: Options,
) => Promise<Schemas[Response & keyof Schemas]>;

type PersonCall<Request, Response> = (
  body: Schemas[Request & keyof Schemas],
  options: PersonCallOptions,
) => Promise<Schemas[Response & keyof Schemas]>;

type JobCall<Request, Response, Options = CallOptions> = (
  body?: Schemas[Request & keyof Schemas],
  options?: Options,
) => Promise<Schemas[Response & keyof Schemas]>;

/** One method for each function. Every one throws `KeepsakeError`, or the reason of an aborted signal. */
export interface Keepsake {
  injectMemory: Call<"InjectMemoryRequest", "InjectMemoryResponse", EitherCallOptions>;
  chatSend: Call<"ChatSendRequest", "ChatSendResponse">;
  extractUserMemory: Call<"ExtractUserMemoryRequest", "ExtractUserMemoryResponse">;
  recordInjection: Call<"RecordInjectionRequest", "RecordInjectionResponse">;
  manageUserMemory: Call<"ManageUserMemoryRequest", "ManageUserMemoryResponse", EitherCallOptions>;
  conversationManager: PersonCall<"ConversationManagerRequest", "ConversationManagerResponse">;
  /** JSON is parsed; with `format: "csv"` the answer is the text. */
  exportMemories(
    body: Schemas["ExportMemoriesRequest"] & { format: "csv" },
    options: PersonCallOptions,
  ): Promise<string>;
  exportMemories(
    body: Schemas["ExportMemoriesRequest"] & { format?: "json" },
    options: PersonCallOptions,
  ): Promise<Schemas["ExportMemoriesResponse"]>;
  /** A file as `exportMemories` gives it, or rows of another origin; is not tried again. */
  importMemories(file: string | Blob, options: ImportCallOptions): Promise<Schemas["ImportMemoriesResponse"]>;
  eraseMemories: PersonCall<"EraseMemoriesRequest", "EraseMemoriesResponse">;
  generateDailySummaries: JobCall<
    "GenerateDailySummariesRequest",
    "GenerateDailySummariesResponse",
    BackfillCallOptions
  >;
  generateWeeklySummaries: JobCall<
    "GenerateWeeklySummariesRequest",
    "GenerateWeeklySummariesResponse",
    BackfillCallOptions
  >;
  generateMonthlySummaries: JobCall<
    "GenerateMonthlySummariesRequest",
    "GenerateMonthlySummariesResponse",
    BackfillCallOptions
  >;
  llmSummarizer: Call<"LlmSummarizerRequest", "LlmSummarizerResponse">;
  compareYearlyPatterns: Call<"CompareYearlyPatternsRequest", "CompareYearlyPatternsResponse", EitherCallOptions>;
  undoOperation: PersonCall<"UndoOperationRequest", "UndoOperationResponse">;
  archiveOldMemories: JobCall<"ArchiveOldMemoriesRequest", "ArchiveOldMemoriesResponse">;
  runDueJobs: JobCall<"RunDueJobsRequest", "RunDueJobsResponse">;
  health(options?: CallOptions & { ready?: boolean }): Promise<Schemas["HealthResponse"]>;
  metrics(options?: CallOptions): Promise<string>;
  openapi(options?: CallOptions): Promise<string>;
  /** The schema of the agent tool that `manageUserMemory` executes. */
  manageUserMemorySchema(options?: CallOptions): Promise<Record<string, unknown>>;
  /** Save a message where Keepsake reads it, through REST, with the secret key; the same id again changes nothing, or with
   * `replace` that row. */
  saveMessage(message: MessageToSave, options?: SaveOptions): Promise<void>;
}
