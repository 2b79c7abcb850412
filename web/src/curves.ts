// curves.ts - how training went: means over runs and folds, and their spread.
import uPlot from "uplot";
import { type Curve, type Report, mainRun } from "./data";
import { field, h, replace, select } from "./dom";
import { type Scores, figure, fixed, plural } from "./format";
import { mean, quantile } from "./scale";
import { colour, onTheme } from "./theme";

type Spread = "range" | "middle" | "runs";
type Series = "train_loss" | "train_score" | "validation_loss" | "validation_score";

/** Mean, low and high of every epoch, over the runs that got that far. */
interface Band {
  mean: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}

function band(curves: readonly Curve[], series: Series, n: number, spread: Spread, factor: number): Band {
  const out: Band = { mean: [], low: [], high: [] };
  for (let e = 0; e < n; e++) {
    const values = curves
      .map((curve) => curve[series][e])
      .filter((value): value is number => value !== null && value !== undefined)
      .map((value) => value * factor)
      .sort((a, b) => a - b);
    const none = values.length === 0;
    out.mean.push(none ? null : mean(values));
    out.low.push(none ? null : spread === "middle" ? quantile(values, 0.25) : values[0]!);
    out.high.push(none ? null : spread === "middle" ? quantile(values, 0.75) : values[values.length - 1]!);
  }
  return out;
}

interface Chart {
  title: string;
  unit: string;
  train: Series;
  validation: Series;
  factor: number;
}

