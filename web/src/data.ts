// data.ts - what a report is made of. docs/report.md says what every key means.
import { type Decoded, flag, list, maybe, number, object, text, tuple } from "./decode";

const foldResult = object({
  configuration: number,
  choices: text,
  score: maybe(number),
  deviation: maybe(number),
  validation: maybe(number),
  epoch: maybe(number),
  parameters: maybe(number),
  ties: number,
});

const verdict = object({
  protocol: text,
  way: text,
  part: text,
  why_not: maybe(text),
  mean: maybe(number),
  deviation: maybe(number),
  majority: maybe(number),
  validation: maybe(number),
  epoch: maybe(number),
  parameters: maybe(number),
  configuration: maybe(number),
  choices: maybe(text),
  chosen: number,
  folds: list(foldResult),
});

const fold = object({
  number: number,
  train: maybe(number),
  validation: maybe(number),
  test: maybe(number),
  copies: maybe(number),
  majority: maybe(number),
  majority_validation: maybe(number),
});

const jobs = object({
  done: number,
  failed: number,
  waiting: number,
  build_seconds: number,
  seconds: number,
  cpu_seconds: number,
  memory: number,
});

const run = object({
  name: text,
  directory: text,
  data: text,
  data_path: text,
  data_digest: text,
  splits: text,
  splits_digest: text,
  fit: text,
  seed: text,
  runs: number,
  score: text,
  experiment_digest: text,
  digest: text,
  version: text,
  created: text,
  host: text,
  cpu: text,
  kernel: text,
  cores: number,
  jobs,
  folds: list(fold),
  protocols: list(verdict),
  warnings: list(text),
  differences: list(text),
});

const configuration = object({
  number: number,
  choices: text,
  folds: number,
  chosen: number,
  validation: maybe(number),
  deviation: maybe(number),
  loss: maybe(number),
  train: maybe(number),
  epoch: maybe(number),
  parameters: maybe(number),
  connections: maybe(number),
  seconds: maybe(number),
});

const search = object({
  data: maybe(text),
  minutes: maybe(number),
  tried: number,
  candidates: list(
    object({
      rank: maybe(number),
      number: maybe(number),
      round: maybe(number),
      validation: tuple(maybe(number), maybe(number)),
      weights: maybe(number),
      seconds: maybe(number),
      rule: maybe(text),
      message: maybe(text),
    }),
  ),
  effects: list(
    object({
      axis: maybe(text),
      choice: maybe(text),
      with: maybe(number),
      without: maybe(number),
      n_with: maybe(number),
      n_without: maybe(number),
    }),
  ),
});

const series = list(maybe(number));
const curve = object({
  configuration: number,
  fold: number,
  run: number,
  epochs: number,
  best: number,
  in_epochs: flag,
  failed: flag,
  validation: maybe(number),
  test: maybe(number),
  train_loss: series,
  train_score: series,
  validation_loss: series,
  validation_score: series,
});

const confusion = object({ of: text, runs: number, classes: list(text), counts: list(list(number)) });
const values = object({ runs: number, samples: number, pairs: list(tuple(number, number, number)) });

const layer = object({
  kind: text,
  number: number, // of the layer of the network file that it belongs to
  statements: number,
  parameters: number,
  activation: maybe(text),
  rules: list(text),
  bias: maybe(text),
});

const rule = object({
  id: number,
  layer: number,
  bias: flag,
  words: text,
  weight: maybe(number),
  effect: maybe(number),
  up: maybe(number),
  down: maybe(number),
  graphs: maybe(number),
  pairs: maybe(number),
  contribution: maybe(number),
  towards: maybe(number),
  removal: maybe(number),
  changed: maybe(number),
});

const rules = object({
  file: text,
  digest: text,
  configuration: number,
  fold: number,
  run: number,
  names: maybe(text),
  statements: number,
  validation: maybe(number),
  validation_score: maybe(number),
  compared: flag,
  outputs: list(text),
  layers: list(layer),
  list: list(rule),
});

