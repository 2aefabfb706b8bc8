
    insert into keepsake_chats.messages (id, conversation_id, user_id, role, content, created_at)
    select {m_message_id}, c.id, case when {m_is_user} then c.user_id end,
      case when {m_is_user} then 'user' else 'assistant' end, {m_text}, {m_time}
    from {messages_read} as m join keepsake_chats.conversations as c on c.id = {m_chat} and c.user_id = person
    where {m_time} >= since and not {m_is_deleted} and ({m_is_assistant} or {m_is_user} and {m_author} = c.user_id)
    on conflict (id) do nothing;
