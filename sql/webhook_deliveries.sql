-- Webhook deliveries and their answers: a repeated delivery gets the first answer.

-- name: claim_delivery
-- Claims a delivery by its idempotency key; a second one waits for the first and gets no row.
insert into keepsake.webhook_deliveries (webhook_id, status, outcome, received_at)
values (%(webhook_id)s, %(status)s, '{}', %(now)s)
on conflict (webhook_id) do nothing
returning webhook_id

-- name: store_outcome
-- Stores the answer of a delivery.
update keepsake.webhook_deliveries set outcome = %(outcome)s where webhook_id = %(webhook_id)s

-- name: stored_outcome
-- The stored answer of a delivery.
select outcome from keepsake.webhook_deliveries where webhook_id = %(webhook_id)s
