// choices.ts - what was tried, ranked by validation score.
import { type Configuration, type Report, type Search } from "./data";
import { field, given, h } from "./dom";
import { NONE, type Scores, count, figure, fixed, plural, seconds } from "./format";
import { barCell, table } from "./table";

function filterField(label: string, change: (value: string) => void): HTMLElement {
  const input = h("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => change(input.value.trim().toLowerCase()));
  return field(label, input);
}

/** Scores of many that lie close together: bars begin a little below the worst. */
function reach(values: readonly (number | null)[]): (value: number | null) => number | null {
  const known = values.filter((value): value is number => value !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  const from = low - (high - low) * 0.15;
  return (value) => (value === null ? null : high > low ? (value - from) / (high - from) : 1);
}

export function configurations(data: Report, score: Scores): HTMLElement {
  const rows = data.configurations.map((row, k) => ({ ...row, rank: k + 1 }));
  type Row = Configuration & { rank: number };
  const part = reach(rows.map((row) => row.validation));
  const bar = (row: Row): Node =>
    barCell(
      row.validation === null ? NONE : `${score.text(row.validation)} \u00b1 ${score.spread(row.deviation)}`,
      score.errors ? null : part(row.validation),
      1,
      false,
    );
  const { element, filter } = table<Row>({
    caption: "Configurations, sorted by mean validation score. There are no test scores: choosing by them would bias the result.",
    rows,
    limit: 20,
    words: ["configuration", "configurations"],
    rowClass: (row) => (row.chosen > 0 ? "chosen" : null),
    columns: [
      { head: "Rank", numeric: true, cell: (row) => String(row.rank), key: (row) => row.rank },
      { head: "Configuration", header: true, wide: true, cell: (row) => given(row.choices || "the only one"), key: (row) => row.choices.toLowerCase() },
      { head: `Validation ${score.column}`, numeric: true, descending: !score.errors, cell: bar, key: (row) => row.validation },
      { head: "Loss", numeric: true, cell: (row) => figure(row.loss), key: (row) => row.loss },
      { head: "Folds", numeric: true, cell: (row) => String(row.folds), key: (row) => row.folds },
      { head: "Chosen in", numeric: true, descending: true, cell: (row) => (row.chosen ? String(row.chosen) : NONE), key: (row) => row.chosen },
      { head: "Epoch", numeric: true, cell: (row) => fixed(row.epoch, 0), key: (row) => row.epoch },
      { head: "Parameters", numeric: true, cell: (row) => count(row.parameters), key: (row) => row.parameters },
      { head: "Time", numeric: true, cell: (row) => seconds(row.seconds), key: (row) => row.seconds },
    ],
  });
  const dropped = data.n_configurations - rows.length;
  return h(
    "div",
    {},
    rows.length > 5 &&
      h(
        "div",
        { class: "controls row" },
        filterField("Find in configurations", (word) => filter((row) => row.choices.toLowerCase().includes(word))),
      ),
    element,
    dropped > 0 && h("p", { class: "note" }, `${plural(dropped, "more is", "more are")} in the store.`),
  );
}

export function leaderboard(search: Search, score: Scores): HTMLElement {
  type Row = Search["candidates"][number];
  const { element, filter } = table<Row>({
    caption: `Candidates of the search, best first: those of later rounds were looked at on more folds and for longer`,
    rows: search.candidates,
    limit: 15,
    words: ["candidate", "candidates"],
    columns: [
      { head: "Rank", numeric: true, cell: (row) => count(row.rank), key: (row) => row.rank },
      { head: "Rule", header: true, wide: true, cell: (row) => given(row.rule ?? row.message ?? NONE), key: (row) => (row.rule ?? "").toLowerCase() },
      { head: "Round", numeric: true, descending: true, cell: (row) => count(row.round), key: (row) => row.round },
      { head: `Validation ${score.column}`, numeric: true, descending: !score.errors, cell: (row) => (row.validation[0] === null ? NONE : `${score.text(row.validation[0])} \u00b1 ${score.spread(row.validation[1])}`), key: (row) => row.validation[0] },
      { head: "Weights", numeric: true, cell: (row) => count(row.weights), key: (row) => row.weights },
      { head: "Time", numeric: true, cell: (row) => seconds(row.seconds), key: (row) => row.seconds },
    ],
  });
  const effects = search.effects.filter((effect) => effect.with !== null && effect.without !== null);
  const list = effects.length
    ? table({
        caption: "What a choice brings: mean score of round 1 with it and without it; differences of few candidates mean little",
        rows: effects,
        limit: 12,
        words: ["choice", "choices"],
        columns: [
          { head: "Choice", header: true, cell: (row) => given(`${row.axis ?? ""}: ${row.choice ?? ""}`), key: (row) => `${row.axis} ${row.choice}` },
          { head: "With", numeric: true, cell: (row) => score.text(row.with), key: (row) => row.with },
          { head: "Candidates", numeric: true, cell: (row) => count(row.n_with), key: (row) => row.n_with },
          { head: "Without", numeric: true, cell: (row) => score.text(row.without), key: (row) => row.without },
          { head: "Candidates", numeric: true, cell: (row) => count(row.n_without), key: (row) => row.n_without },
          { head: "Difference", numeric: true, descending: true, cell: (row) => score.difference(row.with! - row.without!), key: (row) => row.with! - row.without! },
        ],
      }).element
    : null;
  return h(
    "div",
    {},
    h("h3", {}, "The search"),
    h("p", {}, `${plural(search.tried, "candidate was", "candidates were")} tried${search.minutes === null ? "" : ` in ${Number(search.minutes.toPrecision(3))} minutes`}, by validation score alone.`),
    h("div", { class: "controls row" }, filterField("Find in rules", (word) => filter((row) => (row.rule ?? "").toLowerCase().includes(word)))),
    element,
    list,
  );
}
