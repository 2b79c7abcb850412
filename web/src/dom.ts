// dom.ts - elements are made here and nowhere else. Text goes in as text: nothing that comes from a data set is
// ever read as markup, no attribute can hold a script, and no address leads out of the page.

type Child = Node | string | null | false;
type Value = string | number | boolean | null;
export type Attributes = Record<string, Value>;

const SVG = "http://www.w3.org/2000/svg";
const PLAIN = /^(aria-[a-z]+|class|id|for|role|type|name|value|min|max|step|scope|colspan|rowspan|title|lang|dir|open|hidden|disabled|checked|selected|label|placeholder|autocomplete|spellcheck|list|tabindex|viewBox|width|height|preserveAspectRatio|x|y|x1|x2|y1|y2|cx|cy|r|rx|d|points|transform|fill|text-anchor|dominant-baseline|stroke-width|stroke-dasharray|focusable|data-[a-z]+)$/;

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "href" ? !/^#[\w-]*$/.test(String(value)) : !PLAIN.test(name))
      throw new Error(`attribute ${name} is none that a report uses`);
    if (value === false || value === null) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children)
    if (child !== null && child !== false) element.append(typeof child === "string" ? document.createTextNode(child) : child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag) as SVGElementTagNameMap[K];
  set(element, attributes);
  append(element, children);
  return element;
}

/** A text from outside: its direction of writing stays its own. */
export function given(text: string): HTMLElement {
  return h("bdi", {}, text);
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

let fields = 0;

/** A labelled control. */
export function field(label: string, control: HTMLElement): HTMLElement {
  control.id = `field-${++fields}`;
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}

export function select(options: readonly (readonly [value: string, text: string])[], change: (value: string) => void): HTMLSelectElement {
  const element = h("select", {}, ...options.map(([value, text]) => h("option", { value }, text)));
  element.addEventListener("change", () => change(element.value));
  return element;
}

/** Draws into an element again whenever its width changes: text in pictures keeps its size. */
export function fitted(element: HTMLElement, draw: (width: number) => Node): () => void {
  let last = -1;
  const again = (): void => {
    const width = Math.floor(element.clientWidth);
    if (width > 0) {
      last = width;
      replace(element, draw(width));
    }
  };
  new ResizeObserver(() => {
    if (Math.floor(element.clientWidth) !== last) again();
  }).observe(element);
  return again;
}
