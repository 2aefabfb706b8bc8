"""What the functions that generate summaries share.

- of periods that are over: ``generate_summaries`` finds the profiles with due periods and queues a job for each, and
  ``write_due_summaries`` is that job
- of the current day: ``refresh_context`` is the job; its steps are ``summarize_open_day``,
  ``write_six_day_history`` and ``merge_context``
- of conversations: ``queue_conversations`` says which are due, ``summarize_conversation`` is the job
- by a model, always before the transaction that stores the text: ``ask_about_period`` (for several people at once) and
  ``summarize_period_by_model``, ``summarize_conversation_by_model``; all of them ``ask_model``, whose result is a
  ``summary_attempt``. ``add_transits`` adds the transits for a profile with a birth chart.
  ``try_week`` tries a model with a fixed week
"""
