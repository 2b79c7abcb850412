// viewer.ts - choose a graph, a layer and a number of rules: a picture, and the same as a list.
import { type Drawing, type Graphs, type Report, type Rules } from "./data";
import { field, given, h, replace, select } from "./dom";
import { NONE, count, figure, plural, signed } from "./format";
import { type Arrow, draw, labelOf } from "./drawing";
import { layerName } from "./rules";

interface Entry {
  rule: number;
  weight: number; // of all its pairs that are here
  pairs: number;
  cut: boolean; // some of its pairs may not be here
}

// the program writes as many arrows of a sign in a layer, the strongest first
const MOST_ARROWS = 100;

/** Which graphs there are to choose from, and what that means. */
function source(graphs: Graphs, rules: Rules): string {
  if (graphs.part === "chosen") return "Graphs that were asked for; the model may have been trained on them.";
  if (graphs.part === "any") return "The run kept no predictions: graphs of all the data, some of which the model was trained on.";
  return `Graphs of the test set of fold ${rules.fold}, which the model has never seen.`;
}

function verdictWords(graph: Drawing): "right" | "wrong" | "unknown" {
  if (graph.truth === null || graph.said === null) return "unknown";
  return graph.truth === graph.said ? "right" : "wrong";
}

/**
 * The strongest rules of each sign, with their pairs in this graph. Where there are as many arrows of a sign as are
 * written at most, rules may lack some of their pairs.
 */
function strongest(arrows: readonly Arrow[], most: number, whole: boolean): { entries: Entry[]; arrows: Arrow[] } {
  const entries = new Map<number, Entry>();
  for (const arrow of arrows) {
    const entry = entries.get(arrow.rule);
    if (entry) {
      entry.pairs++;
      entry.weight += arrow.weight;
    } else entries.set(arrow.rule, { rule: arrow.rule, weight: arrow.weight, pairs: 1, cut: false });
  }
  for (const sign of whole ? [] : [1, -1]) {
    if (arrows.filter((arrow) => Math.sign(arrow.weight) === sign).length < MOST_ARROWS) continue;
    for (const entry of entries.values()) entry.cut = true;
  }
  const kept = [1, -1].flatMap((sign) =>
    [...entries.values()]
      .filter((entry) => Math.sign(entry.weight) === sign)
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
      .slice(0, most),
  );
  const wanted = new Set(kept.map((entry) => entry.rule));
  kept.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return { entries: kept, arrows: arrows.filter((arrow) => wanted.has(arrow.rule)) };
}

export function viewer(data: Report): HTMLElement {
  const { graphs, rules } = data;
  if (!graphs || !rules) return h("p", { class: "empty" }, given(data.no_graphs ?? data.no_rules ?? "There are no graphs to show."));
  if (graphs.list.length === 0) return h("p", { class: "empty" }, graphs.part === "test" ? "No graph of the test set is small enough to be drawn here." : "No graph is small enough to be drawn here.");
  return makeViewer(graphs, rules);
}

