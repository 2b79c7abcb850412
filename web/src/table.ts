// table.ts - tables whose columns sort and whose rows can be filtered.
import { h, replace } from "./dom";
import { count, plural } from "./format";

export interface Column<T> {
  head: string;
  /** What a cell shows. */
  cell(row: T): Node | string;
  /** What the column sorts by; without it the column does not. Unknown values come last. */
  key?(row: T): number | string | null;
  numeric?: boolean;
  /** The cell that names its row. */
  header?: boolean;
  wide?: boolean;
  short?: boolean;
  /** Begins with the largest. */
  descending?: boolean;
}

export interface TableOptions<T> {
  caption: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  /** Column that rows are sorted by at first; without it they stay as they come. */
  sorted?: number;
  /** Rows that are shown before one asks for all. */
  limit?: number;
  /** What rows are called: "rule", "rules". */
  words: readonly [string, string];
  rowClass?(row: T): string | null;
}

export interface Table<T> {
  element: HTMLElement;
  /** Shows only rows for which this holds. */
  filter(keep: (row: T) => boolean): void;
}

function compare(a: number | string | null, b: number | string | null, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = a < b ? -1 : a > b ? 1 : 0;
  return descending ? -order : order;
}

export function table<T>(options: TableOptions<T>): Table<T> {
  const { columns, rows } = options;
  let by = options.sorted ?? -1;
  let descending = by >= 0 && !!columns[by]?.descending;
  let keep: (row: T) => boolean = () => true;
  let limit = options.limit ?? Infinity;

  const body = h("tbody");
  const status = h("p", { class: "status", role: "status" });
  const more = h("button", { type: "button", class: "more" });
  const heads = columns.map((column, k) => head(column, k));
  const element = h(
    "div",
    { class: "table" },
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": options.caption },
      h("table", {}, h("caption", {}, options.caption), h("thead", {}, h("tr", {}, ...heads)), body),
    ),
    status,
    more,
  );

  function head(column: Column<T>, k: number): HTMLElement {
    const cell = h("th", { scope: "col", class: column.numeric ? "number" : null });
    if (!column.key) {
      cell.append(h("span", { class: "unsorted" }, column.head));
      return cell;
    }
    const button = h("button", { type: "button", class: "sort" }, column.head);
    button.addEventListener("click", () => {
      descending = by === k ? !descending : !!column.descending;
      by = k;
      show();
    });
    cell.append(button);
    return cell;
  }

  function line(row: T): HTMLElement {
    const cells = columns.map((column) => {
      const names = [column.numeric ? "number" : "", column.wide ? "wide" : "", column.short ? "short" : ""].filter(Boolean).join(" ");
      const attributes = { class: names || null };
      return column.header
        ? h("th", { scope: "row", ...attributes }, column.cell(row))
        : h("td", attributes, column.cell(row));
    });
    return h("tr", { class: options.rowClass?.(row) ?? null }, ...cells);
  }

  function show(): void {
    const kept = rows.filter(keep);
    const key = columns[by]?.key;
    if (key) kept.sort((a, b) => compare(key(a), key(b), descending));
    replace(body, ...kept.slice(0, limit).map(line));
    heads.forEach((cell, k) => {
      if (columns[k]!.key) cell.setAttribute("aria-sort", k !== by ? "none" : descending ? "descending" : "ascending");
    });
    const shown = Math.min(kept.length, limit);
    status.textContent =
      shown === rows.length
        ? plural(rows.length, ...options.words)
        : `${count(shown)} of ${plural(kept.length, ...options.words)}` +
          (kept.length < rows.length ? ` that match, of ${count(rows.length)}` : "");
    more.hidden = shown === kept.length;
    more.textContent = `Show all ${count(kept.length)}`;
  }

  more.addEventListener("click", () => {
    limit = Infinity;
    show();
    (element.querySelector(".scroll") as HTMLElement).focus();
  });
  status.hidden = rows.length < 8;
  show();
  return {
    element,
    filter(test) {
      keep = test;
      status.hidden = false;
      show();
    },
  };
}

/** A number with a bar from the middle (both signs) or from the left (none below 0). */
export function barCell(text: string, value: number | null, largest: number, both: boolean): HTMLElement {
  const part = value === null || !(largest > 0) ? 0 : Math.min(1, Math.abs(value) / largest);
  const bar = h("span", { class: `bar ${both ? (value !== null && value < 0 ? "minus" : "plus") : "plain"}`, "aria-hidden": "true" });
  bar.style.setProperty("--part", part.toFixed(3));
  return h("span", { class: both ? "barred both" : "barred" }, bar, h("span", { class: "digits" }, text));
}
