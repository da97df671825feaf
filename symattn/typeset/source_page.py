"""A text with marks in place, as HTML: its style, and the script that draws arrows between marks.

Without the script a page says the same: an arrow is a link to its mark before.
"""

from __future__ import annotations

from symattn.typeset.html_page import policy

STYLE = """\
.symattn .source {
  position: relative; margin: 1.5em 0; padding: .6em 0; border: 1px solid var(--rule); border-radius: .3em;
  font: .88rem/1.9 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace;
}
.symattn .line {
  display: grid; grid-template-columns: 3.2em minmax(0, 1fr); column-gap: .8em; padding-right: .8em;
}
.symattn .line:target { background: rgb(var(--heat) / .12); }
.symattn .no { color: var(--quiet); text-align: right; user-select: none; }
.symattn .said { white-space: pre-wrap; overflow-wrap: anywhere; }
.symattn .fold > summary { color: var(--quiet); cursor: pointer; padding: 0 .8em 0 4em; }
.symattn .said .fold { display: inline; }
.symattn .said .fold > summary { padding: 0; }
.symattn .n { display: inline-block; vertical-align: top; max-width: 100%; scroll-margin: 5em; }
.symattn .n.right { display: inline; }
@supports selector(::details-content) { /* a line goes on after what is opened in it */
  .symattn .n { display: inline; vertical-align: baseline; }
  .symattn .n:not([open])::details-content { display: none; }
}
.symattn .n:target, .symattn .n:target > summary { outline: 2px solid rgb(var(--heat)); outline-offset: 2px; }
.symattn .n > summary { display: inline; list-style: none; cursor: pointer; border-radius: .2em; }
.symattn .n > summary::-webkit-details-marker { display: none; }
.symattn .n > summary:hover, .symattn .n[open] > summary { background: rgb(var(--heat) / .15); }
.symattn :is(summary, a):focus-visible { outline: 2px solid rgb(var(--heat)); outline-offset: 2px; }
.symattn .n.right { color: var(--right); }
.symattn .n.slip > summary { font-weight: 700; }
.symattn .n.slip .printed { text-decoration: line-through .09em; }
.symattn .n.carried .printed { text-decoration: underline dotted .09em; text-underline-offset: .25em; }
.symattn :is(.n.rounding, .n.undecided) .printed {
  text-decoration: underline dashed .06em; text-underline-offset: .25em;
}
.symattn .n.quiet { color: var(--quiet); }
.symattn .sign { font-size: .75em; line-height: 1; vertical-align: .3em; margin: 0 .1em; user-select: none; }
.symattn a.sign { color: var(--carried); text-decoration: none; padding: .15em 0; }
.symattn .why {
  display: block; margin: .3em 0 .6em; padding: .3em .8em; border-left: .25em solid currentColor;
  background: rgb(127 127 127 / .09); white-space: normal;
  font: .95rem/1.5 "Latin Modern Roman", Charter, Georgia, "Noto Serif CJK SC", serif;
}
.symattn .why a { color: inherit; }
.symattn .marks { display: flex; flex-wrap: wrap; column-gap: 1.6em; padding: 0; list-style: none; }
.symattn .marks span > span { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.symattn svg.arrows { position: absolute; inset: 0; pointer-events: none; overflow: visible; }
.symattn .arrows path { fill: none; stroke: var(--carried); stroke-width: 1.3; opacity: .4; }
.symattn .arrows.many path { opacity: .13; }
.symattn .arrows path.on { opacity: 1; stroke-width: 2.2; }
.symattn .arrows marker path { fill: var(--carried); stroke: none; opacity: 1; }
@media (max-width: 40rem) {
  .symattn .line { grid-template-columns: 2.2em minmax(0, 1fr); column-gap: .5em; padding-right: .4em; }
  .symattn .fold > summary { padding-left: 2.7em; }
  .symattn .source { font-size: .8rem; }
}
"""

_SCRIPT = """\
"use strict";
const SVG = "http://www.w3.org/2000/svg";
function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
function middle(mark, box) {
  const at = mark.getClientRects()[0];
  return at && {x: at.left + at.width / 2 - box.left, top: at.top - box.top, bottom: at.bottom - box.top};
}
function draw(source) {
  source.querySelectorAll("svg.arrows").forEach(old => old.remove());
  const frame = source.getBoundingClientRect();
  const box = {left: frame.left + source.clientLeft, top: frame.top + source.clientTop};
  const links = [...source.querySelectorAll("a.sign")];
  const svg = element("svg", {class: links.length > 40 ? "arrows many" : "arrows", "aria-hidden": "true",
    width: source.clientWidth, height: source.clientHeight});
  const head = element("marker", {id: source.id + "-head", viewBox: "0 0 8 8", refX: 7, refY: 4,
    markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto"});
  head.append(element("path", {d: "M0 0 L8 4 L0 8 z"}));
  svg.append(head);
  for (const link of links) {
    const root = document.getElementById(link.hash.slice(1));
    const from = middle(link, box), to = root && middle(root.querySelector("summary") || root, box);
    if (!from || !to) continue;
    const above = to.bottom <= from.top, below = to.top >= from.bottom;
    const start = below ? from.bottom : from.top, end = above ? to.bottom : to.top;
    const bend = above || below ? (end - start) / 2 : -18;
    const ahead = above || below ? end - bend : end + bend;
    const path = element("path", {"marker-end": `url(#${head.id})`,
      d: `M${from.x} ${start} C${from.x} ${start + bend} ${to.x} ${ahead} ${to.x} ${end}`});
    path.ends = [link, link.nextElementSibling, root];
    svg.append(path);
  }
  source.append(svg);
}
function light(source, mark) {
  for (const path of source.querySelectorAll("svg.arrows > path"))
    path.classList.toggle("on", path.ends.some(end => end && mark && end.contains(mark)));
}
for (const source of document.querySelectorAll(".source")) {
  new ResizeObserver(() => draw(source)).observe(source);
  source.addEventListener("toggle", () => draw(source), true);
  for (const kind of ["pointerover", "focusin"])
    source.addEventListener(kind, event => light(source, event.target));
  source.addEventListener("pointerleave", () => light(source, null));
}
"""

HEAD = f"{policy(_SCRIPT)}<style>\n{STYLE}</style>\n"
"""What the head of such a page needs: its style, and that no other script runs and nothing is fetched."""
SCRIPT = f"<script>{_SCRIPT}</script>"
