// main.ts - the parts of a report, in the order in which one asks.
import { choicesSection, pageHead } from "./page";
import { confusion } from "./confusion";
import { curves } from "./curves";
import { type Report, readReport } from "./data";
import { given, h } from "./dom";
import { scores } from "./format";
import { foldTable, resultTable } from "./results";
import { rules } from "./rules";
import { again, dataSection, times } from "./sections";
import { themeSwitch } from "./theme";
import { viewer } from "./viewer";

interface Section {
  id: string;
  title: string;
  content: (data: Report) => (Node | null)[];
}

function build(data: Report): void {
  const score = scores(data.runs[0]!.score);
  const folds = foldTable(data, score);
  const sections: Section[] = [
    { id: "results", title: "Results", content: () => [resultTable(data, score), folds && h("details", { class: "folds" }, h("summary", {}, "Every fold"), folds)] },
    { id: "curves", title: "Training", content: () => [curves(data, score)] },
    { id: "configurations", title: data.search ? "Search and configurations" : "Configurations", content: () => [choicesSection(data, score)] },
    { id: "confusion", title: data.values ? "Predicted and true values" : "Confusion matrix", content: () => [confusion(data)] },
    { id: "rules", title: "Rules in words", content: () => [rules(data, score)] },
    { id: "graphs", title: "Graphs", content: () => [viewer(data)] },
    { id: "times", title: "Time and memory", content: () => [times(data)] },
    { id: "data", title: "Data", content: () => [dataSection(data)] },
    { id: "again", title: "How to reproduce this", content: () => [again(data)] },
  ];
  const main = h("main", { id: "main", tabindex: -1 }, pageHead(data, score));
  const links = h(
    "nav",
    { "aria-label": "Parts of the report" },
    h("ol", {}, ...[{ id: "main", title: "Summary" }, ...sections].map(({ id, title }) => h("li", {}, h("a", { href: `#${id}` }, title)))),
    themeSwitch(),
  );
  document.body.append(
    h("a", { class: "skip", href: "#main" }, "Skip to the report"),
    h("header", { class: "bar" }, h("p", { class: "brand" }, "regula ", h("span", {}, "report")), links),
    main,
    h("footer", {}, h("p", {}, `Made by regula ${data.version}. This page is one file and asks for nothing else.`)),
  );
  // into the page first: pictures ask how wide they may be
  for (const { id, title, content } of sections) {
    const section = h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title));
    main.append(section);
    section.append(...content(data).filter((node): node is Node => node !== null));
  }
  // what is folded is on paper too
  let folded: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>("details.folds:not([open])")];
    for (const element of folded) element.open = true;
  });
  addEventListener("afterprint", () => {
    for (const element of folded) element.open = false;
  });
}

try {
  build(readReport());
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  document.body.append(h("main", { class: "broken" }, h("h1", {}, "This report cannot be shown"), h("p", {}, given(message))));
  throw error;
}