function makeViewer(graphs: Graphs, rules: Rules): HTMLElement {
  const words = new Map<number, string>([...rules.list.map((rule) => [rule.id, rule.words] as const), ...graphs.words]);
  const output = (k: number | null): string => (k === null ? NONE : (rules.outputs[k] ?? `output ${k}`));
  let chosen = 0;
  let layer = graphs.list[0]!.layers[0]?.layer ?? 0;
  let most = 3;
  let shade = "none";
  let towards = 0;

  const picture = h("div", { class: "picture" });
  const list = h("ol", { class: "entries" });
  const facts = h("p", { class: "facts" });
  const status = h("p", { class: "readout", role: "status" });

  const graphSelect = graphChoice(graphs, output, (k) => {
    chosen = k;
    show();
  });
  const step = (by: number) => (): void => {
    chosen = (chosen + by + graphs.list.length) % graphs.list.length;
    graphSelect.value = String(chosen);
    show();
  };
  const previous = h("button", { type: "button", "aria-label": "Previous graph" }, "\u2190");
  const next = h("button", { type: "button", "aria-label": "Next graph" }, "\u2192");
  previous.addEventListener("click", step(-1));
  next.addEventListener("click", step(1));

  const layerSelect = select(
    graphs.list[0]!.layers.map((item) => [String(item.layer), layerName(rules, item.layer)] as const),
    (value) => {
      layer = Number(value);
      show();
    },
  );
  const outputField = field(
    "Output",
    select(rules.outputs.map((name, k) => [String(k), name] as const), (value) => {
      towards = Number(value);
      show();
    }),
  );
  const mostField = field(
    "Rules of each sign",
    select(
      [
        ["3", "3 strongest"],
        ["10", "10 strongest"],
        ["30", "30 strongest"],
        ["1000000", "all that are here"],
      ],
      (value) => {
        most = Number(value);
        show();
      },
    ),
  );
  const shadeField = field(
    "Rings show",
    select(
      [
        ["none", "nothing"],
        ["bias", "bias of the layer"],
        ["nodes", "what each node adds"],
      ],
      (value) => {
        shade = value;
        show();
      },
    ),
  );

  function light(rule: number | null): void {
    for (const element of picture.querySelectorAll<SVGElement>(".edge")) {
      element.classList.toggle("lit", element.dataset["rule"] === String(rule));
      element.classList.toggle("dim", rule !== null && element.dataset["rule"] !== String(rule));
    }
    for (const element of list.querySelectorAll<HTMLElement>("button"))
      element.classList.toggle("lit", element.dataset["rule"] === String(rule));
    status.textContent = rule === null ? "" : (words.get(rule) ?? "");
  }

  function point(node: number | null): void {
    if (node === null) {
      status.textContent = "";
      return;
    }
    const graph = graphs.list[chosen]!;
    const [, , label, adds] = graph.nodes[node]!;
    status.textContent = `Node ${node}: ${labelOf(graphs, label)}${adds === null ? "" : `; moves the answer by ${signed(adds)}`}`;
  }

  /** A number for every node: effect of the bias or of the node, or what an aggregation adds. */
  function nodeValues(graph: Drawing, aggregate: boolean): (number | null)[] | null {
    const found = graph.layers.find((item) => item.layer === layer);
    const values: (number | null)[] = graph.nodes.map(() => null);
    if (aggregate) {
      for (const [from, to, weight] of found?.arrows ?? []) if (to === towards) values[from] = weight;
      return values;
    }
    if (shade === "nodes") return graph.nodes.map((node) => node[3]);
    if (shade !== "bias") return null;
    for (const [node, weight] of found?.bias ?? []) values[node] = weight;
    return values;
  }

  function entryOf(entry: Entry, unit: readonly [string, string]): HTMLElement {
    const button = h(
      "button",
      { type: "button", class: "entry", "data-rule": entry.rule },
      h("span", { class: `weight ${entry.weight < 0 ? "minus" : "plus"}` }, signed(entry.weight)),
      h("span", {}, given(words.get(entry.rule) ?? `rule ${entry.rule}`), h("span", { class: "pairs" }, ` ${entry.cut ? "at least " : ""}${plural(entry.pairs, ...unit)}`)),
    );
    for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => light(entry.rule));
    for (const type of ["pointerleave", "blur"]) button.addEventListener(type, () => light(null));
    button.addEventListener("click", () => light(entry.rule));
    return h("li", {}, button);
  }

  function show(): void {
    const graph = graphs.list[chosen]!;
    const aggregate = rules.layers[layer]?.kind === "aggregate";
    const found = graph.layers.find((item) => item.layer === layer);
    const all: Arrow[] = (found?.arrows ?? []).map(([from, to, weight, rule]) => ({ from, to, weight, rule }));
    const { entries, arrows } = strongest(aggregate ? all.filter((arrow) => arrow.to === towards) : all, most, aggregate || all.length === found?.pairs);
    const values = nodeValues(graph, aggregate);
    outputField.hidden = !aggregate;
    shadeField.hidden = aggregate;
    const title = `graph ${graph.sample}, ${layerName(rules, layer)}; the list beside it has the rules`;
    replace(
      picture,
      draw(
        graphs,
        graph,
        {
          arrows: aggregate ? [] : arrows,
          largest: Math.max(...all.map((arrow) => Math.abs(arrow.weight)), 0),
          values,
          largestValue: Math.max(...(values ?? []).map((value) => Math.abs(value ?? 0)), 0),
        },
        title,
        light,
        point,
      ),
    );
    replace(list, ...entries.map((entry) => entryOf(entry, aggregate ? ["node", "nodes"] : ["pair", "pairs"])));
    const outcome = verdictWords(graph);
    replace(
      facts,
      h("strong", {}, `Graph ${graph.sample}`),
      `: ${plural(graph.nodes.length, "node", "nodes")}, ${plural(graph.edges.length, "edge", "edges")}. `,
      graph.said === null ? "" : "This model says ",
      graph.said === null ? null : given(output(graph.said)),
      outcome === "unknown" ? "" : outcome === "right" ? ", which is right. " : ", which is wrong: it is ",
      outcome === "wrong" ? given(output(graph.truth)) : null,
      outcome === "wrong" ? ". " : "",
      `Before the last activation: ${graph.z.map((value, k) => `${output(k)}: ${figure(value)}`).join(", ")}. `,
      graph.runs ? `${count(graph.right)} of ${plural(graph.runs, "run", "runs")} of the experiment said it rightly. ` : "",
      aggregate
        ? `Rings: what the node adds to ${output(towards)}.`
        : `${plural(entries.length, "rule", "rules")} with ${plural(arrows.length, "arrow", "arrows")}, of ${plural(found?.pairs ?? 0, "pair", "pairs")} that have a weight in this layer. Red is towards ${graph.ends[0]}, blue towards ${graph.ends[1]}.`,
    );
    status.textContent = "";
  }

  show();
  return h(
    "div",
    { class: "viewer" },
    h("p", {}, `${source(graphs, rules)} Arrows go from the node that is looked at to the node that changes, and show what the pair does to the answer: its colour says which way, its width how much.`),
    h(
      "div",
      { class: "controls row" },
      h("div", { class: "together" }, field("Graph", graphSelect), previous, next),
      field("Layer", layerSelect),
      outputField,
      mostField,
      shadeField,
    ),
    facts,
    h("div", { class: "stage" }, h("div", {}, picture, status, legend(graphs)), h("div", { class: "side" }, h("h3", {}, "Rules in this graph"), list)),
  );
}

