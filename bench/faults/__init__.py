"""What is lost, doubled or left over when processes, connections and databases are stopped or killed."""
