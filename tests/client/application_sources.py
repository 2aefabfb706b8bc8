"""What the applications of ``new_applications`` are given: the panel's page, its client, and programs for agents."""

from __future__ import annotations

PANEL = """
import { KeepsakeProvider } from "@keepsake/client/react";
import { MemoryPanel, MemoryUiProvider } from "@keepsake/client/panel";
import "@keepsake/client/panel.css";
import { getAccessToken, supabase } from "./supabase";

export default function Page() {
  return (
    <KeepsakeProvider client={supabase} getAccessToken={getAccessToken} live="polling">
      <MemoryUiProvider>
        <MemoryPanel />
      </MemoryUiProvider>
    </KeepsakeProvider>
  );
}
"""
SUPABASE = """
import {{ createClient }} from "@supabase/supabase-js";
export const getAccessToken = async () => "{token}";
export const supabase = createClient("{url}", "{key}", {{ accessToken: getAccessToken }});
"""
LAYOUT = """
export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
"""
TURN = """
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { keepsakeMemory } from "@keepsake/client/ai-sdk";
import { createKeepsake } from "@keepsake/client/server";
import { streamText, wrapLanguageModel } from "ai";

const { API_URL = "", SECRET_KEY = "", OPENAI_BASE_URL = "", CONVERSATION = "", PERSON = "" } = process.env;
const keepsake = createKeepsake({ url: API_URL, secretKey: SECRET_KEY });
const memory = keepsakeMemory({ keepsake, conversationId: CONVERSATION, userId: PERSON, deadline: 30_000 });
const provider = createOpenAICompatible({ name: "model", baseURL: OPENAI_BASE_URL });
const model = wrapLanguageModel({ model: provider("scripted"), middleware: memory });
console.log(await streamText({ model, prompt: process.env.QUESTION ?? "" }).text);
await memory.settled();
"""
"""A turn with the middleware, for each version of the AI SDK."""
AGENT = """
import ast, os
from agents import Agent, OpenAIChatCompletionsModel, set_tracing_disabled
from openai import AsyncOpenAI
import asyncio

set_tracing_disabled(True)
client = AsyncOpenAI(base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
model = OpenAIChatCompletionsModel(model="scripted", openai_client=client)
names = dict(os.environ) | {"agent": Agent(name="Cook", model=model), "text": os.environ["QUESTION"]}
names |= {"conversation_id": os.environ["CONVERSATION"], "user_id": os.environ["PERSON"]}
block = compile(os.environ["BLOCK"], "agents.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
asyncio.run(eval(block, names))
print(names["answer"])
"""
GRAPH = """
import asyncio, os
from keepsake_client import KeepsakeClient, TurnMemory
from langchain_openai import ChatOpenAI

exec(os.environ["BLOCK"])
async def main():
    model = ChatOpenAI(model="scripted", base_url=os.environ["OPENAI_BASE_URL"], api_key="none")
    client = KeepsakeClient(os.environ["API_URL"], os.environ["SECRET_KEY"])
    async with client as keepsake, TurnMemory(keepsake, deadline=30) as memory:
        ids = {"conversation_id": os.environ["CONVERSATION"], "user_id": os.environ["PERSON"]}
        said = {"messages": [("user", os.environ["QUESTION"])]}
        state = await build_graph(model, [], memory).ainvoke(said, {"configurable": ids})
    print(state["messages"][-1].content)
asyncio.run(main())
"""
