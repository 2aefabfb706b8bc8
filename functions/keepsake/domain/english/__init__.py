"""What is known of the English language: words, forms, dates; nothing of the product."""