export function curves(data: Report, score: Scores): HTMLElement {
  const all = data.curves.runs;
  if (all.length === 0 || data.curves.longest === 0)
    return h("p", { class: "empty" }, "No run is over yet: there are no curves.");
  const kernel = data.curves.longest === 1 && !all.some((curve) => curve.in_epochs);
  if (kernel) return h("p", { class: "empty" }, "These models are not trained in epochs: there are no curves.");
  const stride = data.curves.stride;
  const charts: Chart[] = [
    { title: "Loss", unit: "", train: "train_loss", validation: "validation_loss", factor: 1 },
    {
      title: score.name.charAt(0).toUpperCase() + score.name.slice(1),
      unit: score.unit,
      train: "train_score",
      validation: "validation_score",
      factor: score.unit === "%" ? 100 : 1,
    },
  ];
  const folds = [...new Set(all.map((curve) => curve.fold))].sort((a, b) => a - b);
  let fold: number | null = null;
  let spread: Spread = "range";
  let shown: readonly Curve[] = all;
  let plots: uPlot[] = [];
  let bands: { train: Band; validation: Band }[] = [];

  const boxes = charts.map(() => h("div", { class: "plot" }));
  const slider = h("input", { type: "range", min: 1, max: 1, step: 1, value: 1 });
  const output = h("output", { class: "readout" });
  const note = h("p", { class: "note" });
  const n = (): number => Math.max(...shown.map((curve) => curve.train_loss.length));

  function options(width: number): uPlot.Options {
    const [train, validation] = [colour("train"), colour("validation")];
    const axis: Partial<uPlot.Axis> = {
      stroke: colour("muted"),
      grid: { stroke: colour("grid"), width: 1 },
      ticks: { show: false },
      font: '12px Inter, system-ui, "Segoe UI", sans-serif',
    };
    const line = (stroke: string, label: string): uPlot.Series => ({ label, stroke, width: 2, points: { show: n() === 1 } });
    const edge = (): uPlot.Series => ({ stroke: "transparent", width: 0, points: { show: false } });
    const thin = (stroke: string): uPlot.Series => ({ stroke, width: 1, alpha: 0.55, points: { show: n() === 1 } });
    const runs = spread === "runs";
    return {
      width,
      height: Math.round(Math.min(300, Math.max(220, width * 0.6))),
      cursor: { drag: { x: false, y: false }, y: false },
      legend: { show: false },
      scales: { x: { time: false } },
      axes: [
        { ...axis, label: "epoch", labelSize: 22, labelFont: axis.font!, size: 34 },
        { ...axis, size: 46, values: (_, ticks, __, ___, step) => ticks.map((tick) => fixed(tick, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))) },
      ],
      series: runs
        ? [{}, ...shown.map(() => thin(train)), ...shown.map(() => thin(validation))]
        : [{}, edge(), edge(), edge(), edge(), line(train, "training"), line(validation, "validation")],
      bands: runs
        ? []
        : [
            { series: [1, 2], fill: colour("train-band") },
            { series: [3, 4], fill: colour("validation-band") },
          ],
      hooks: {
        setCursor: [
          (plot) => {
            const place = plot.cursor.idx;
            if (place !== null && place !== undefined && plot.root.matches(":hover")) tell(place, plot);
          },
        ],
      },
    };
  }

  function numbers(chart: Chart, k: number): uPlot.AlignedData {
    const epochs = Array.from({ length: n() }, (_, e) => 1 + e * stride);
    if (spread === "runs") {
      const line = (series: Series) => (curve: Curve) =>
        epochs.map((_, e) => {
          const value = curve[series][e];
          return value === null || value === undefined ? null : value * chart.factor;
        });
      return [epochs, ...shown.map(line(chart.train)), ...shown.map(line(chart.validation))];
    }
    const { train, validation } = bands[k]!;
    return [epochs, train.high, train.low, validation.high, validation.low, train.mean, validation.mean];
  }

  function draw(): void {
    for (const plot of plots) plot.destroy();
    plots = [];
    charts.forEach((chart, k) => {
      const box = boxes[k]!;
      const width = box.clientWidth;
      replace(box);
      if (width > 0) plots.push(new uPlot(options(width), numbers(chart, k), box));
    });
  }

  function choose(): void {
    shown = fold === null ? all : all.filter((curve) => curve.fold === fold);
    bands = charts.map((chart) => ({
      train: band(shown, chart.train, n(), spread, chart.factor),
      validation: band(shown, chart.validation, n(), spread, chart.factor),
    }));
    slider.max = String(n());
    const best = shown.map((curve) => curve.best).filter((epoch) => epoch > 0);
    const stopped = shown.filter((curve) => curve.failed).length;
    note.textContent =
      `${plural(shown.length, "run", "runs")} of what was chosen${fold === null ? ` on ${plural(folds.length, "fold", "folds")}` : ` on fold ${fold}`}; ` +
      (best.length ? `best epochs ${Math.min(...best)} to ${Math.max(...best)}, mean ${figure(mean(best))}` : "no best epoch") +
      (stopped ? `; ${plural(stopped, "run", "runs")} failed: the loss was no number` : "") +
      (stride > 1 ? `; every ${stride}th epoch is drawn` : "") +
      ".";
    draw();
    tell(Math.min(Number(slider.value) - 1, n() - 1), null);
  }

  /** Values at an epoch, in words: for those who point, and for those who use the slider. */
  function tell(place: number, from: uPlot | null): void {
    slider.value = String(place + 1);
    slider.setAttribute("aria-valuetext", `epoch ${1 + place * stride}`);
    const parts = charts.map((chart, k) => {
      const { train, validation } = bands[k]!;
      const one = (name: string, values: Band): string =>
        values.mean[place] === null
          ? ""
          : `${name} ${figure(values.mean[place]!)} (${figure(values.low[place]!)} to ${figure(values.high[place]!)})`;
      const both = [one("training", train), one("validation", validation)].filter(Boolean).join(", ");
      return `${chart.title}${chart.unit ? `, ${chart.unit}` : ""}: ${both}`;
    });
    output.textContent = `Epoch ${1 + place * stride}. ${parts.join(". ")}.`;
    for (const plot of plots)
      if (plot !== from) plot.setCursor({ left: plot.valToPos(1 + place * stride, "x"), top: 0 }, false);
  }

  slider.addEventListener("input", () => tell(Number(slider.value) - 1, null));
  let width = 0;
  new ResizeObserver(() => {
    const now = boxes[0]!.clientWidth;
    if (now > 0 && now !== width) {
      width = now;
      draw();
    }
  }).observe(boxes[0]!);
  onTheme(draw);

  const controls = h(
    "div",
    { class: "controls row" },
    field(
      "Folds",
      select([["all", "all"], ...folds.map((k) => [String(k), `fold ${k}`] as const)], (value) => {
        fold = value === "all" ? null : Number(value);
        choose();
      }),
    ),
    field(
      "Spread",
      select(
        [
          ["range", "smallest to largest"],
          ["middle", "middle half"],
          ["runs", "every run"],
        ],
        (value) => {
          spread = value as Spread;
          choose();
        },
      ),
    ),
    field("Epoch", slider),
  );
  choose();
  const main = mainRun(data);
  return h(
    "div",
    { class: "curves" },
    controls,
    h("p", { class: "legend" }, h("span", { class: "key train" }, "training"), h("span", { class: "key validation" }, "validation")),
    h(
      "div",
      { class: "plots" },
      ...charts.map((chart, k) =>
        h(
          "figure",
          {},
          h("figcaption", {}, `${chart.title}${chart.unit ? `, ${chart.unit}` : ""}`),
          h("div", { role: "img", "aria-label": `${chart.title} of ${main.name}, epoch by epoch; the slider above reads out the values` }, boxes[k]!),
        ),
      ),
    ),
    output,
    note,
  );
}
