"""Applications whose chats are kept as public ones keep them: their tables, policies and people, written anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from keepsake.operations.adoption.known import Known

ADA = UUID("00000000-0000-4000-8000-00000000000a")
BEN = UUID("00000000-0000-4000-8000-00000000000b")
_ACCOUNTS = f"insert into auth.users (id) values ('{ADA}'), ('{BEN}');"
_OWN_ROWS = """
alter table public.{chats} enable row level security;
alter table public.{messages} enable row level security;
grant select, insert, update, delete on public.{chats}, public.{messages} to authenticated;
grant usage on all sequences in schema public to authenticated;
create policy "own chats" on public.{chats} for all to authenticated using ({owns}) with check ({owns});
create policy "own messages" on public.{messages} for all to authenticated
  using (exists (select from public.{chats} as c where c.id = {messages}.{chat}));
"""


def _policies(chats: str, messages: str, chat: str, owns: str = "user_id = (select auth.uid())") -> str:
    return _OWN_ROWS.format(chats=chats, messages=messages, chat=chat, owns=owns)


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables of an application, and the statements by which it works on them."""

    tables: str
    chats: str
    messages: str
    new_chat: str
    """Starts a chat of Ada's."""
    say: str
    """Saves a message in the latest chat: {role} and {text}."""
    known: Known = field(default_factory=Known)
    is_written_by_people: bool = True
    """Whether the people write through REST, under the policies of the tables; else the application's backend does."""
    chat_id: str = "id"
    """The expression of the chat's id, as Keepsake's API takes it."""
    message_id: str = "id"
    roles: tuple[str, str] = ("user", "assistant")


