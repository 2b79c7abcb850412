// sections.ts - time, data, and how to reproduce it.
import { type Counts, type Report, type Run, mainRun } from "./data";
import { given, h } from "./dom";
import { NONE, bytes, count, figure, fixed, plural, seconds } from "./format";
import { barCell, table } from "./table";

/* ---- time */

export function times(data: Report): HTMLElement {
  const all = (run: Run): number => run.jobs.done + run.jobs.failed + run.jobs.waiting;
  const { element } = table<Run>({
    caption: "Time and memory of all jobs",
    rows: data.runs,
    words: ["run", "runs"],
    columns: [
      { head: "Model", header: true, cell: (run) => given(run.name) },
      { head: "Jobs done", numeric: true, cell: (run) => `${count(run.jobs.done)} of ${count(all(run))}`, key: (run) => run.jobs.done },
      { head: "Failed", numeric: true, cell: (run) => count(run.jobs.failed), key: (run) => run.jobs.failed },
      { head: "Time of all jobs", numeric: true, cell: (run) => seconds(run.jobs.seconds), key: (run) => run.jobs.seconds },
      { head: "of processors", numeric: true, cell: (run) => seconds(run.jobs.cpu_seconds), key: (run) => run.jobs.cpu_seconds },
      { head: "Memory at most", numeric: true, cell: (run) => bytes(run.jobs.memory), key: (run) => run.jobs.memory },
    ],
  });
  const main = mainRun(data);
  return h(
    "div",
    {},
    element,
    h("p", { class: "note" }, "On ", given(main.cpu || "a processor that is not known"), `, ${plural(main.cores, "core", "cores")}. The table of configurations has the time of each.`),
  );
}

/* ---- data */

function histogram(caption: string, found: Counts, words: [string, string]): HTMLElement {
  const largest = Math.max(...found.list.map(([, n]) => n), found.missing);
  const total = found.list.reduce((sum, [, n]) => sum + n, found.missing);
  const rows = found.missing ? [...found.list, ["not known", found.missing] as [string, number]] : found.list;
  return table<[string, number]>({
    caption,
    rows,
    limit: 12,
    words,
    columns: [
      { head: "Name", header: true, cell: ([name]) => given(name), key: ([name]) => name },
      { head: "Number", numeric: true, descending: true, cell: ([, n]) => barCell(count(n), n, largest, false), key: ([, n]) => n },
      { head: "Percent", numeric: true, cell: ([, n]) => fixed((100 * n) / total, 1) },
    ],
  }).element;
}

export function dataSection(data: Report): HTMLElement {
  const set = data.data;
  if (!set) return h("p", { class: "empty" }, given(data.no_data ?? "The data set was not read."));
  const ranges = [
    ["Nodes", set.nodes],
    ["Edges", set.edges],
    ["Diameter", set.diameter],
  ] as const;
  const facts: [string, string][] =
    set.kind === "arrays"
      ? [
          ["Samples", count(set.samples)],
          ["Shape", `${set.rows} \u00d7 ${set.cols}${(set.channels ?? 1) > 1 ? ` \u00d7 ${set.channels}` : ""}`],
          ["Values", `${figure(set.min)} to ${figure(set.max)}, mean ${figure(set.mean)} \u00b1 ${figure(set.deviation)}`],
          ["Places with one value only", count(set.constant)],
          ["Copies of earlier samples", count(set.copies)],
          ["of them with another target", count(set.copies_other_class)],
        ]
      : [
          ["Graphs", count(set.samples)],
          ["Graphs that are not connected", count(set.disconnected)],
          ["Trees", count(set.trees)],
          ["Nodes without an edge", count(set.isolated_nodes)],
          ["Largest degree, mean degree", `${count(set.max_degree)}, ${figure(set.mean_degree)}`],
          ["Copies of earlier graphs (isomorphic)", count(set.copies)],
          ["of them with another class", count(set.copies_other_class)],
          ["Attributes of nodes, of edges", `${count(set.node_attributes)}, ${count(set.edge_attributes)}`],
        ];
  const sizes = set.nodes
    ? table({
        caption: "Sizes of graphs",
        rows: ranges.flatMap(([name, range]) => (range ? [{ name, ...range }] : [])),
        words: ["row", "rows"],
        columns: [
          { head: "", header: true, cell: (row) => row.name },
          { head: "Least", numeric: true, cell: (row) => count(row.min) },
          { head: "Mean", numeric: true, cell: (row) => fixed(row.mean, 1) },
          { head: "Most", numeric: true, cell: (row) => count(row.max) },
          { head: "In all", numeric: true, cell: (row) => (row.name === "Diameter" ? NONE : count(row.total)) },
        ],
      }).element
    : null;
  const found = set.found ?? [];
  return h(
    "div",
    {},
    h("div", { class: "columns" }, h("div", {}, definitions(facts)), sizes),
    h(
      "div",
      { class: "columns" },
      set.classes && histogram("Classes", set.classes, ["class", "classes"]),
      set.node_labels && histogram("Node labels", set.node_labels, ["label", "labels"]),
      set.edge_labels && histogram("Edge labels (both directions)", set.edge_labels, ["label", "labels"]),
    ),
    set.kind === "graphs" && h("h3", {}, "What the reader found"),
    set.kind === "graphs" && (found.length ? h("ul", {}, ...found.map((line) => h("li", {}, line))) : h("p", {}, "Nothing odd.")),
  );
}

