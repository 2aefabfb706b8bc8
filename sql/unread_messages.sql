-- The messages of people that nobody has read yet: those that an application had before it had Keepsake.

-- name: consenting_people
-- The people who chose their primary profile for some conversation, in the order of their ids, after one of them.
select distinct p.user_id
from keepsake_chats.conversations_participants as p
join keepsake_chats.user_profile_list as f on f.id = p.profile_id and f.user_id = p.user_id and f.is_primary
where p.user_id > %(after)s
order by p.user_id
limit %(limit)s

-- name: unread_messages
-- The person's messages without a finished extraction, oldest first, from a date and after one of them.
select m.conversation_id, m.id as message_id, m.user_id, m.created_at
from keepsake_chats.messages as m
where m.user_id = %(user_id)s and m.role = 'user' and m.created_at >= %(since)s
  and (m.created_at, m.id) > (%(after_time)s, %(after_id)s)
  and not exists (
    select from keepsake.extractions as e
    where e.user_id = m.user_id and e.source_message_id = m.id
      and e.status in ('extracted', 'skipped', 'quarantined')
    offset 0
  )
order by m.created_at, m.id
limit %(limit)s

-- name: count_finished
-- How many of the person's messages from a date have a finished extraction, by the reason why nothing was read of them.
select case when e.status <> 'extracted' then coalesce(e.reason, e.status) end as reason, count(*) as messages
from keepsake_chats.messages as m
join keepsake.extractions as e on e.user_id = m.user_id and e.source_message_id = m.id
where m.user_id = %(user_id)s and m.role = 'user' and m.created_at >= %(since)s
  and e.status in ('extracted', 'skipped', 'quarantined')
group by 1