CHATBOT_UI = Layout(
    tables=_ACCOUNTS
    + """
create table public.profiles (id uuid primary key default gen_random_uuid(), user_id uuid not null unique
  references auth.users (id) on delete cascade, display_name text not null default '');
insert into public.profiles (user_id) select id from auth.users;
create table public.assistants (id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade, name text not null);
create table public.chats (id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  assistant_id uuid references public.assistants (id),
  name text not null, created_at timestamptz not null default now());
create table public.messages (id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references public.chats (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  assistant_id uuid references public.assistants (id) on delete cascade,
  content text not null, image_paths text[] not null default '{}', model text not null default 'm',
  role text not null, sequence_number int not null default 0, created_at timestamptz not null default now());
"""
    + _policies("chats", "messages", "chat_id"),
    chats="public.chats",
    messages="public.messages",
    new_chat=f"insert into public.chats (user_id, name) values ('{ADA}', 'New')",
    say="insert into public.messages (chat_id, user_id, role, content)"
    f" select id, '{ADA}', '{{role}}', '{{text}}' from public.chats order by created_at desc limit 1",
)
AI_CHATBOT = Layout(
    tables=f"""
create table public."User" (id uuid primary key default gen_random_uuid(), email varchar(64) not null);
insert into public."User" values ('{ADA}', 'ada@example.com'), ('{BEN}', 'ben@example.com');
create table public."Chat" (id uuid primary key default gen_random_uuid(),
  "createdAt" timestamp not null default now(), title text not null,
  "userId" uuid not null references public."User" (id), visibility varchar not null default 'private');
create table public."Message" (id uuid primary key default gen_random_uuid(),
  "chatId" uuid not null references public."Chat" (id), role varchar not null, content json not null,
  "createdAt" timestamp not null default now());
create table public."Message_v2" (id uuid primary key default gen_random_uuid(),
  "chatId" uuid not null references public."Chat" (id), role varchar not null, parts json not null,
  attachments json not null default '[]', "createdAt" timestamp not null default now());
""",
    chats='public."Chat"',
    messages='public."Message_v2"',
    new_chat=f"insert into public.\"Chat\" (title, \"userId\") values ('New', '{ADA}')",
    say='insert into public."Message_v2" ("chatId", role, parts) select id, \'{role}\','
    ' \'[{{"type": "step-start"}}, {{"type": "text", "text": "{text}"}}]\' from public."Chat"'
    ' order by "createdAt" desc limit 1',
    known=Known(may_add_people=True),
    is_written_by_people=False,
)
COMPANION = Layout(
    tables=_ACCOUNTS
    + """
create table public.users (id uuid primary key default gen_random_uuid(),
  auth_user_id uuid not null unique references auth.users (id) on delete cascade, name text);
insert into public.users (auth_user_id, name) select id, 'Ada' from auth.users;
create table public.conversations (id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.users (id) on delete cascade, mode integer not null default 1,
  created_at timestamptz not null default now());
create table public.messages (id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  role text not null check (role in ('user', 'assistant')), content text not null, meta text,
  created_at timestamptz not null default now());
grant select on public.users to authenticated;
"""
    + _policies(
        "conversations",
        "messages",
        "conversation_id",
        "user_id in (select u.id from public.users as u where u.auth_user_id = (select auth.uid()))",
    ),
    chats="public.conversations",
    messages="public.messages",
    new_chat=f"insert into public.conversations (user_id) select id from public.users where auth_user_id = '{ADA}'",
    say="insert into public.messages (conversation_id, role, content) select id, '{role}', '{text}'"
    " from public.conversations order by created_at desc limit 1",
)
SOFT_DELETES = Layout(
    tables=_ACCOUNTS
    + """
create table public.conversations (id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade, title text,
  deleted boolean not null default false, created_at timestamptz not null default now());
create table public.messages (id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade, user_id uuid default auth.uid(),
  role text not null, content text not null, deleted_at timestamptz, created_at timestamptz not null default now());
"""
    + _policies("conversations", "messages", "conversation_id", "user_id = (select auth.uid()) and not deleted"),
    chats="public.conversations",
    messages="public.messages",
    new_chat=f"insert into public.conversations (user_id, title) values ('{ADA}', 'New')",
    say="insert into public.messages (conversation_id, role, content) select id, '{role}', '{text}'"
    " from public.conversations order by created_at desc limit 1",
)
BIGINTS = Layout(
    tables=_ACCOUNTS
    + """
create table public.user_profile_list (id bigint generated by default as identity primary key, user_id uuid unique
  references auth.users (id) on delete cascade, name text);
create table public.conversations (id bigint generated by default as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade, title text);
create table public.conversations_participants (id bigint generated by default as identity primary key,
  conversation_id bigint references public.conversations (id) on delete cascade, seat integer not null);
create table public.messages (id bigint generated by default as identity primary key,
  conversation_id bigint not null references public.conversations (id) on delete cascade, sender text not null,
  content text, sent_at timestamp not null default now());
create table public.conversation_summaries (id bigint generated by default as identity primary key, summary text);
"""
    + _policies("conversations", "messages", "conversation_id"),
    chats="public.conversations",
    messages="public.messages",
    new_chat=f"insert into public.conversations (user_id, title) values ('{ADA}', 'New')",
    say="insert into public.messages (conversation_id, sender, content) select id, '{role}', '{text}'"
    " from public.conversations order by id desc limit 1",
    chat_id="md5('chats ' || id)::uuid",
    message_id="md5('messages ' || id)::uuid",
    roles=("human", "bot"),
)
NEXT_AUTH = Layout(
    tables=f"""
create schema next_auth;
create table next_auth.users (id uuid primary key, name text);
insert into next_auth.users values ('{ADA}', 'Ada'), ('{BEN}', 'Ben');
create table public.chats (id uuid primary key default gen_random_uuid(),
  "userId" uuid not null references next_auth.users (id) on delete cascade, title text not null default 'New');
create table public.messages (id uuid primary key default gen_random_uuid(),
  "chatId" uuid not null references public.chats (id) on delete cascade, role text not null, parts json not null,
  "createdAt" timestamp not null default now());
""",
    chats="public.chats",
    messages="public.messages",
    new_chat=f"insert into public.chats (\"userId\") values ('{ADA}')",
    say='insert into public.messages ("chatId", role, parts)'
    " select id, '{role}', '[\"{text}\"]' from public.chats limit 1",
    known=Known(may_add_people=True),
    is_written_by_people=False,
)
JSON_IN_THE_CHAT = Layout(
    tables=_ACCOUNTS
    + """
create table public.chats (id text primary key default substr(md5(random()::text), 1, 7),
  user_id uuid references auth.users (id) on delete cascade, payload jsonb);
alter table public.chats enable row level security;
grant select, insert, update, delete on public.chats to authenticated;
create policy "own chats" on public.chats for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
""",
    chats="public.chats",
    messages="public.chats",
    new_chat="insert into public.chats (user_id, payload)"
    f' values (\'{ADA}\', \'{{"title": "New", "createdAt": 1700000000000, "messages": []}}\')',
    say="update public.chats set payload = jsonb_set(payload, '{{messages}}', payload -> 'messages' ||"
    ' \'[{{"role": "{role}", "content": "{text}"}}]\')',
    chat_id="md5('chats ' || id)::uuid",
    message_id="md5('messages ' || id || ' ' || jsonb_array_length(payload -> 'messages') - 1)::uuid",
)
NUMBERS_ELSEWHERE = Layout(
    tables=_ACCOUNTS
    + """
create schema garden;
create table garden.members (id uuid primary key references auth.users (id) on delete cascade, called text);
insert into garden.members (id) select id from auth.users;
create table garden.voices (code smallint primary key, meaning text);
insert into garden.voices values (0, 'helper'), (1, 'member'), (4, 'staff');
create table garden.talks (id bigint generated by default as identity primary key,
  started_by uuid not null references garden.members (id) on delete cascade, state smallint not null default 0);
create table garden.lines (id uuid primary key default gen_random_uuid(),
  talk bigint not null references garden.talks (id) on delete cascade,
  voice smallint not null references garden.voices (code), spoken_by uuid references garden.members (id),
  words text not null, at timestamptz not null default now(), struck timestamptz);
alter table garden.talks enable row level security;
alter table garden.lines enable row level security;
create policy "own talks" on garden.talks for select using (state <> 2 and started_by = auth.uid());
create policy "own lines" on garden.lines for select using (struck is null);
""",
    chats="garden.talks",
    messages="garden.lines",
    new_chat=f"insert into garden.talks (started_by) values ('{ADA}')",
    say="insert into garden.lines (talk, voice, spoken_by, words)"
    f" select id, {{role}}, case when {{role}} = 1 then '{ADA}'::uuid end, '{{text}}' from garden.talks limit 1",
    known=Known(
        {
            "chats": "garden.talks",
            "messages": "garden.lines",
            "messages.chat": "talk",
            "messages.role": "voice",
            "messages.text": "words",
            "messages.time": "at",
            "chats.owner": "started_by",
            "chats.deleted": "state=2,3",
            "messages.deleted": "struck",
        },
        user_words=["1"],
        assistant_words=["0"],
    ),
    is_written_by_people=False,
    chat_id="md5('chats ' || id)::uuid",
    roles=("1", "0"),
)
LAYOUTS = {
    "chatbot-ui": CHATBOT_UI,
    "ai-chatbot": AI_CHATBOT,
    "companion-ai": COMPANION,
    "soft deletes": SOFT_DELETES,
    "bigint keys, names taken": BIGINTS,
    "next_auth": NEXT_AUTH,
    "JSON in the chat": JSON_IN_THE_CHAT,
    "another schema, numbers for roles": NUMBERS_ELSEWHERE,
}
