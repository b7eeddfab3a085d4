"""Speed and memory, side by side with peers: `make bench` writes docs/benchmarks.md.

One module per question. Both sides of a ratio are measured in the same process, on the same data,
each by the best of several repeats: on a shared machine the minimum is what the code itself takes.
"""
