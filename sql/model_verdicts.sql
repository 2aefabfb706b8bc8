-- What a trial found out about each model at its endpoint.

-- name: stored_verdict
-- The last judgment of a model.
select v.verdict, v.prompt_version, v.checked_at, v.figures from keepsake.model_verdicts as v where v.model = %(model)s

-- name: all_verdicts
-- The last judgment of every model, those of the newest prompt first.
select v.model, v.verdict, v.prompt_version, v.checked_at, v.figures from keepsake.model_verdicts as v
order by v.checked_at desc

-- name: store_verdict
-- Stores the judgment of a model in place of the one before.
insert into keepsake.model_verdicts as v (model, verdict, prompt_version, checked_at, figures)
values (%(model)s, %(verdict)s, %(prompt_version)s, %(checked_at)s, %(figures)s)
on conflict (model) do update
  set verdict = excluded.verdict, prompt_version = excluded.prompt_version, checked_at = excluded.checked_at,
    figures = excluded.figures
