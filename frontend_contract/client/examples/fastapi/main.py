"""A chat backend with FastAPI that answers with memory: `uvicorn main:app`. The lines with + are what memory needs."""

import base64
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated
from uuid import UUID

import httpx
from fastapi import Depends, FastAPI, Header, HTTPException
from fastapi.responses import StreamingResponse
from openai import AsyncOpenAI
from pydantic import BaseModel

from keepsake_client import KeepsakeClient, PersonMessage, TurnMemory  # +

SUPABASE_URL = os.environ["SUPABASE_URL"]
model = AsyncOpenAI()  # OPENAI_BASE_URL and OPENAI_API_KEY
keepsake = KeepsakeClient(SUPABASE_URL, os.environ["SUPABASE_SECRET_KEY"])  # +
memory = TurnMemory(keepsake)  # +


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    """Close what is open when the server stops."""
    async with keepsake, memory:  # + what is still being sent at the end is waited for
        yield


app = FastAPI(lifespan=lifespan)


class Question(BaseModel):
    """What a person says in a conversation."""

    conversation_id: UUID
    text: str


async def find_author(question: Question, authorization: Annotated[str, Header()]) -> UUID:
    """Return whose token the request carries, if they take part in the conversation; REST checks its signature."""
    try:
        payload = authorization.split(".")[1]
        person = UUID(json.loads(base64.urlsafe_b64decode(payload + "=="))["sub"])
    except (IndexError, KeyError, ValueError):
        raise HTTPException(401) from None
    query = {"conversation_id": f"eq.{question.conversation_id}", "user_id": f"eq.{person}", "select": "user_id"}
    headers = {"apikey": os.environ["SUPABASE_PUBLISHABLE_KEY"], "authorization": authorization}
    async with httpx.AsyncClient(headers=headers, timeout=10) as http:
        found = await http.get(f"{SUPABASE_URL}/rest/v1/conversations_participants", params=query)
    if not found.is_success or not found.json():
        raise HTTPException(404, "Not your conversation.")
    return person


@app.post("/chat")
async def chat(question: Question, user_id: Annotated[UUID, Depends(find_author)]) -> StreamingResponse:
    """Stream the answer to a question."""
    return StreamingResponse(answer(question, user_id), media_type="text/plain")


async def answer(question: Question, user_id: UUID) -> AsyncIterator[str]:
    """Yield the answer's pieces as they come; what has arrived is saved, also where the reader leaves."""
    message = PersonMessage(question.conversation_id, question.text, user_id)  # +
    injection = await memory.recall(message)  # + a second at most, and never an error
    context = injection["context"] if injection else ""  # +
    said = ""
    try:
        messages = [{"role": "system", "content": context}, {"role": "user", "content": question.text}]
        stream = await model.chat.completions.create(model=os.environ["OPENAI_MODEL"], messages=messages, stream=True)
        async for chunk in stream:
            piece = (chunk.choices[0].delta.content or "") if chunk.choices else ""
            said += piece
            yield piece
    finally:
        memory.remember(message, said, injection)  # +
