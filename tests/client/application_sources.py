"""What the applications of ``new_applications`` are given: hostile styles, and programs for agents."""

from __future__ import annotations

HOSTILE_STYLES = """
#root, body { text-align: center; letter-spacing: 3px; line-height: 3; font: 22px serif; max-width: none }
h1, h2, h3 { margin: 60px; color: red; text-transform: uppercase }
button, input, li { background: yellow; border: 5px dashed red; list-style: square; float: right }
"""
"""What an application may say of elements; the panel is to look as always."""
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
CLIENT = """
import asyncio, os, uuid
from keepsake_client import KeepsakeClient

async def main():
    conversation_id, message_id = os.environ["CONVERSATION"], str(uuid.uuid4())
    async with KeepsakeClient(os.environ["API_URL"], os.environ["SECRET_KEY"]) as keepsake:
        await keepsake.save_message(conversation_id, message_id, os.environ["QUESTION"], user_id=os.environ["PERSON"])
        print((await keepsake.inject_memory(conversation_id, message_id))["context"])
asyncio.run(main())
"""
"""A question, and the context that a backend gives to its model."""
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
