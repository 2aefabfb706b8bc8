"""Which memories a message needs, and the text that tells the model of them."""
