/** A typed client of the functions, made from `openapi.json`: for a browser with a person's token, or for anybody. */
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./contract/functions.types.js";

/** The functions by their names, as `/inject-memory`, below the address where they are deployed. */
export type FunctionPaths = {
  [Path in keyof paths as Path extends `/functions/v1${infer Name}` ? Name : never]: paths[Path];
};

export interface FunctionsClientOptions {
  /** The project's URL; its functions are below `/functions/v1`. */
  url: string;
  /** Where the functions are, if it is not there: on hosted Supabase they are deployed elsewhere. */
  functionsUrl?: string | undefined;
  /** Credentials: `{ authorization: "Bearer …" }` of a person, or `{ apikey: "sb_secret_…" }` of a backend. */
  headers?: Record<string, string>;
  fetch?: (request: Request) => Promise<Response>;
}

/** Create the client: `client.POST("/conversation-manager", { body })` answers `{ data, error, response }`. */
export function createFunctionsClient(options: FunctionsClientOptions): Client<FunctionPaths> {
  const { url, functionsUrl, headers, fetch } = options;
  return createClient<FunctionPaths>({
    baseUrl: functionsUrl ?? `${url.replace(/\/+$/, "")}/functions/v1`,
    ...(headers && { headers }),
    ...(fetch && { fetch }),
  });
}
