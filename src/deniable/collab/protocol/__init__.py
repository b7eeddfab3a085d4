"""What parties say to each other: verbs with typed bodies, who may ask each, and when."""
