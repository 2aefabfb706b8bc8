"""A first memory, from nothing: somebody agrees, says one sentence, asks something later, and this prints the context.

Needs a running stack, its addresses and keys in the environment, and the token of a person (README, "A first memory").
"""

import base64
import json
import os
import sys
import time
import urllib.request

try:
    API, FUNCTIONS, SECRET_KEY = (os.environ[name] for name in ("API_URL", "FUNCTIONS_URL", "SECRET_KEY"))
    PUBLISHABLE_KEY, TOKEN = os.environ["PUBLISHABLE_KEY"], os.environ["TOKEN"]
except KeyError as missing:
    sys.exit(f"{missing} is not set. README, under “A first memory”, has the line that sets it.")

# The backend has the secret key; the person's own app has their token and the publishable key.
BACKEND = {"apikey": SECRET_KEY}
PERSON = {"apikey": PUBLISHABLE_KEY, "authorization": f"Bearer {TOKEN}"}
USER_ID = json.loads(base64.urlsafe_b64decode(TOKEN.split(".")[1] + "=="))["sub"]


def call(headers, url, body=None, prefer="return=representation"):
    """POST the body, or GET where there is none, and return what comes back."""
    headers = {**headers, "content-type": "application/json", "prefer": prefer}
    request = urllib.request.Request(url, json.dumps(body).encode() if body is not None else None, headers)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or "null")


def say(conversation_id, text):
    """Save a message of the person; return what the functions want to know of it."""
    row = {"conversation_id": conversation_id, "user_id": USER_ID, "role": "user", "content": text}
    (message,) = call(BACKEND, f"{API}/rest/v1/messages", row)
    return {"conversation_id": conversation_id, "message_id": message["id"]}


def new_conversation(profile_id):
    """A chat in which the person is remembered."""
    (conversation,) = call(BACKEND, f"{API}/rest/v1/conversations", {"user_id": USER_ID, "profile_id": profile_id})
    return conversation["id"]


# 1. The person agrees, with their own token. This makes their primary profile, if they have none.
agreement = {"onboarding_seen_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "building": True}
call(PERSON, f"{API}/rest/v1/user_memory_settings", agreement, "resolution=merge-duplicates")
(profile,) = call(PERSON, f"{API}/rest/v1/user_profile_list?user_id=eq.{USER_ID}&is_primary=is.true")

# 2. They say something. chat-send answers at once, and the message is read afterwards.
call(BACKEND, f"{FUNCTIONS}/chat-send", say(new_conversation(profile["id"]), "I live in Lisbon and I love ramen."))
print("You said: I live in Lisbon and I love ramen.")

# 3. The person's app shows what is remembered.
query = "is_active=is.true&memory_text=match.Lisbon%7Cramen&order=memory_no"
memories, until = [], time.monotonic() + 30
while not memories and time.monotonic() < until:
    time.sleep(0.2)
    memories = call(PERSON, f"{API}/rest/v1/user_memory?{query}")
for memory in memories:
    print(f"Remembered: M-{memory['memory_no']} {memory['memory_text']}")

# 4. Another day, in another chat, the backend asks what its language model should know.
context = call(BACKEND, f"{FUNCTIONS}/inject-memory", say(new_conversation(profile["id"]), "Where can I eat tonight?"))
print("Later you ask: Where can I eat tonight?\nThe context for the model:\n")
print(context["context"])
