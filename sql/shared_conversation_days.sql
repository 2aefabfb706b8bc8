-- Days on which several people spoke in a shared conversation: one job asks the model for all of them.

-- name: is_leased
-- Whether another job asks the model about this day of a profile.
select coalesce(p.leased_until > %(now)s, false) from keepsake.summary_periods as p
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s and p.level = 'day' and p.first_date = %(first_date)s

-- name: companions
-- The profiles whose same day waits for its summary and of which something was remembered that day in a conversation in
-- which this profile spoke too.
select distinct w.user_id, w.profile_id
from public.user_memory as m
join keepsake_chats.conversations_participants as p
  on p.conversation_id = m.conversation_id and p.user_id <> m.user_id and p.profile_id is not null
join keepsake.summary_periods as w
  on w.user_id = p.user_id and w.profile_id = p.profile_id and w.level = 'day' and w.first_date = %(first_date)s
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.valid_from >= %(start)s and m.valid_from < %(end)s
  and exists (
    select from public.user_memory as o
    where o.user_id = p.user_id and o.profile_id = p.profile_id and o.conversation_id = m.conversation_id
      and o.valid_from >= %(start)s - interval '1 day' and o.valid_from < %(end)s + interval '1 day'
  )
order by w.user_id, w.profile_id limit %(limit)s

-- name: lease
-- Leases the day of these profiles, as far as nobody else has.
with free as (
  select p.user_id, p.profile_id from keepsake.summary_periods as p
  where (p.user_id, p.profile_id) in (select * from unnest(%(user_ids)s::uuid[], %(profile_ids)s::uuid[]))
    and p.level = 'day' and p.first_date = %(first_date)s and (p.leased_until is null or p.leased_until <= %(now)s)
  order by p.user_id, p.profile_id for update
)
update keepsake.summary_periods as p set leased_until = %(until)s
from free as f
where p.user_id = f.user_id and p.profile_id = f.profile_id and p.level = 'day' and p.first_date = %(first_date)s
returning p.user_id, p.profile_id

-- name: release
-- Ends the leases of these profiles.
with leased as (
  select p.user_id, p.profile_id from keepsake.summary_periods as p
  where (p.user_id, p.profile_id) in (select * from unnest(%(user_ids)s::uuid[], %(profile_ids)s::uuid[]))
    and p.level = 'day' and p.first_date = %(first_date)s
  order by p.user_id, p.profile_id for update
)
update keepsake.summary_periods as p set leased_until = null
from leased as f
where p.user_id = f.user_id and p.profile_id = f.profile_id and p.level = 'day' and p.first_date = %(first_date)s
