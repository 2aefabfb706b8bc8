"""What gets through of attacks: by strangers, by agents, and by texts with secrets, instructions or slow patterns."""
