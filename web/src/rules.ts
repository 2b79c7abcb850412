// rules.ts - what a model says, rule by rule, in words.
import { type Report, type Rule, type Rules } from "./data";
import { field, given, h, select } from "./dom";
import { NONE, type Scores, count, plural, signed } from "./format";
import { type Column, barCell, table } from "./table";

/** A layer of the network file may be made of several: its own number, from 1. */
function numberOf(rules: Rules, layer: number): number {
  return rules.layers[layer]?.number ?? layer + 1;
}

/** "layer 1: rule", "layer 3: aggregation". */
export function layerName(rules: Rules, layer: number): string {
  const kind = rules.layers[layer]?.kind ?? "layer";
  return `layer ${numberOf(rules, layer)}: ${kind === "aggregate" ? "aggregation" : kind}`;
}

export function rules(data: Report, score: Scores): HTMLElement {
  const found = data.rules;
  if (!found) return h("p", { class: "empty" }, given(data.no_rules ?? "There are no rules."));
  const all = found.list;
  const measured = all.some((rule) => rule.effect !== null);
  // without data there are weights alone, which are of different sizes in different layers
  const value = (rule: Rule): number | null => (measured ? rule.effect : rule.weight);
  const size = (rules: readonly Rule[]): number => Math.max(...rules.map((rule) => Math.abs(value(rule) ?? 0)), 0);
  const largest = found.layers.map((_, k) => size(measured ? all : all.filter((rule) => rule.layer === k)));
  const removed = all.some((rule) => rule.removal !== null);
  // of two classes all effects are on one axis: where they point
  const pair = all.some((rule) => rule.down !== null);
  const towards = (rule: Rule): string => {
    const end = rule.down !== null && (rule.effect ?? 0) < 0 ? rule.down : rule.up;
    return end === null ? "" : (found.outputs[end] ?? "");
  };
  const columns: Column<Rule>[] = [
    { head: "Rule", header: true, wide: true, cell: (rule) => h("span", {}, rule.bias && h("span", { class: "tag" }, "bias: "), given(rule.words)), key: (rule) => rule.words.toLowerCase() },
    { head: "Layer", numeric: true, cell: (rule) => String(numberOf(found, rule.layer)), key: (rule) => rule.layer },
    { head: measured ? "Effect" : "Weight", numeric: true, descending: true, cell: (rule) => barCell(signed(value(rule)), value(rule), largest[rule.layer] ?? 0, true), key: (rule) => (value(rule) === null ? null : Math.abs(value(rule) ?? 0)) },
  ];
  if (measured)
    columns.push(
      { head: pair ? "towards" : "on", short: true, cell: (rule) => given(towards(rule) || NONE), key: (rule) => towards(rule) },
      { head: "Occurs in", numeric: true, descending: true, cell: (rule) => count(rule.graphs), key: (rule) => rule.graphs },
    );
  if (removed)
    columns.push({ head: `When removed${score.unit ? ", points" : ""}`, numeric: true, cell: (rule) => (rule.removal === 0 ? "0" : score.difference(rule.removal)), key: (rule) => rule.removal });
  const { element, filter } = table<Rule>({
    caption: `Rules of the model of fold ${found.fold}, run ${found.run}`,
    rows: all,
    columns,
    sorted: 2,
    limit: 15,
    words: ["rule", "rules"],
  });

  let word = "";
  let layer = "all";
  let sign = "all";
  const again = (): void =>
    filter(
      (rule) =>
        (word === "" || rule.words.toLowerCase().includes(word)) &&
        (layer === "all" || (layer.endsWith("b") ? rule.bias && `${rule.layer}b` === layer : !rule.bias && String(rule.layer) === layer)) &&
        (sign === "all" || (sign === "plus" ? (value(rule) ?? 0) > 0 : (value(rule) ?? 0) < 0)),
    );
  const find = h("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  find.addEventListener("input", () => {
    word = find.value.trim().toLowerCase();
    again();
  });
  const layers = found.layers.flatMap((_, k) => {
    const name = layerName(found, k);
    const out: [string, string][] = [];
    if (all.some((rule) => rule.layer === k && !rule.bias)) out.push([String(k), name]);
    if (all.some((rule) => rule.layer === k && rule.bias)) out.push([`${k}b`, `${name}, bias`]);
    return out;
  });
  return h(
    "div",
    {},
    h(
      "p",
      {},
      `A rule gives every pair of nodes of one kind the same weight. These are ${plural(all.length, "rule", "rules")} of the ${count(found.statements)} that the model has: in each layer the largest weights, and those that add most.` +
        (measured ? ` The effect is how far a rule moves the ${found.compared ? "log odds" : "output"}, ${pair ? `positive towards ${found.outputs[1] ?? ""} and negative towards ${found.outputs[0] ?? ""}, ` : found.compared ? "of the class beside it against the other classes, " : ""}on average over the samples that have it, measured by removing the rule where that was possible.` : "") +
        (removed && found.validation !== null
          ? ` When removed: how the ${score.name} on the ${plural(found.validation, "sample", "samples")} of the validation set (${score.text(found.validation_score)}${score.unit ? ` ${score.unit}` : ""}) changes without the rule; measured.`
          : ""),
    ),
    h(
      "ul",
      { class: "layers" },
      ...found.layers.map((item, k) =>
        h(
          "li",
          {},
          h("strong", {}, layerName(found, k)),
          ` ${item.activation && item.activation !== "identity" ? `${item.activation}, ` : ""}${plural(item.parameters, "parameter", "parameters")} `,
          ...item.rules.flatMap((text, n) => [n > 0 && "plus ", h("code", {}, given(text))]),
          item.bias !== null && item.rules.length > 0 && h("span", {}, " bias ", h("code", {}, given(item.bias))),
        ),
      ),
    ),
    h(
      "div",
      { class: "controls row" },
      field("Find in rules", find),
      field("Layer", select([["all", "all"], ...layers], (value) => { layer = value; again(); })),
      field(measured ? "Effects" : "Weights", select([["all", "all"], ["plus", "positive"], ["minus", "negative"]], (value) => { sign = value; again(); })),
    ),
    element,
    found.names !== null && h("p", { class: "note" }, "Names of labels: ", given(found.names), "."),
  );
}
