-- Whether the summary s of a profile tells of something that was said after the merged context c was read, some minutes before
-- it was written. One that rests on no messages counts as written when it was last changed.
case when s.message_ids = '{}' then s.updated_at > c.created_at else exists (
  select from keepsake.extractions as e
  where e.user_id = s.user_id and e.profile_id = s.profile_id and e.said_at > c.created_at - interval '10 minutes'
    and e.source_message_id = any(s.message_ids)
) end
