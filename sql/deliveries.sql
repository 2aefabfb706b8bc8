-- Webhook deliveries that were answered, so that a repeated one gets the first answer.

-- name: note_delivery
-- Be the first to answer a delivery; a second waits here for the first, and nothing comes back for it.
insert into keepsake.webhooks_seen (webhook_id, status, outcome, received_at)
values (%(webhook_id)s, %(status)s, '{}', %(now)s)
on conflict (webhook_id) do nothing
returning webhook_id

-- name: keep_outcome
-- Keep what a delivery was answered.
update keepsake.webhooks_seen set outcome = %(outcome)s where webhook_id = %(webhook_id)s

-- name: first_outcome
-- What a delivery was answered the first time.
select outcome from keepsake.webhooks_seen where webhook_id = %(webhook_id)s
