"""What is known of the English language, and nothing of the product: word forms, kinship terms, word lists."""
