// theme.ts - light, dark, or as the system has it. Kept for the visit only: a page from the disk stores nothing.
import { h } from "./dom";

export type Listener = () => void;
const listeners: Listener[] = [];
let printing = false;

/** Called after the colours have changed. */
export function onTheme(listener: Listener): void {
  listeners.push(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** The value of a colour of style.css. Paper is always light. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function apply(choice: string): void {
  const root = document.documentElement;
  if (printing) root.dataset["theme"] = "light";
  else if (choice === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = choice;
  tell();
}

export function themeSwitch(): HTMLElement {
  let choice = "system";
  const group = h("fieldset", { class: "theme controls" }, h("legend", {}, "Colours"));
  for (const [value, text] of [
    ["system", "System"],
    ["light", "Light"],
    ["dark", "Dark"],
  ] as const) {
    const radio = h("input", { type: "radio", name: "theme", value, checked: value === choice });
    radio.addEventListener("change", () => apply((choice = value)));
    group.append(h("label", {}, radio, h("span", {}, text)));
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  addEventListener("beforeprint", () => {
    printing = true;
    apply(choice);
  });
  addEventListener("afterprint", () => {
    printing = false;
    apply(choice);
  });
  return group;
}
