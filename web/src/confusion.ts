// confusion.ts - the confusion matrix of the test sets.
import { type Confusion, type Report } from "./data";
import { field, fitted, given, h, replace, s, select } from "./dom";
import { count, figure, fixed, plural } from "./format";
import { scale } from "./scale";

type Mode = "counts" | "true" | "said";

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function matrix(data: Confusion, mode: Mode): HTMLTableElement {
  const rows = data.counts.map(sum);
  const columns = data.classes.map((_, k) => sum(data.counts.map((row) => row[k]!)));
  const total = sum(rows);
  const right = sum(data.counts.map((row, k) => row[k]!));
  const percent = (part: number, whole: number): string => (whole > 0 ? fixed((100 * part) / whole, 1) : "\u2013");
  const cell = (i: number, k: number): HTMLElement => {
    const value = data.counts[i]![k]!;
    const whole = mode === "said" ? columns[k]! : rows[i]!;
    const element = h("td", { class: i === k ? "number hit" : "number miss" }, mode === "counts" ? count(value) : percent(value, whole));
    element.style.setProperty("--part", (whole > 0 ? value / whole : 0).toFixed(3));
    return element;
  };
  return h(
    "table",
    { class: "confusion" },
    h(
      "caption",
      {},
      `Predictions for ${plural(total, data.of === "nodes" ? "node" : "sample", data.of)} of the test sets, ` +
        `by ${plural(data.runs, "run", "runs")} together: ${percent(right, total)} % right` +
        (mode === "counts" ? "" : mode === "true" ? "; percent of each row" : "; percent of each column"),
    ),
    h(
      "thead",
      {},
      h("tr", {}, h("th", { scope: "col" }, "true class"), ...data.classes.map((name) => h("th", { scope: "col", class: "number" }, h("span", { class: "said" }, "said: "), given(name))), h("th", { scope: "col", class: "number sum" }, data.of), h("th", { scope: "col", class: "number" }, "recall, %")),
    ),
    h(
      "tbody",
      {},
      ...data.classes.map((name, i) =>
        h("tr", {}, h("th", { scope: "row" }, given(name)), ...data.classes.map((_, k) => cell(i, k)), h("td", { class: "number sum" }, count(rows[i]!)), h("td", { class: "number" }, percent(data.counts[i]![i]!, rows[i]!))),
      ),
    ),
    h(
      "tfoot",
      {},
      h("tr", {}, h("th", { scope: "row" }, "precision, %"), ...data.classes.map((_, k) => h("td", { class: "number" }, percent(data.counts[k]![k]!, columns[k]!))), h("td", { class: "number sum" }, count(total)), h("td")),
    ),
  );
}

/** Predicted against true values, for tasks of real values. */
function scatter(data: NonNullable<Report["values"]>): HTMLElement {
  const box = h("div", { class: "chart square" });
  const truths = data.pairs.map((pair) => pair[1]);
  const said = data.pairs.map((pair) => pair[2]);
  const low = Math.min(...truths, ...said);
  const high = Math.max(...truths, ...said);
  fitted(box, (width) => {
    const size = Math.min(width, 480);
    const x = scale(low, high, 52, size - 10, 5);
    const y = scale(low, high, size - 40, 8, 5);
    const picture = s("svg", { viewBox: `0 0 ${size} ${size}`, width: size, role: "img", "aria-label": "predicted against true values of the test sets" });
    for (const tick of x.ticks)
      picture.append(
        s("line", { class: "grid", x1: x.at(tick), x2: x.at(tick), y1: 8, y2: size - 40 }),
        s("text", { class: "tick", x: x.at(tick), y: size - 24, "text-anchor": "middle" }, figure(tick)),
        s("line", { class: "grid", x1: 52, x2: size - 10, y1: y.at(tick), y2: y.at(tick) }),
        s("text", { class: "tick", x: 46, y: y.at(tick) + 4, "text-anchor": "end" }, figure(tick)),
      );
    picture.append(
      s("line", { class: "diagonal", x1: x.at(low), y1: y.at(low), x2: x.at(high), y2: y.at(high) }),
      ...data.pairs.map(([sample, is, says]) =>
        s("circle", { class: "point", cx: x.at(is), cy: y.at(says), r: 2.5 }, s("title", {}, `sample ${sample}: true ${figure(is)}, predicted ${figure(says)}`)),
      ),
      s("text", { class: "axis", x: size - 10, y: size - 6, "text-anchor": "end" }, "true value"),
      s("text", { class: "axis", x: 0, y: 0, transform: "translate(12 8) rotate(-90)", "text-anchor": "end" }, "predicted"),
    );
    return picture;
  });
  return h(
    "figure",
    {},
    box,
    h("figcaption", {}, `Predicted (mean over runs) against true values of ${plural(data.samples, "sample", "samples")} of the test sets${data.pairs.length < data.samples ? `; ${count(data.pairs.length)} are drawn` : ""}. On the line they are equal.`),
  );
}

export function confusion(data: Report): HTMLElement {
  if (data.values) return scatter(data.values);
  const found = data.confusion;
  if (!found) return h("p", { class: "empty" }, given(data.no_confusion ?? "There is nothing to count."));
  const place = h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Confusion matrix" });
  const show = (mode: Mode): void => replace(place, matrix(found, mode));
  show("counts");
  return h(
    "div",
    {},
    h(
      "div",
      { class: "controls row" },
      field(
        "Cells show",
        select(
          [
            ["counts", "counts"],
            ["true", "percent of the true class"],
            ["said", "percent of what was said"],
          ],
          (value) => show(value as Mode),
        ),
      ),
    ),
    place,
  );
}
