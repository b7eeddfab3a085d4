"""How a database made by an older version becomes one of this version: alembic's scripts."""
