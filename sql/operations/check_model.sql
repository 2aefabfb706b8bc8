-- What doctor says about the model.

-- name: verdict_of_model
-- The verdict on a model at its endpoint, the version of the prompt, and the day.
select v.verdict, v.prompt_version, v.checked_at::date from keepsake.model_verdicts as v where v.model = %(model)s

-- name: profile_of_model
-- The options that a model's endpoint does not take, how the form of replies is asked for, and since when that is known.
select p.refused, p.schema_mode, p.learnt_at::date from keepsake.model_profiles as p where p.model = %(model)s

-- name: quarantined_until
-- Until when a model is set aside because of its replies, and how many of them there were.
select c.next_probe_at at time zone 'utc', c.unusable_replies
from keepsake.model_circuits as c
where c.model = %(model)s and c.reason = 'bad_replies' and c.opened_at is not null

-- name: trial_of_model
-- How far the trial of a model is: since when, the turns so far, why the last attempt failed, and when the next one comes.
select t.began_at at time zone 'utc', jsonb_array_length(t.results), t.failure, t.queue_at at time zone 'utc'
from keepsake.model_trials as t where t.model = %(model)s and t.prompt_version = %(prompt_version)s