const drawing = object({
  sample: number,
  truth: maybe(number),
  said: maybe(number),
  runs: maybe(number),
  right: maybe(number),
  z: list(maybe(number)),
  ends: list(text), // of the axis of effects: what red and blue are towards
  nodes: list(tuple(number, number, number, maybe(number))), // x, y, label, contribution
  edges: list(tuple(number, number, number)), // from, to, bond
  layers: list(
    object({
      layer: number,
      pairs: number,
      arrows: list(tuple(number, number, number, number)), // from, to, effect, rule
      bias: list(tuple(number, maybe(number), number)), // node, effect, rule
    }),
  ),
});

const graphs = object({
  part: text, // "test", "chosen", "any"
  labels: list(tuple(text, text, text)), // name, colour, letters
  list: list(drawing),
  words: list(tuple(number, text)),
});

const range = object({ min: number, mean: number, max: number, total: number });
const counts = object({ values: number, missing: number, list: list(tuple(text, number)) });

const dataset = object({
  path: maybe(text),
  kind: text,
  name: text,
  digest: text,
  samples: number,
  nodes: maybe(range),
  edges: maybe(range),
  diameter: maybe(range),
  disconnected: maybe(number),
  trees: maybe(number),
  isolated_nodes: maybe(number),
  empty_graphs: maybe(number),
  max_degree: maybe(number),
  mean_degree: maybe(number),
  node_attributes: maybe(number),
  edge_attributes: maybe(number),
  targets: maybe(number),
  copies: number,
  copies_other_class: number,
  classes: maybe(counts),
  node_labels: maybe(counts),
  edge_labels: maybe(counts),
  found: maybe(list(text)),
  rows: maybe(number),
  cols: maybe(number),
  channels: maybe(number),
  min: maybe(number),
  max: maybe(number),
  mean: maybe(number),
  deviation: maybe(number),
  constant: maybe(number),
});

export const report = object({
  format: text,
  version: text,
  title: text,
  protocol: maybe(text),
  file: text,
  resolved: text,
  runs: list(run),
  n_configurations: number,
  configurations: list(configuration),
  recipe: text,
  search: maybe(search),
  curves: object({ stride: number, longest: number, runs: list(curve) }),
  confusion: maybe(confusion),
  no_confusion: maybe(text),
  values: maybe(values),
  rules: maybe(rules),
  no_rules: maybe(text),
  graphs: maybe(graphs),
  no_graphs: maybe(text),
  data: maybe(dataset),
  no_data: maybe(text),
});

export type Report = Decoded<typeof report>;
export type Run = Decoded<typeof run>;
export type Verdict = Decoded<typeof verdict>;
export type Configuration = Decoded<typeof configuration>;
export type Curve = Decoded<typeof curve>;
export type Confusion = Decoded<typeof confusion>;
export type Rules = Decoded<typeof rules>;
export type Rule = Decoded<typeof rule>;
export type Graphs = Decoded<typeof graphs>;
export type Drawing = Decoded<typeof drawing>;
export type Dataset = Decoded<typeof dataset>;
export type Counts = Decoded<typeof counts>;
export type Search = Decoded<typeof search>;

export const FORMAT = "regula report 1";

/** The run that the report is of. */
export function mainRun(data: Report): Run {
  const first = data.runs[0];
  if (!first) throw new Error("the data of this report make no sense: it is of no run");
  return first;
}

/** What the first protocol with a result says of a run: the one of the report, if the run has it. */
export function verdictOf(run: Run, protocol: string | null): Verdict | null {
  const known = run.protocols.filter((v) => v.why_not === null && v.mean !== null);
  return known.find((v) => v.protocol === protocol) ?? known[0] ?? null;
}

export function readReport(): Report {
  const element = document.getElementById("report");
  const value: unknown = JSON.parse(element?.textContent ?? "null");
  const data = report(value, "");
  if (data.format !== FORMAT) throw new Error(`the data of this report are of another format: ${data.format}`);
  return data;
}
