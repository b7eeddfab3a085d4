"""A survey's database: tables, migrations, and the rules by which answers enter and leave."""
