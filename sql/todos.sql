-- To-dos: which are open, opening and closing them.

-- name: open_todos
-- The open to-dos of a persona, said before a moment, newest first.
select t.id, t.kind, t.todo_text as text, t.due_date
from public.user_memory_todos as t
where t.user_id = %(user_id)s and t.profile_id = %(profile_id)s and t.persona_id is not distinct from %(persona_id)s
  and t.status = 'open' and t.opened_at <= %(said_at)s
order by t.opened_at desc, t.id
limit %(limit)s

-- name: insert_todo
-- Opens a to-do.
insert into public.user_memory_todos (user_id, profile_id, persona_id, kind, todo_text, due_date, source, source_quote,
  conversation_id, source_message_id, opened_at, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, %(persona_id)s, %(kind)s, %(text)s, %(due_date)s, %(source)s, %(quote)s,
  %(conversation_id)s, %(message_id)s, %(said_at)s, %(now)s, %(now)s)

-- name: reschedule_todo
-- Gives an open to-do another day, with the words that name it.
update public.user_memory_todos set todo_text = %(text)s, due_date = %(due_date)s, updated_at = %(now)s
where user_id = %(user_id)s and id = %(id)s and status = 'open'

-- name: close_todo
-- Closes an open to-do, by what a message says.
update public.user_memory_todos
set status = %(status)s, closed_at = %(said_at)s, closed_by_message_id = %(message_id)s, updated_at = %(now)s
where user_id = %(user_id)s and id = %(id)s and status = 'open'

-- name: todos_for_context
-- The open to-dos of a persona, those due soonest first, without what was due long ago. A to-do of a message of which
-- something was forgotten is not shown.
select t.kind, t.opened_at, t.due_date, t.todo_text as text, t.source
from public.user_memory_todos as t
where t.user_id = %(user_id)s and t.profile_id = %(profile_id)s and t.persona_id is not distinct from %(persona_id)s
  and t.status = 'open' and (t.due_date is null or t.due_date > %(now)s::date - 30)
  and not exists (
    select from public.user_memory as m
    where m.user_id = t.user_id and m.source_message_id = t.source_message_id and m.status = 'deleted'
  )
order by t.due_date, t.opened_at desc, t.id
limit %(limit)s

-- name: forget_todos_about
-- Forgets the to-dos of a profile that mention a subject.
delete from public.user_memory_todos as t
where t.user_id = %(user_id)s and t.profile_id = %(profile_id)s
  and keepsake.text_mentions(t.todo_text, %(subject)s, 'en')
returning t.id