function definitions(rows: readonly (readonly [string, string | Node])[]): HTMLElement {
  return h("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/* ---- where it comes from */

function quoted(text: string): string {
  return /^[\w./:=+-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

function block(summary: string, text: string): HTMLElement {
  return h(
    "details",
    {},
    h("summary", {}, summary),
    h("pre", { tabindex: 0, role: "group", "aria-label": summary }, h("code", {}, text)),
  );
}

export function again(data: Report): HTMLElement {
  const main = mainRun(data);
  const withs = data.runs.slice(1).map((run) => ` --with ${quoted(run.directory)}`).join("");
  const commands = [
    `# the experiment file is below: the first block, saved as experiment.yml`,
    `regula run experiment.yml --out ${quoted(main.directory)}`,
    `regula show ${quoted(main.directory)}`,
    `regula report ${quoted(main.directory)}${withs}`,
  ].join("\n");
  const { element } = table<Run>({
    caption: "Where the numbers come from: equal digests mean equal bits",
    rows: data.runs,
    words: ["run", "runs"],
    columns: [
      { head: "Model", header: true, cell: (run) => given(run.name) },
      { head: "Data", cell: (run) => h("span", {}, given(run.data), digest(run.data_digest)) },
      { head: "Splits", wide: true, cell: (run) => h("span", {}, given(run.splits), digest(run.splits_digest)) },
      { head: "Results", cell: (run) => digest(run.digest) },
      { head: "Seed", numeric: true, cell: (run) => run.seed },
      { head: "Begun", cell: (run) => given(run.created) },
      { head: "regula", cell: (run) => given(run.version) },
    ],
  });
  return h(
    "div",
    {},
    h("p", {}, "The same experiment, data and seed give the same results to the last bit, on any machine and any number of threads. The digest of the results says whether they did."),
    h("pre", { class: "commands", tabindex: 0, role: "group", "aria-label": "Commands" }, h("code", {}, commands)),
    element,
    definitions([
      ["Vocabularies of labels", main.fit === "train" ? "fitted on the training set of each fold" : main.fit === "all" ? "fitted on all graphs, as published: labels of test graphs, not their classes, were seen" : given(main.fit)],
      ["Data set read from", given(data.data?.path ?? main.data_path)],
      ["Run directory", given(main.directory)],
      ["Machine", given([main.host, main.cpu, main.kernel].filter(Boolean).join(", "))],
      ["Digest of the experiment", digest(main.experiment_digest)],
      ["Model that is explained", data.rules ? h("span", {}, given(data.rules.file), digest(data.rules.digest)) : NONE],
      ["This report by", `regula ${data.version}`],
    ]),
    block("The experiment file", data.file),
    block("The same with all defaults", data.resolved),
    block("The network that was chosen (on the first fold)", data.recipe),
  );
}

function digest(text: string): HTMLElement {
  return h("code", { class: "digest", title: text }, text.slice(0, 16));
}
