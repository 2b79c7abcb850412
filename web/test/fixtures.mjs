// fixtures.mjs - small data sets, experiments and their reports, made by the program itself.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostile } from "./hostile_names.mjs";

/** A set in TUDataset layout: rings of 5 to 9 nodes, the class is whether a label occurs. */
function writeRings(directory, name, n, labels, real) {
  const files = { A: [], graph_indicator: [], graph_labels: [], node_labels: [], edge_labels: [], graph_attributes: [] };
  let node = 0;
  for (let g = 0; g < n; g++) {
    const size = 5 + (g % 5);
    for (let k = 0; k < size; k++) {
      files.graph_indicator.push(g + 1);
      files.node_labels.push((g * 7 + k * k) % labels);
      const next = node + ((k + 1) % size) + 1;
      files.A.push(`${node + k + 1}, ${next}`, `${next}, ${node + k + 1}`);
      files.edge_labels.push(k % 2, k % 2);
    }
    node += size;
    files.graph_labels.push((g * 5) % 3 === 0 ? 1 : 0);
    files.graph_attributes.push((size / 3 + (g % 4)).toFixed(2));
  }
  delete files[real ? "graph_labels" : "graph_attributes"];
  mkdirSync(join(directory, name), { recursive: true });
  for (const [key, lines] of Object.entries(files)) writeFileSync(join(directory, name, `${name}_${key}.txt`), lines.join("\n") + "\n");
}

const network = (epochs) => `
network:
  labels: {atom: node}
  layers:
    - rule: share atom(i), atom(j), dist(i,j) when dist(i,j) in 1..2
      bias: share atom(i)
    - aggregate: share out, atom(i)
training: {epochs: ${epochs}, batch: 8, lr: [0.05, 0.01]}
`;
const pixels = `
network: {layers: [{dense: 4}, {dense: auto}]}
training: {epochs: 4, batch: 16}
`;

export const COUNT = hostile.length;

/** Makes everything in `directory`; `program` is regula. Returns the reports by name. */
export function makeReports(program, directory) {
  const environment = { ...process.env, HOME: directory, XDG_CACHE_HOME: join(directory, "cache"), REGULA_DATA: directory };
  const regula = (...words) => execFileSync(program, words, { cwd: directory, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const write = (name, text) => writeFileSync(join(directory, name), text);
  writeRings(directory, "Rings", 60, 4, false);
  writeRings(directory, "Many", 60, COUNT, false);
  writeRings(directory, "Real", 60, 4, true);
  regula("data", "generate", "Shapes", "--graphs", "80", "--out", "Shapes");

  const splits = "splits: {folds: 4, seed: 1, validation: 0.2}\n";
  write("rings.yml", `data: Rings\n${splits}protocol: [fair, global, gin]\nruns: 2${network(12)}`);
  write("plain.yml", `data: Rings\n${splits}protocol: [fair, global]\nruns: 2\nnetwork:\n  labels: {atom: node}\n  layers: [aggregate: "share out, atom(i)"]\ntraining: {epochs: 5}\n`);
  write("other.yml", `data: Rings\nsplits: {folds: 3, seed: 2}\nruns: 1\nkeep: none${network(4)}`);
  write("real.yml", `data: Real\n${splits.replace("}", ", stratified: false}")}runs: 1${network(6)}`);
  write("holdout.yml", `data: Rings\nsplits: {folds: 1, test: 0.2, validation: 0.2, seed: 1}\nprotocol: holdout\nruns: 2${network(6)}`);
  write("images.yml", `data: Shapes\nsplits: {folds: 2, seed: 1}\nruns: 1${pixels}`);
  const [first, second, third] = hostile.filter((name) => !/[\/\n\r\u0000]/.test(name)).map((name) => JSON.stringify(name.slice(0, 40)));
  write(
    "hostile.yml",
    `name: ${first}\ndata: Many\n${splits}runs: 1\nnetwork:\n  - name: ${second}\n    labels: {atom: node}\n    layers: [aggregate: "share out, atom(i)"]\n` +
      `  - name: ${third}\n    labels: {atom: node}\n    layers: [{rule: "share atom(i), atom(j) when edge(i,j)"}, {aggregate: "share out, atom(i)"}]\ntraining: {epochs: 3}\n`,
  );
  const line = (name) => name.replace(/[\n\r\u0000]/g, " ").trim() || "?";
  const cut = (name) => Buffer.from(line(name)).subarray(0, 60).toString().replace(/\ufffd+$/, "");
  write("names.txt", [...hostile.map((name, k) => `${k} ${cut(name)}`), `class 0 ${cut(hostile[0])}`, `class 1 ${cut(hostile[1])}`, `edge 0 ${cut(hostile[2])}`].join("\n") + "\n");
  for (const name of ["rings", "plain", "other", "real", "holdout", "images"]) regula("run", `${name}.yml`, "--quiet", "--out", `runs/${name}`);
  regula("run", "hostile.yml", "--quiet", "--out", "runs/hostile");
  regula("run", "rings.yml", "--quiet", "--out", "runs/half", "--shard", "0/3");
  write(
    "search.json",
    JSON.stringify({
      data: "Rings",
      minutes: 1,
      candidates: [1, 2, 3].map((k) => ({ rank: k, number: k, round: 4 - k, validation: { mean: 0.9 - k / 50, std: 0.02 }, weights: 100 * k, seconds: k, rule: `share wl(i), wl(j) when dist(i,j) in 1..${k}` })),
      effects: [{ axis: "labels", choice: "wl", with: 0.8, n_with: 2, without: 0.7, n_without: 1 }],
    }),
  );

  const reports = {};
  const report = (name, ...words) => {
    regula("report", ...words, "--out", `${name}.html`);
    reports[name] = join(directory, `${name}.html`);
  };
  report("full", "runs/rings", "--with", "runs/plain", "--with", "runs/other", "--search", "search.json");
  report("half", "runs/half");
  report("real", "runs/real");
  report("holdout", "runs/holdout");
  report("images", "runs/images");
  report("kept_none", "runs/other");
  report("hostile", "runs/hostile", "--title", hostile[0], "--label-names", "names.txt", "--graphs", "12");
  execFileSync("mv", ["Real", "Gone"], { cwd: directory });
  report("no_data", "runs/real");
  execFileSync("mv", ["Gone", "Real"], { cwd: directory });
  return reports;
}
