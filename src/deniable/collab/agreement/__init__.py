"""What people write and sign: party.yaml and collaboration.yaml."""
