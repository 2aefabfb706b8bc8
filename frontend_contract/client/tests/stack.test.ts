import { expect, it } from "vitest";
import { insert, signIn, stack } from "./support/stack";

it("signs a person in, who sees their own settings only", async () => {
  const ada = await signIn("ada@example.com");
  const eve = await signIn("eve@example.com");
  for (const { userId } of [ada, eve]) await insert("user_memory_settings", { user_id: userId });
  const answer = await fetch(`${stack.url}/rest/v1/user_memory_settings?select=user_id`, {
    headers: { apikey: stack.publishableKey, authorization: `Bearer ${ada.token}` },
  });
  expect(await answer.json()).toEqual([{ user_id: ada.userId }]);
});
