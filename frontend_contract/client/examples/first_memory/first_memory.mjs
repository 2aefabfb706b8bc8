// A first memory, from nothing: somebody agrees, says one sentence, asks something later, and this prints the context.
// Needs a running stack, its addresses and keys in the environment, and the token of a person (README, "A first memory").
const { API_URL, FUNCTIONS_URL, SECRET_KEY, PUBLISHABLE_KEY, TOKEN } = process.env
for (const name of ['API_URL', 'FUNCTIONS_URL', 'SECRET_KEY', 'PUBLISHABLE_KEY', 'TOKEN']) {
  if (process.env[name]) continue
  console.error(`${name} is not set. README, under “A first memory”, has the line that sets it.`)
  process.exit(1)
}

// The backend has the secret key; the person's own app has their token and the publishable key.
const BACKEND = { apikey: SECRET_KEY }
const PERSON = { apikey: PUBLISHABLE_KEY, authorization: `Bearer ${TOKEN}` }
const user_id = JSON.parse(Buffer.from(TOKEN.split('.')[1], 'base64url')).sub

// POST the body, or GET where there is none, and return what comes back.
async function call(headers, url, body, prefer = 'return=representation') {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, 'content-type': 'application/json', prefer },
    body: body && JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return text ? JSON.parse(text) : null
}

// Save a message of the person; return what the functions want to know of it.
async function say(conversation_id, content) {
  const row = { conversation_id, user_id, role: 'user', content }
  const [message] = await call(BACKEND, `${API_URL}/rest/v1/messages`, row)
  return { conversation_id, message_id: message.id }
}

// A chat in which the person is remembered.
async function newConversation(profile_id) {
  const [conversation] = await call(BACKEND, `${API_URL}/rest/v1/conversations`, { user_id, profile_id })
  return conversation.id
}

// 1. The person agrees, with their own token. This makes their primary profile, if they have none.
const agreement = { onboarding_seen_at: new Date().toISOString(), building: true }
await call(PERSON, `${API_URL}/rest/v1/user_memory_settings`, agreement, 'resolution=merge-duplicates')
const [profile] = await call(PERSON, `${API_URL}/rest/v1/user_profile_list?user_id=eq.${user_id}&is_primary=is.true`)

// 2. They say something. chat-send answers at once, and the message is read afterwards.
const said = 'I live in Lisbon and I love ramen.'
await call(BACKEND, `${FUNCTIONS_URL}/chat-send`, await say(await newConversation(profile.id), said))
console.log(`You said: ${said}`)

// 3. The person's app shows what is remembered.
const memoriesUrl = `${API_URL}/rest/v1/user_memory?is_active=is.true&memory_text=match.Lisbon%7Cramen&order=memory_no`
let memories = []
for (const until = Date.now() + 30_000; !memories.length && Date.now() < until; ) {
  await new Promise((resolve) => setTimeout(resolve, 200))
  memories = await call(PERSON, memoriesUrl)
}
for (const { memory_no, memory_text } of memories) console.log(`Remembered: M-${memory_no} ${memory_text}`)

// 4. Another day, in another chat, the backend asks what its language model should know.
const asked = 'Where can I eat tonight?'
const { context } = await call(BACKEND, `${FUNCTIONS_URL}/inject-memory`, await say(await newConversation(profile.id), asked))
console.log(`Later you ask: ${asked}\nThe context for the model:\n`)
console.log(context)
