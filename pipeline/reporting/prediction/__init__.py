"""The page of a predicted walk, and the study's page of all predicted walks."""
