// drawing.ts - one graph as SVG: nodes, bonds, and rules as arrows, from the coordinates of the program.
import { type Drawing, type Graphs } from "./data";
import { s } from "./dom";
import { figure, signed } from "./format";

const UNIT = 46; // pixels of an edge
const RADIUS = 12;
const MARGIN = 30;

export interface Arrow {
  from: number;
  to: number;
  weight: number;
  rule: number;
}

export interface View {
  arrows: readonly Arrow[];
  largest: number; // |weight| that is drawn thickest
  /** A number for every node, drawn as a ring around it; null: none. */
  values: readonly (number | null)[] | null;
  largestValue: number;
}

interface Point {
  x: number;
  y: number;
}

/** Lines of a bond: one, two, three, or a line and a broken one; side: where the inside of a ring is, 1 or -1. */
function bond(a: Point, b: Point, kind: number, side: number): SVGElement[] {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const nx = -(b.y - a.y) / length;
  const ny = (b.x - a.x) / length;
  const line = (shift: number, dashed: boolean): SVGElement =>
    s("line", {
      class: "bond",
      x1: (a.x + nx * shift).toFixed(1),
      y1: (a.y + ny * shift).toFixed(1),
      x2: (b.x + nx * shift).toFixed(1),
      y2: (b.y + ny * shift).toFixed(1),
      "stroke-dasharray": dashed ? "3 3" : null,
    });
  if (kind === 2) return [line(-2.2, false), line(2.2, false)];
  if (kind === 3) return [line(-4, false), line(0, false), line(4, false)];
  if (kind === 4) return [line(0, false), line(4.5 * side, true)];
  return [line(0, false)];
}

/** On which side of every edge the neighbours of its ends are. */
function sides(graph: Drawing, places: readonly Point[]): number[] {
  const near: number[][] = places.map(() => []);
  for (const [i, j] of graph.edges) {
    near[i]!.push(j);
    near[j]!.push(i);
  }
  return graph.edges.map(([i, j]) => {
    const [a, b] = [places[i]!, places[j]!];
    let sum = 0;
    for (const k of [...near[i]!, ...near[j]!])
      if (k !== i && k !== j) sum += (b.x - a.x) * (places[k]!.y - a.y) - (b.y - a.y) * (places[k]!.x - a.x);
    return sum < 0 ? -1 : 1;
  });
}

/** From the rim of one node to that of the other, a little bent, so that both directions can be seen. */
function arrowPath(a: Point, b: Point, width: number): string {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = Math.hypot(dx, dy);
  if (length < 1) {
    const r = RADIUS + 5;
    return `M${(a.x - 5).toFixed(1)} ${(a.y - r + 6).toFixed(1)}C${(a.x - 22).toFixed(1)} ${(a.y - r - 22).toFixed(1)} ${(a.x + 22).toFixed(1)} ${(a.y - r - 22).toFixed(1)} ${(a.x + 5).toFixed(1)} ${(a.y - r + 2).toFixed(1)}`;
  }
  const bend = Math.min(26, 8 + length * 0.1);
  const cx = (a.x + b.x) / 2 - (dy / length) * bend;
  const cy = (a.y + b.y) / 2 + (dx / length) * bend;
  const rim = (p: Point, gap: number): Point => {
    const far = Math.hypot(cx - p.x, cy - p.y) || 1;
    return { x: p.x + ((cx - p.x) / far) * gap, y: p.y + ((cy - p.y) / far) * gap };
  };
  const from = rim(a, RADIUS + 2);
  const to = rim(b, RADIUS + 4 + width);
  return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
}

