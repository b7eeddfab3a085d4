"""``python -m deniable``."""

from deniable.cli import main

main()
