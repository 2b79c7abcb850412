// scale.ts - axes: round numbers between two ends.

export interface Scale {
  at(value: number): number;
  ticks: number[];
  digits: number;
}

export function scale(low: number, high: number, from: number, to: number, about = 5): Scale {
  if (!(high > low)) {
    const pad = Math.abs(low) > 0 ? Math.abs(low) * 0.05 : 1;
    low -= pad;
    high += pad;
  }
  const raw = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((k) => k * power >= raw)! * power;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return {
    at: (value) => from + ((value - low) / (high - low)) * (to - from),
    ticks,
    digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)),
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sample deviation, n - 1; 0 for one value. */
export function deviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

export function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const below = Math.floor(place);
  const a = sorted[below]!;
  const b = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return a + (b - a) * (place - below);
}
