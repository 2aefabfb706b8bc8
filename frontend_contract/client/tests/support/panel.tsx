/** The memory panel in a document, before a server that a test scripts. */
import { createClient } from "@supabase/supabase-js";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryUiProvider } from "../../src/panel";
import { KeepsakeProvider, type KeepsakeClient } from "../../src/react";
import { serve, textOf } from "./http";

export interface Answer {
  status?: number;
  body: unknown;
}

/** What the server answers, by method and the last part of the path ("PATCH user_memory"); else an empty list. */
export type Script = Record<string, (body: unknown) => Answer | Promise<Answer>>;

/** Show something inside of the providers, before a server that follows a script; the requests it got. */
export async function show(content: ReactNode, script: Script, locale = "en"): Promise<string[]> {
  const requests: string[] = [];
  const url = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://server");
    const name = `${request.method} ${pathname.split("/").at(-1)}`;
    requests.push(name);
    void textOf(request).then(async (text) => {
      const { status = 200, body } = (await script[name]?.(text && JSON.parse(text))) ?? { body: [] };
      response.writeHead(status, { "content-type": "application/json", "content-range": "0-0/1" });
      response.end(JSON.stringify(body));
    });
  });
  standInForTheBrowser();
  const client = createClient(url, "sb_publishable_key", { accessToken: async () => "token" }) as KeepsakeClient;
  render(
    <KeepsakeProvider client={client} live="polling" pollSeconds={0.3} getAccessToken={async () => "token"}>
      <MemoryUiProvider locale={locale}>{content}</MemoryUiProvider>
    </KeepsakeProvider>,
  );
  return requests;
}

/** What jsdom lacks: modal dialogs, and which part of a list is visible. */
export function standInForTheBrowser(): void {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  globalThis.IntersectionObserver ??= class {
    observe(): void {}
    disconnect(): void {}
  } as unknown as typeof IntersectionObserver;
  Element.prototype.scrollIntoView ??= () => undefined;
}

/** A row of `user_memory`; number 1 is the oldest. */
export function memoryRow(number: number, text = `Memory number ${number}`): Record<string, unknown> {
  const at = new Date(Date.now() - 3600_000 + number * 1000).toISOString();
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    memory_no: number,
    memory_text: text,
    memory_type: "fact",
    status: "active",
    source: "user",
    confidence_score: 1,
    pinned: false,
    doubted_at: null,
    expires_at: null,
    conversation_id: null,
    supersedes_id: null,
    valid_from: at,
    created_at: at,
    updated_at: at,
  };
}