function tip(path: SVGPathElement, width: number, tone: string): SVGElement | null {
  const numbers = path.getAttribute("d")!.match(/-?[\d.]+/g)!.map(Number);
  const [cx, cy, x, y] = numbers.slice(-4) as [number, number, number, number];
  const length = Math.hypot(x - cx, y - cy) || 1;
  const ux = (x - cx) / length;
  const uy = (y - cy) / length;
  const long = 4.5 + width * 1.5;
  const half = 2.6 + width * 0.8;
  const end = { x: x + ux * (long * 0.6), y: y + uy * (long * 0.6) };
  const base = { x: end.x - ux * long, y: end.y - uy * long };
  const points = [end, { x: base.x - uy * half, y: base.y + ux * half }, { x: base.x + uy * half, y: base.y - ux * half }];
  return s("path", { class: `tip ${tone}`, d: `M${points.map((p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("L")}Z` });
}

function ink(colour: string): string {
  const part = (k: number): number => parseInt(colour.slice(k, k + 2), 16) / 255;
  const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5)) > 0.22 ? "#111111" : "#ffffff";
}

export function labelOf(graphs: Graphs, label: number): string {
  return graphs.labels[label]?.[0] ?? "node";
}

/** light: called with the rule under the pointer, null when it leaves; node: with the node. */
export function draw(
  graphs: Graphs,
  graph: Drawing,
  view: View,
  title: string,
  light: (rule: number | null) => void,
  point: (node: number | null) => void,
): SVGSVGElement {
  const places = graph.nodes.map(([x, y]) => ({ x: MARGIN + x * UNIT, y: MARGIN + y * UNIT }));
  const width = Math.max(...places.map((p) => p.x), 0) + MARGIN;
  const height = Math.max(...places.map((p) => p.y), 0) + MARGIN;
  const side = sides(graph, places);
  const bonds = s("g", {}, ...graph.edges.flatMap(([i, j, kind], k) => bond(places[i]!, places[j]!, kind, side[k]!)));
  const arrows = s("g", { class: "arrows" });
  // the strongest last, on top
  for (const arrow of [...view.arrows].reverse()) {
    const part = view.largest > 0 ? Math.abs(arrow.weight) / view.largest : 0;
    const stroke = 0.8 + 3 * part;
    const tone = arrow.weight < 0 ? "minus" : "plus";
    const path = s("path", { class: `arrow ${tone}`, d: arrowPath(places[arrow.from]!, places[arrow.to]!, stroke), "stroke-width": stroke.toFixed(2) });
    const group = s("g", { class: "edge", "data-rule": arrow.rule }, path, tip(path, stroke, tone), s("title", {}, `node ${arrow.from} to node ${arrow.to}: ${signed(arrow.weight)}`));
    group.addEventListener("pointerenter", () => light(arrow.rule));
    group.addEventListener("pointerleave", () => light(null));
    arrows.append(group);
  }
  const nodes = s("g");
  graph.nodes.forEach(([, , label], i) => {
    const place = places[i]!;
    const [name, colour, letters] = graphs.labels[label] ?? ["node", "#9a9a9a", ""];
    const group = s("g", { class: "node" });
    const value = view.values?.[i] ?? null;
    if (value !== null && value !== 0 && view.largestValue > 0) {
      const part = Math.abs(value) / view.largestValue;
      group.append(s("circle", { class: `halo ${value < 0 ? "minus" : "plus"}`, cx: place.x, cy: place.y, r: (RADIUS + 1 + 9 * Math.sqrt(part)).toFixed(1) }));
    }
    const safe = /^#[0-9a-f]{6}$/i.test(colour) ? colour : "#9a9a9a";
    group.append(s("circle", { class: "disc", cx: place.x, cy: place.y, r: RADIUS, fill: safe }));
    if (letters) group.append(s("text", { class: "letter", x: place.x, y: place.y + 4, "text-anchor": "middle", fill: ink(safe) }, letters));
    group.append(s("title", {}, `node ${i}: ${name}${value === null ? "" : `, ${figure(value)}`}`));
    group.addEventListener("pointerenter", () => point(i));
    group.addEventListener("pointerleave", () => point(null));
    nodes.append(group);
  });
  return s(
    "svg",
    { class: "graph", viewBox: `0 0 ${width.toFixed(0)} ${height.toFixed(0)}`, width: Math.ceil(width * 1.4), role: "img", "aria-label": title },
    bonds,
    arrows,
    nodes,
  );
}
