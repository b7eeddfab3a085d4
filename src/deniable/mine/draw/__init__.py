"""Models drawn as text, for Graphviz, and as SVG."""
