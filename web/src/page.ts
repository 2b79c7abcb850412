// page.ts - the head of the report: the question, the number with its protocol, the comparison, the warnings.
import { configurations, leaderboard } from "./choices";
import { type Report, mainRun } from "./data";
import { given, h } from "./dom";
import { type Scores, plural } from "./format";
import { headline, question, strips } from "./results";

const OPEN = 3; // lines that are not folded away

/** What keeps numbers from being compared comes first, then the run itself, then the others. */
function warnings(data: Report): HTMLElement | null {
  const others = data.runs.slice(1);
  const lines: Node[] = [
    ...others.flatMap((run) => run.differences.map((text) => h("li", {}, given(run.name), `: ${text}, so its numbers are not to be compared with the others`))),
    ...mainRun(data).warnings.map((text) => h("li", {}, given(text))),
    ...others.flatMap((run) => run.warnings.map((text) => h("li", {}, given(run.name), ": ", given(text)))),
  ];
  if (lines.length === 0) return null;
  const most = lines.length > OPEN + 1 ? OPEN : lines.length;
  const rest = lines.slice(most);
  return h(
    "aside",
    { class: "warnings", "aria-label": "What to keep in mind" },
    h("p", { class: "summary" }, "To keep in mind"),
    h("ul", {}, ...lines.slice(0, most)),
    rest.length > 0 && h("details", {}, h("summary", {}, `${rest.length} more`), h("ul", {}, ...rest)),
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
