// results.ts - what came out: the number with its protocol, and what it is to be compared with.
import { type Report, type Run, type Verdict, mainRun, verdictOf } from "./data";
import { fitted, given, h, s } from "./dom";
import { NONE, type Scores, count, fixed, plural } from "./format";
import { deviation, mean, scale } from "./scale";
import { table } from "./table";

/** A line of the comparison. */
interface Row {
  name: string;
  run: Run | null; // null: the most frequent class
  verdict: Verdict | null;
  protocol: string;
  part: string;
  mean: number | null;
  deviation: number | null;
  folds: (number | null)[];
  kind: "main" | "other" | "majority";
}

/** The most frequent class on the part that the verdict is about. */
function majorityRow(run: Run, verdict: Verdict | null): Row | null {
  const tested = verdict?.part !== "validation";
  const folds = run.folds.map((fold) => (tested ? fold.majority : fold.majority_validation));
  const known = folds.filter((value): value is number => value !== null);
  if (known.length === 0 || known.length < folds.length) return null;
  return {
    name: "most frequent class",
    run: null,
    verdict: null,
    protocol: NONE,
    part: tested ? "test" : "validation",
    mean: mean(known),
    deviation: deviation(known),
    folds,
    kind: "majority",
  };
}

function rowOf(run: Run, verdict: Verdict, kind: "main" | "other"): Row {
  return {
    name: run.name,
    run,
    verdict,
    protocol: verdict.protocol,
    part: verdict.part,
    mean: verdict.mean,
    deviation: verdict.deviation,
    folds: verdict.folds.map((fold) => fold.score),
    kind,
  };
}

/** One line a run, by the protocol of the report, and the most frequent class. */
export function comparison(data: Report): Row[] {
  const main = mainRun(data);
  const rows: Row[] = [];
  data.runs.forEach((run, k) => {
    const verdict = verdictOf(run, data.protocol);
    if (verdict && run.score === main.score) rows.push(rowOf(run, verdict, k === 0 ? "main" : "other"));
  });
  const majority = main.score === "accuracy" ? majorityRow(main, verdictOf(main, data.protocol)) : null;
  return majority ? [...rows, majority] : rows;
}

/* ---- the picture: means with deviations, and a dot a fold */

export function strips(data: Report, score: Scores): HTMLElement {
  const rows = comparison(data);
  const main = mainRun(data);
  const box = h("div", { class: "chart" });
  const readout = h("p", { class: "readout", "aria-hidden": "true" }, "Point at a dot: the same fold lights up in every row.");
  const numbers = rows.flatMap((row) => [
    ...row.folds.filter((value): value is number => value !== null).map(score.axis),
    ...(row.mean === null ? [] : [score.axis(row.mean - (row.deviation ?? 0)), score.axis(row.mean + (row.deviation ?? 0))]),
  ]);
  if (numbers.length === 0) return h("p", { class: "empty" }, "No protocol has a result yet.");

  const draw = (width: number): Node => {
    const narrow = width < 560;
    const left = narrow ? 8 : Math.min(220, width * 0.3);
    const rowHeight = narrow ? 58 : 44;
    const top = 6;
    const bottom = top + rows.length * rowHeight;
    let low = Math.min(...numbers);
    let high = Math.max(...numbers);
    const pad = (high - low) * 0.04 || 1;
    low -= pad;
    high += pad;
    if (score.unit === "%") [low, high] = [Math.max(0, low), Math.min(100, high)];
    const x = scale(low, high, left, width - 18, narrow ? 4 : 7);
    const picture = s("svg", {
      viewBox: `0 0 ${width} ${bottom + 42}`,
      width: "100%",
      role: "img",
      "aria-label": `${score.name} of every fold, one row a model; the table of results and that of folds have the numbers`,
    });
    for (const tick of x.ticks) {
      const at = x.at(tick);
      picture.append(
        s("line", { class: "grid", x1: at, x2: at, y1: top, y2: bottom }),
        s("text", { class: "tick", x: at, y: bottom + 16, "text-anchor": "middle" }, fixed(tick, x.digits)),
      );
    }
    picture.append(
      s("text", { class: "axis", x: width - 18, y: bottom + 35, "text-anchor": "end" }, `${rows[0]!.part} ${score.column}${score.errors ? ", lower is better" : ""}`),
    );
    rows.forEach((row, k) => {
      const y = top + k * rowHeight + (narrow ? 40 : rowHeight / 2);
      const group = s("g", { class: `strip ${row.kind}` });
      group.append(
        s("line", { class: "rule", x1: narrow ? 0 : left, x2: width - 18, y1: y, y2: y }),
        s("text", { class: "name", x: narrow ? 0 : left - 12, y: narrow ? y - 18 : y + 4, "text-anchor": narrow ? "start" : "end" }, shortened(row.name, narrow ? 44 : 28)),
      );
      if (row.mean !== null) {
        const middle = x.at(score.axis(row.mean));
        const dev = row.deviation ?? 0;
        group.append(
          s("line", { class: "interval", x1: x.at(score.axis(row.mean - dev)), x2: x.at(score.axis(row.mean + dev)), y1: y, y2: y }),
        );
        dots(group, row, x.at, y);
        group.append(s("path", { class: "mean", d: `M${middle} ${y - 12}V${y + 12}` }));
      }
      picture.append(group);
    });
    return picture;

    /** Dots that would cover each other are put above and below the line. */
    function dots(group: SVGElement, row: Row, at: (value: number) => number, y: number): void {
      const placed: { x: number; y: number }[] = [];
      row.folds.forEach((value, fold) => {
        if (value === null) return;
        const px = at(score.axis(value));
        let py = y;
        for (const step of [0, -7, 7, -14, 14, -21, 21]) {
          py = y + step;
          if (!placed.some((dot) => Math.hypot(dot.x - px, dot.y - py) < 7)) break;
        }
        placed.push({ x: px, y: py });
        const number = (row.run ?? main).folds[fold]?.number ?? fold;
        const dot = s("circle", { class: "dot", cx: px, cy: py, r: 3.6, "data-fold": number });
        dot.addEventListener("pointerenter", () => light(number));
        dot.addEventListener("pointerleave", () => light(null));
        group.append(dot);
      });
    }
  };

  function light(fold: number | null): void {
    for (const dot of box.querySelectorAll<SVGElement>(".dot")) dot.classList.toggle("lit", dot.dataset["fold"] === String(fold));
    if (fold === null) return;
    const parts = rows.map((row) => {
      const place = (row.run ?? main).folds.findIndex((f) => f.number === fold);
      return `${row.name} ${score.text(row.folds[place] ?? null)}`;
    });
    readout.textContent = `Fold ${fold}: ${parts.join(", ")}${score.unit ? ` (${score.unit})` : ""}`;
  }

  fitted(box, draw);
  return h("div", {}, box, readout);
}

