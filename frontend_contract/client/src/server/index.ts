/** For backends (Node.js, Deno, Bun, edge runtimes): one method for each function of Keepsake. */
export { KeepsakeError, type TransportCode } from "../errors";
export { CONTRACT_VERSION, type ErrorCode } from "../contract/version";
export { createKeepsake, type KeepsakeOptions } from "./client";
export type * from "./types";
