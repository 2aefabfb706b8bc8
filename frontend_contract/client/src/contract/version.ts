/** Generated: the version of the contract, and the codes that a refusal of Keepsake may have. */
export const CONTRACT_VERSION = "1.0.0";

export type ErrorCode =
  | "invalid_input"
  | "unauthenticated"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "conflict"
  | "too_large"
  | "rate_limited"
  | "internal_error"
  | "misconfigured"
  | "database_unavailable"
  | "retry_later"
  | "statement_timeout";
