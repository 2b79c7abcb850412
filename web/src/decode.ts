// decode.ts - from JSON to values of known types; whatever does not fit is told with its place.

export type Decoder<T> = (value: unknown, at: string) => T;
export type Decoded<D> = D extends Decoder<infer T> ? T : never;

function fail(at: string, expected: string, value: unknown): never {
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : typeof value;
  throw new Error(`the data of this report make no sense: ${at}: found ${found}, expected ${expected}`);
}

export const text: Decoder<string> = (value, at) => (typeof value === "string" ? value : fail(at, "a text", value));

export const number: Decoder<number> = (value, at) =>
  typeof value === "number" && Number.isFinite(value) ? value : fail(at, "a number", value);

export const flag: Decoder<boolean> = (value, at) => (typeof value === "boolean" ? value : fail(at, "true or false", value));

/** null and what is not there at all are both null. */
export function maybe<T>(inner: Decoder<T>): Decoder<T | null> {
  return (value, at) => (value === null || value === undefined ? null : inner(value, at));
}

export function list<T>(inner: Decoder<T>): Decoder<T[]> {
  return (value, at) =>
    Array.isArray(value) ? value.map((item, k) => inner(item, `${at}[${k}]`)) : fail(at, "a list", value);
}

/** A list of exactly these. */
export function tuple<T extends unknown[]>(...inner: { [K in keyof T]: Decoder<T[K]> }): Decoder<T> {
  return (value, at) =>
    Array.isArray(value) && value.length === inner.length
      ? (inner.map((decode, k) => decode(value[k], `${at}[${k}]`)) as T)
      : fail(at, `a list of ${inner.length}`, value);
}

export function object<F extends Record<string, Decoder<unknown>>>(fields: F): Decoder<{ [K in keyof F]: Decoded<F[K]> }> {
  return (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(at, "an object", value);
    const from = value as Record<string, unknown>;
    const out: Record<string, unknown> = {};
    for (const key of Object.keys(fields)) out[key] = fields[key]!(from[key], at ? `${at}.${key}` : key);
    return out as { [K in keyof F]: Decoded<F[K]> };
  };
}
