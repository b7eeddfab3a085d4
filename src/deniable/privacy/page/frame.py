"""The page's head and looks: screens, small screens, dark ones, and paper."""

from deniable.privacy.page.markup import Html, tag

STYLE = """\
:root { color-scheme: light dark;
  --ink: #1b1f24; --soft: #57606a; --paper: #fff; --card: #fff; --edge: #d5dae0; --grid: #e4e8ec;
  --empty: #ccd3da; --before: #57606a; --after: #0f6cbd; --attacker: #b3470e;
  --alarm: #8f2d0a; --alarm-card: #fff5ef; --alarm-edge: #e8b79f;
  --c0: #0f6cbd; --c1: #b3470e; --c2: #157a54; --c3: #7d4bb3; --c4: #a3195b; --c5: #6b6100; }
@media screen and (prefers-color-scheme: dark) { :root {
  --ink: #e6e9ec; --soft: #a9b3bd; --paper: #14171a; --card: #1b1f24; --edge: #3a424b;
  --grid: #2d343b; --empty: #3d464f; --before: #b4bdc6; --after: #6cb4f2; --attacker: #f09a6a;
  --alarm: #ffb896; --alarm-card: #2a1c15; --alarm-edge: #6d4330;
  --c0: #6cb4f2; --c1: #f09a6a; --c2: #5cc79a; --c3: #bd9cec; --c4: #f087b6; --c5: #cfc255; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1rem 3rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto,
  "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 2rem; line-height: 1.15; margin: 0 0 .75rem; }
h2 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .5rem; }
h3 { font-size: 1.15rem; margin: 0 0 .4rem; }
h4 { font-size: 1rem; margin: 0 0 .4rem; }
p, ul, ol, dl { margin: 0 0 .75rem; max-width: 46rem; }
ul, ol { padding-left: 1.25rem; } li { margin-bottom: .3rem; }
section { margin: 2.25rem 0; }
.file { color: var(--soft); margin-bottom: .25rem; } .lead { font-size: 1.125rem; }
.small, small, .each, footer, summary, details, .tick, .axis { color: var(--soft); }
.small, details { font-size: .875rem; } .each { font-weight: 400; font-size: .875rem; }
.card { background: var(--card); border: 1px solid var(--edge); border-radius: .5rem;
  padding: 1rem 1.125rem .75rem; }
.cards { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
.cards { margin: 1rem 0 1.5rem; } .cards > * { min-width: 0; }
.cards > :not(:has(figure)) { align-self: start; } .group { margin: 1.5rem 0; }
.warnings { background: var(--alarm-card); border-color: var(--alarm-edge); }
.warnings h2 { color: var(--alarm); } .warnings li::marker { color: var(--alarm); }
.warnings .small { color: inherit; } .warnings li:first-child { font-weight: 600; }
.hundreds { display: grid; grid-template-columns: repeat(4, minmax(0, 6.5rem));
  gap: .9rem 1.1rem; margin: .25rem 0 .9rem; }
.record .hundreds { grid-template-columns: repeat(4, minmax(0, 8rem)); gap: 1.5rem; }
.hundred { margin: 0; } .hundred svg { display: block; width: 100%; }
.hundred figcaption { font-size: .875rem; line-height: 1.3; margin-top: .3rem; }
.hundred strong { display: block; font-size: 1rem; }
.hundred small { font-weight: 400; font-size: .8125rem; display: block; }
.before { --role: var(--before); } .after { --role: var(--after); }
.attacker { --role: var(--attacker); } .hundred strong { color: var(--role); }
.head, .body { fill: none; stroke-linecap: round; stroke: var(--role); }
.head { stroke-width: 3.4; } .body { stroke-width: 4.8; } .out { stroke: var(--empty); }
.curve { margin: 1rem 0; } .curve > svg { display: block; width: 100%; height: auto; }
.curve > .wide { max-width: 46rem; } .curve > .narrow { display: none; max-width: 24rem; }
.curve text { font-size: 12px; fill: var(--soft); } .curve .label { font-size: 13px; }
.grid { stroke: var(--grid); fill: none; } .line { fill: none; stroke-width: 2.25; }
.lead-line { fill: none; stroke-width: 1; opacity: .55; }
.c0 { --colour: var(--c0); } .c1 { --colour: var(--c1); } .c2 { --colour: var(--c2); }
.c3 { --colour: var(--c3); } .c4 { --colour: var(--c4); } .c5 { --colour: var(--c5); }
.line.c1 { stroke-dasharray: 9 3; } .line.c2 { stroke-dasharray: 4 3; }
.line.c3 { stroke-dasharray: 12 3 3 3; } .line.c4 { stroke-dasharray: 2 3; }
.line.c5 { stroke-dasharray: 6 2; }
.line, .lead-line { stroke: var(--colour); }
.dot { fill: var(--colour); stroke: var(--card); stroke-width: 2; }
.curve .label { fill: var(--colour); font-weight: 600; }
table { border-collapse: collapse; margin: .5rem 0 .75rem; }
th, td { padding: .2rem .75rem .2rem 0; text-align: left; vertical-align: top; }
td { font-variant-numeric: tabular-nums; } thead th { font-weight: 400; }
tbody th { font-weight: 600; } tbody tr { border-top: 1px solid var(--edge); }
summary { cursor: pointer; margin-bottom: .4rem; width: fit-content; }
summary:focus-visible { outline: 2px solid var(--after); outline-offset: 2px; }
dl { columns: 2 22rem; column-gap: 2rem; max-width: none; }
dl div { padding-bottom: .5rem; break-inside: avoid; } dt { font-weight: 600; } dd { margin: 0; }
footer { border-top: 1px solid var(--edge); padding-top: .75rem; font-size: .875rem; }
@media (max-width: 36rem) { body { padding-top: 1.25rem; } h1 { font-size: 1.6rem; }
  .card { padding: .875rem .875rem .5rem; }
  .curve > .wide { display: none; } .curve > .narrow { display: block; }
  .hundreds { gap: .75rem; grid-template-columns: repeat(3, minmax(0, 6.5rem)); }
  .record .hundreds { gap: .75rem; grid-template-columns: repeat(3, minmax(0, 8rem)); }
  .of-4 { grid-template-columns: repeat(2, minmax(0, 6.5rem)); } }
@page { size: A4; margin: 14mm; }
@media print { :root { color-scheme: light; --soft: #3d444b; }
  html { font-size: 8.5pt; } body { max-width: none; padding: 0; line-height: 1.35; }
  section { margin: 1.25rem 0; } .small, .hundred figcaption { font-size: 7.5pt; }
  details { font-size: 7.5pt; line-height: 1.25; } details li { margin-bottom: .1rem; }
  table { margin: .2rem 0 .4rem; } th, td { padding-block: .05rem; }
  .hundred strong { font-size: 7.8pt; } .card p { margin-bottom: .3rem; line-height: 1.25; }
  p, ul, ol { max-width: none; } .cards { display: block; }
  article.card { margin: 0 0 3mm; display: grid; grid-template-columns: 1fr 1fr;
    grid-template-rows: repeat(6, min-content) 1fr; column-gap: 6mm; }
  article > * { grid-column: 1; } article > details { grid-column: 2; grid-row: 1 / -1; }
  .card { padding: .6rem .9rem .1rem; }
  h1, h2, h3, h4 { break-after: avoid; }
  .card, .assumed, figure, tr, li, .group > p { break-inside: avoid; }
  .hundreds { break-inside: avoid; grid-template-columns: repeat(4, minmax(0, 16.5mm));
    margin-bottom: .4rem; }
  .curve > .wide { display: block; max-width: 125mm; } .curve > .narrow { display: none; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  summary { list-style: none; font-weight: 600; } }
"""


def framed(title: str, body: Html) -> str:
    """Put a page around its body."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{tag('title', title)}\n<style>\n{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )
