/** What every part shares: the contract's types, its typed client, and the error that a call fails with. */
export type {
  ChangedMemory,
  Database,
  Json,
  MemoryOverview,
  OperationResult,
  PendingMemory,
  Tables,
  TablesInsert,
  TablesUpdate,
  UndoResult,
} from "./contract/database.types";
export type { components, paths } from "./contract/functions.types";
export { CONTRACT_VERSION, type ErrorCode } from "./contract/version";
export { KeepsakeError, type TransportCode } from "./errors";
export { createFunctionsClient, type FunctionPaths, type FunctionsClientOptions } from "./functions";
