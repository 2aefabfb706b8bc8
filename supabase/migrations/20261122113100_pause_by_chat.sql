-- Pausing and resuming by chat: two more kinds of commands.
alter table keepsake.commands drop constraint commands_kind;
alter table keepsake.commands add constraint commands_kind check (kind in ('recall_all', 'recall_subject', 'forget_last',
  'forget_subject', 'forget_all', 'do_not_remember', 'remember', 'undo_last', 'accept_request', 'reject_request',
  'agent_forget', 'agent_deactivate', 'pause', 'resume'));
