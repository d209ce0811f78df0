"""What a puzzle is, what an answer is, the judges, the native searches and the generators."""
