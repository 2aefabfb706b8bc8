/** For backends (Node.js, Deno, Bun, edge runtimes): one method for each function of Keepsake. */
export { KeepsakeError, type TransportCode } from "../errors.js";
export { CONTRACT_VERSION, type ErrorCode } from "../contract/version.js";
export { createKeepsake, type KeepsakeOptions } from "./client.js";
export type * from "./types.js";
