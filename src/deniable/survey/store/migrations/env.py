"""Alembic runs this; the connection comes from `deniable.survey.store.database`."""

from alembic import context

from deniable.survey.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
