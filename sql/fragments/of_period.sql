-- The summary s of one period of a profile.
s.level = %(level)s and s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.first_date = %(first_date)s