export function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}\u2026`;
}

/* ---- the table */

/** How much better than another run, fold by fold: only where both have the same folds. */
function paired(row: Row, main: Row | undefined): { mean: number; deviation: number } | null {
  if (!main || row === main || row.folds.length !== main.folds.length || row.part !== main.part) return null;
  if (row.run && row.run.differences.some((text) => /data|splits|kind|folds/.test(text))) return null;
  const differences = row.folds.flatMap((value, k) => {
    const other = main.folds[k];
    return value === null || other === null || other === undefined ? [] : [other - value];
  });
  return differences.length === row.folds.length && differences.length > 0
    ? { mean: mean(differences), deviation: deviation(differences) }
    : null;
}

/** Kernels have one epoch, which is none. */
function epochOf(row: Row): number | null {
  const epoch = row.verdict?.epoch ?? null;
  return epoch === 1 && row.verdict?.parameters === null ? null : epoch;
}

export function resultTable(data: Report, score: Scores): HTMLElement {
  const main = mainRun(data);
  const rows: Row[] = data.runs.flatMap((run, k) => run.protocols.map((verdict) => rowOf(run, verdict, k === 0 ? "main" : "other")));
  const majority = main.score === "accuracy" ? majorityRow(main, verdictOf(main, data.protocol)) : null;
  if (majority) rows.push(majority);
  const first = (protocol: string): Row | undefined =>
    rows.find((row) => row.kind === "main" && (row.protocol === protocol || (protocol === NONE && row.protocol === data.protocol)));
  const spread = (middle: number | null, dev: number | null): Node =>
    h("span", { class: "spread" }, score.text(middle), h("span", { class: "deviation" }, middle === null ? "" : ` \u00b1 ${score.spread(dev)}`));
  const columns = [
    { head: "Model", header: true, cell: (row: Row) => given(row.name), key: (row: Row) => row.name.toLowerCase() },
    { head: "Protocol", cell: (row: Row) => row.protocol },
    { head: "Part", cell: (row: Row) => row.part },
    {
      head: score.column.charAt(0).toUpperCase() + score.column.slice(1),
      numeric: true,
      descending: !score.errors,
      cell: (row: Row) => (row.run && row.run.score !== main.score ? NONE : row.verdict?.why_not ? h("span", { class: "note" }, "none yet") : spread(row.mean, row.deviation)),
      key: (row: Row) => row.mean,
    },
    {
      head: "This run is better by",
      numeric: true,
      descending: true,
      cell: (row: Row) => {
        const gap = paired(row, first(row.protocol));
        return gap ? spreadOf(gap) : NONE;
      },
      key: (row: Row) => paired(row, first(row.protocol))?.mean ?? null,
    },
    { head: "Validation", numeric: true, descending: true, cell: (row: Row) => score.text(row.verdict?.validation ?? null), key: (row: Row) => row.verdict?.validation ?? null },
    { head: "Best epoch", numeric: true, cell: (row: Row) => fixed(epochOf(row), 0), key: epochOf },
    { head: "Parameters", numeric: true, cell: (row: Row) => count(row.verdict?.parameters ?? null), key: (row: Row) => row.verdict?.parameters ?? null },
    {
      head: "Configuration",
      wide: true,
      cell: (row: Row) => {
        if (!row.verdict || row.verdict.configuration === null) return row.verdict?.why_not ? given(row.verdict.why_not) : NONE;
        const folds = row.verdict.folds.length;
        const often = row.verdict.chosen < folds ? ` (in ${row.verdict.chosen} of ${folds} folds)` : "";
        return h("span", {}, given(row.verdict.choices || "the only one"), often);
      },
    },
  ];
  function spreadOf(gap: { mean: number; deviation: number }): Node {
    const sign = score.errors ? -1 : 1;
    return h("span", { class: "spread" }, score.difference(sign * gap.mean), h("span", { class: "deviation" }, ` \u00b1 ${score.spread(gap.deviation)}`));
  }
  const { element } = table({
    caption: `${score.name === "accuracy" ? "Accuracies" : "Scores"} by protocol: mean \u00b1 sample deviation over folds`,
    rows,
    columns: rows.some((row) => paired(row, first(row.protocol))) ? columns : columns.filter((_, k) => k !== 4),
    words: ["row", "rows"],
    rowClass: (row) => row.kind,
  });
  return element;
}

/* ---- the folds */

export function foldTable(data: Report, score: Scores): HTMLElement | null {
  const main = mainRun(data);
  const verdict = verdictOf(main, data.protocol);
  if (!verdict) return null;
  const rows = verdict.folds.map((fold, k) => ({ ...fold, sizes: main.folds[k]! }));
  type Fold = (typeof rows)[number];
  const tested = verdict.part === "test";
  return table<Fold>({
    caption: `Folds of ${main.name} by protocol ${verdict.protocol}`,
    rows,
    words: ["fold", "folds"],
    columns: [
      { head: "Fold", header: true, numeric: true, cell: (row) => String(row.sizes.number), key: (row) => row.sizes.number },
      { head: "Train", numeric: true, cell: (row) => count(row.sizes.train), key: (row) => row.sizes.train },
      { head: "Validation", numeric: true, cell: (row) => count(row.sizes.validation), key: (row) => row.sizes.validation },
      { head: "Test", numeric: true, cell: (row) => count(row.sizes.test), key: (row) => row.sizes.test },
      { head: `${verdict.part} ${score.column}`, numeric: true, descending: true, cell: (row) => (row.deviation === null ? score.text(row.score) : `${score.text(row.score)} \u00b1 ${score.spread(row.deviation)}`), key: (row) => row.score },
      ...(score.name !== "accuracy" ? [] : [{ head: "Most frequent class, %", numeric: true, cell: (row: Fold) => score.text(tested ? row.sizes.majority : row.sizes.majority_validation), key: (row: Fold) => (tested ? row.sizes.majority : row.sizes.majority_validation) }]),
      { head: "Chosen by validation", numeric: true, descending: true, cell: (row) => score.text(row.validation), key: (row) => row.validation },
      { head: "Configuration", wide: true, cell: (row) => given(row.choices || "the only one"), key: (row) => row.configuration },
    ],
  }).element;
}

/* ---- the first thing one sees */

export function question(data: Report): string {
  const main = mainRun(data);
  const items = data.data?.kind === "arrays" ? "samples" : "graphs";
  return main.score === "error"
    ? `How far off are predictions for ${main.data} ${items} that were never seen?`
    : `How often is the class of ${data.confusion?.of === "nodes" ? "nodes in " : ""}${main.data} ${items} that were never seen predicted rightly?`;
}

export function headline(data: Report, score: Scores): HTMLElement {
  const main = mainRun(data);
  const verdict = verdictOf(main, data.protocol);
  if (!verdict) {
    const why = main.protocols[0]?.why_not ?? "no job is done yet";
    return h("div", { class: "headline" }, h("p", { class: "big none" }, "No result yet"), h("p", { class: "how" }, given(why)));
  }
  const folds = verdict.folds.length;
  const over =
    verdict.protocol === "holdout"
      ? `over ${plural(main.runs, "run", "runs")} on one fold`
      : `over ${plural(folds, "fold", "folds")}, each the mean of ${plural(main.runs, "run", "runs")}`;
  return h(
    "div",
    { class: "headline" },
    h(
      "p",
      { class: "big" },
      h("span", { class: "value" }, score.text(verdict.mean)),
      h("span", { class: "unit" }, score.unit ? `\u202f${score.unit}` : ""),
      h("span", { class: "dev" }, ` \u00b1 ${score.spread(verdict.deviation)}`),
    ),
    h("p", { class: "how" }, `${verdict.part} ${score.name}, mean \u00b1 sample deviation ${over}.`),
    h("p", { class: "how" }, h("strong", {}, `Protocol ${verdict.protocol}: `), `${verdict.way}.`),
  );
}
