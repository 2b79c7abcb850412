// format.ts - numbers as people read them; what is not known is a dash.

export const NONE = "\u2013";
const MINUS = "\u2212";

export function fixed(value: number | null, digits: number): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  return value.toFixed(digits).replace("-", MINUS);
}

/** About three significant digits. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(1).replace("-", MINUS).replace("e-", `e${MINUS}`);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size)));
  return fixed(value, digits);
}

export function signed(value: number | null, digits?: number): string {
  const text = digits === undefined ? figure(value) : fixed(value, digits);
  return value !== null && value > 0 ? `+${text}` : text;
}

export function count(value: number | null): string {
  if (value === null) return NONE;
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function seconds(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return NONE;
  if (value < 59.95) return `${figure(value)} s`;
  const whole = Math.round(value);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(value / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function bytes(value: number | null): string {
  if (value === null || value === 0) return NONE;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let k = 0;
  while (value >= 1000 && k < units.length - 1) {
    value /= 1000;
    k++;
  }
  return `${figure(value)} ${units[k]}`;
}

export function plural(n: number, one: string, many: string): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** How scores of a report are written: shares in percent, others as they are. */
export interface Scores {
  readonly errors: boolean;
  readonly name: string; // "accuracy"
  readonly unit: string; // "%", or nothing
  readonly column: string; // "accuracy, %"
  text(value: number | null): string;
  spread(value: number | null): string;
  /** Of two scores the better one is larger after this. */
  goodness(value: number): number;
  /** As numbers on an axis. */
  axis(value: number): number;
  difference(value: number | null): string;
}

/** Metrics that are no shares: how people read them, and whether lower is better. */
const METRICS: Readonly<Record<string, readonly [string, boolean]>> = {
  error: ["mean absolute error", true],
  "roc-auc": ["ROC-AUC", false],
  "average-precision": ["average precision", false],
  "f1-macro": ["F1 macro", false],
  "f1-micro": ["F1 micro", false],
  "log-loss": ["log loss", true],
  rmse: ["RMSE", true],
  r2: ["R2", false],
};

export function scores(kind: string): Scores {
  const metric = METRICS[kind];
  if (metric) {
    const [name, low] = metric;
    return {
      errors: low,
      name,
      unit: "",
      column: name,
      text: figure,
      spread: figure,
      goodness: (value) => (low ? -value : value),
      axis: (value) => value,
      difference: (value) => signed(value),
    };
  }
  const name = kind === "balanced-accuracy" ? "balanced accuracy" : "accuracy";
  const percent = (value: number | null, digits: number): string => fixed(value === null ? null : value * 100, digits);
  return {
    errors: false,
    name,
    unit: "%",
    column: `${name}, %`,
    text: (value) => percent(value, 1),
    spread: (value) => percent(value, 1),
    goodness: (value) => value,
    axis: (value) => value * 100,
    difference: (value) => signed(value === null ? null : value * 100, 1),
  };
}