/** Graphs by what is true of them and what was said. */
function graphChoice(graphs: Graphs, output: (k: number | null) => string, change: (k: number) => void): HTMLSelectElement {
  const element = h("select");
  const groups = new Map<string, HTMLOptGroupElement>();
  graphs.list.forEach((graph, k) => {
    const outcome = verdictWords(graph);
    const name =
      graph.truth === null ? "graphs" : outcome === "wrong" ? `${output(graph.truth)}, predicted as ${output(graph.said)}` : output(graph.truth);
    let group = groups.get(name);
    if (!group) {
      group = h("optgroup", { label: name });
      groups.set(name, group);
      element.append(group);
    }
    group.append(h("option", { value: k }, `graph ${graph.sample}${outcome === "wrong" ? " (wrong)" : ""}`));
  });
  element.addEventListener("change", () => change(Number(element.value)));
  return element;
}

function legend(graphs: Graphs): HTMLElement | null {
  const used = new Set(graphs.list.flatMap((graph) => graph.nodes.map((node) => node[2])));
  const shown = graphs.labels.map((label, k) => ({ label, k })).filter(({ k }) => used.has(k));
  if (shown.length === 0) return null;
  return h(
    "ul",
    { class: "swatches", "aria-label": "Colours of nodes" },
    ...shown.slice(0, 24).map(({ label: [name, colour] }) => {
      const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
      if (/^#[0-9a-f]{6}$/i.test(colour)) swatch.style.setProperty("background-color", colour);
      return h("li", {}, swatch, given(name));
    }),
  );
}
