"""`deniable mine …`: models from disguised records."""
