-- The schedule on Supabase, with pg_cron and pg_net: `keepsake schedule` prints it with your address and your secret key.
-- By hand, replace <functions> by the host of the functions (where each is a service of its own, by the host of each) and
-- put the key in. Run it as postgres, and again after a change of either. Other schedulers call the same functions in the
-- same intervals.

create extension if not exists pg_cron;
create extension if not exists pg_net;
select vault.update_secret(s.id, 'sb_secret_…') from vault.decrypted_secrets as s where s.name = 'keepsake_secret_key';
select vault.create_secret('sb_secret_…', 'keepsake_secret_key')
where not exists (select from vault.decrypted_secrets as s where s.name = 'keepsake_secret_key');
select cron.schedule('keepsake-due', '* * * * *', $$
  select net.http_post('https://<functions>/functions/v1/run-due-jobs', '{}', timeout_milliseconds := 60000, headers := jsonb_build_object(
    'apikey', (select decrypted_secret from vault.decrypted_secrets where name = 'keepsake_secret_key'))) $$);
select cron.schedule('keepsake-archive', '17 3 * * *', $$
  select net.http_post('https://<functions>/functions/v1/archive-old-memories', '{}', timeout_milliseconds := 90000, headers := jsonb_build_object(
    'apikey', (select decrypted_secret from vault.decrypted_secrets where name = 'keepsake_secret_key'))) $$);
-- Four times an hour, because time zones begin their days at every quarter of an hour.
select cron.schedule('keepsake-days', '1,16,31,46 * * * *', $$
  select net.http_post('https://<functions>/functions/v1/generate-daily-summaries', '{}', timeout_milliseconds := 90000, headers := jsonb_build_object(
    'apikey', (select decrypted_secret from vault.decrypted_secrets where name = 'keepsake_secret_key'))) $$);
select cron.schedule('keepsake-weeks', '3,18,33,48 * * * *', $$
  select net.http_post('https://<functions>/functions/v1/generate-weekly-summaries', '{}', timeout_milliseconds := 90000, headers := jsonb_build_object(
    'apikey', (select decrypted_secret from vault.decrypted_secrets where name = 'keepsake_secret_key'))) $$);
select cron.schedule('keepsake-months', '5,20,35,50 * * * *', $$
  select net.http_post('https://<functions>/functions/v1/generate-monthly-summaries', '{}', timeout_milliseconds := 90000, headers := jsonb_build_object(
    'apikey', (select decrypted_secret from vault.decrypted_secrets where name = 'keepsake_secret_key'))) $$);
