"""Which kinds of models there are, what people read of them, and how they are read and written."""
