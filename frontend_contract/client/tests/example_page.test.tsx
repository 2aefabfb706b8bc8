/** The page of the Next.js example, in a browser's document, with its own route behind it. @vitest-environment jsdom */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { startConversation, tell, type Talk } from "./support/conversation";
import { scriptModel, systemOf } from "./support/model";
import { standInForTheBrowser } from "./support/panel";
import { stack } from "./support/stack";

afterEach(cleanup);

/** Leave the session in the browser, as supabase-js does after signing in. */
function staySignedIn({ token, userId }: Talk): void {
  const hour = 3600;
  const session = { access_token: token, refresh_token: "none", token_type: "bearer", user: { id: userId } };
  const times = { expires_in: hour, expires_at: Math.floor(Date.now() / 1000) + hour };
  localStorage.setItem(`sb-${new URL(stack.url).hostname.split(".")[0]}-auth-token`, JSON.stringify({ ...session, ...times }));
}

it("answers with memory, and shows under the answer which it was given", async () => {
  const ada = await startConversation("Ada");
  await tell(ada, "My favorite food is ramen.");
  const model = await scriptModel(() => ["You love ", "ramen."]);
  vi.stubEnv("OPENAI_BASE_URL", model.url);
  vi.stubEnv("OPENAI_MODEL", "scripted");
  for (const prefix of ["", "NEXT_PUBLIC_"]) {
    vi.stubEnv(`${prefix}SUPABASE_URL`, stack.url);
    vi.stubEnv(`${prefix}SUPABASE_PUBLISHABLE_KEY`, stack.publishableKey);
  }
  vi.stubEnv("SUPABASE_SECRET_KEY", stack.secretKey);
  staySignedIn(ada);
  const { POST } = await import("../examples/nextjs/app/api/chat/route");
  const { default: Page } = await import("../examples/nextjs/app/page");
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (input: RequestInfo | URL, init: RequestInit = {}) => {
    const { signal: _, ...rest } = init; // that of the document is not one of Node.js
    return input === "/api/chat" ? POST(new Request("http://host/api/chat", rest)) : fetch(input, init);
  });

  standInForTheBrowser();
  render(<Page />);
  const remember = await screen.findByRole("switch", { name: /remember/i });
  fireEvent.click(remember);
  await waitFor(() => expect(remember.getAttribute("aria-checked")).toBe("true"));
  // The answer waits for memory only so long; on a busy machine the person asks again.
  do {
    const answers = model.requests.length + 1;
    fireEvent.change(screen.getByLabelText("Message"), { target: { value: "What is my favorite food?" } });
    await waitFor(() => expect(screen.getByRole("button", { name: "Send" })).toHaveProperty("disabled", false));
    fireEvent.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(screen.getAllByText("You love ramen.", { exact: false })).toHaveLength(answers));
  } while (!systemOf(model.requests.at(-1)).includes("ramen"));
  await screen.findByRole("button", { name: "Open “Favorite food is ramen” (fact) in the memory panel" });
});
