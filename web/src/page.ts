// page.ts - the head of the report: the question, the number with its protocol, the comparison, the warnings.
import { configurations, leaderboard } from "./choices";
import { type Report, mainRun } from "./data";
import { given, h } from "./dom";
import { type Scores, plural } from "./format";
import { headline, question, strips } from "./results";

function warnings(data: Report): HTMLElement | null {
  const lines: Node[] = mainRun(data).warnings.map((text) => h("li", {}, given(text)));
  for (const run of data.runs.slice(1)) {
    for (const text of run.differences) lines.push(h("li", {}, given(run.name), `: ${text}; its numbers are not to be compared with those above`));
    for (const text of run.warnings) lines.push(h("li", {}, given(run.name), ": ", given(text)));
  }
  if (lines.length === 0) return null;
  const many = lines.length > 3;
  const list = h("ul", {}, ...lines);
  return h(
    "aside",
    { class: "warnings", "aria-label": "What to keep in mind" },
    many
      ? h("details", {}, h("summary", {}, `${plural(lines.length, "thing", "things")} to keep in mind`), list)
      : h("div", {}, h("p", { class: "summary" }, "To keep in mind"), list),
  );
}

export function pageHead(data: Report, score: Scores): HTMLElement {
  const main = mainRun(data);
  const set = data.data;
  const sizes = set ? `${plural(set.samples, set.kind === "arrays" ? "sample" : "graph", set.kind === "arrays" ? "samples" : "graphs")}` : null;
  return h(
    "div",
    { class: "head" },
    h("p", { class: "kicker" }, given(main.data), sizes ? ` \u00b7 ${sizes}` : "", ` \u00b7 ${plural(main.folds.length, "fold", "folds")} \u00b7 ${main.created.slice(0, 10)}`),
    h("h1", {}, given(data.title)),
    h("p", { class: "question" }, given(question(data))),
    h("div", { class: "answer" }, headline(data, score), h("div", { class: "compare" }, strips(data, score))),
    warnings(data),
  );
}

export function choicesSection(data: Report, score: Scores): HTMLElement {
  return h("div", {}, data.search && leaderboard(data.search, score), data.search && h("h3", {}, "Configurations of the run"), configurations(data, score));
}
