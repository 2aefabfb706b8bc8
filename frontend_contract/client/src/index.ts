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
} from "./contract/database.types.js";
export type { components, paths } from "./contract/functions.types.js";
export { CONTRACT_VERSION, type ErrorCode } from "./contract/version.js";
export { KeepsakeError, type TransportCode } from "./errors.js";
export { createFunctionsClient, type FunctionPaths, type FunctionsClientOptions } from "./functions.js";
