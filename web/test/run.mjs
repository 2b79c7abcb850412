// run.mjs - the tests of reports in a real browser.
// usage: node test/run.mjs PROGRAM DIRECTORY [SCREENSHOTS]
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { check, equal, failed, holds, launch, open } from "./browser.mjs";
import { testControls, testKeyboard } from "./controls.mjs";
import { makeReports } from "./fixtures.mjs";
import { hostile } from "./hostile_names.mjs";

const [program, directory, screenshots] = process.argv.slice(2).map((word) => resolve(word));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What each report must say, beside opening without an error. */
const says = {
  full: ["Protocol fair", "most frequent class", "The search", "it uses different splits", "Rules in words"],
  half: ["jobs are not done yet"],
  real: ["mean absolute error", "Predicted and true values"],
  holdout: ["on one fold"],
  images: ["there are no graphs to draw", "Shape"],
  kept_none: ["The run kept no models"],
  hostile: ["Confusion matrix"],
  no_data: ["The data set of the run was not found"],
};

async function testOpening(browser, reports) {
  for (const [name, file] of Object.entries(reports))
    await check(`report '${name}' opens from the disk without an error or a request`, async () => {
      const { page, trouble, close } = await open(browser, file);
      const text = await page.locator("body").innerText();
      for (const words of says[name]) holds(text.includes(words), `it does not say '${words}'`);
      equal(trouble, []);
      const heads = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3")].map((e) => Number(e.tagName[1])));
      equal(heads.filter((level) => level === 1).length, 1, "h1");
      holds(heads.every((level, k) => k === 0 || level <= heads[k - 1] + 1), "a heading skips a level");
      await close();
    });
}

/** Nothing ran, and nothing was taken for markup. */
async function expectInert(page, trouble) {
  equal(trouble, []);
  equal(await page.evaluate(() => window.ran ?? null), null, "a script ran:");
  equal(await page.evaluate(() => document.querySelectorAll("script").length), 2, "scripts:");
  equal(await page.evaluate(() => document.querySelectorAll("img, iframe, object, embed, base, link, form").length), 0, "elements:");
  equal(await page.evaluate(() => [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name) || (a.name === "style" && !e.closest(".uplot") && !/^(--part: [\d.]+|background-color: rgb\([\d, ]+\));$/.test(a.value)))).map((e) => e.outerHTML.slice(0, 80))), [], "attributes:");
  equal(await page.evaluate(() => [...document.querySelectorAll("a")].filter((a) => !a.getAttribute("href").startsWith("#")).length), 0, "links:");
}

/** The same report with every text in it replaced; keys that the program sets itself stay. */
function poisoned(html, from) {
  const begin = html.indexOf(">", html.indexOf('id="report"')) + 1;
  const end = html.indexOf("</script>", begin);
  const fixed = new Set(["format", "score", "protocol", "part", "kind", "of"]);
  let k = from;
  const walk = (value, key) => {
    if (typeof value === "string") return fixed.has(key) ? value : hostile[k++ % hostile.length];
    if (Array.isArray(value)) return value.map((item) => walk(item, key));
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, name)]));
    return value;
  };
  const data = walk(JSON.parse(html.slice(begin, end)), "");
  const text = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { html: html.slice(0, begin) + text + html.slice(end), used: k - from };
}

async function testHostile(browser, reports) {
  await check(`${hostile.length} hostile names of labels, classes, networks and runs run no script`, async () => {
    const { page, trouble, close } = await open(browser, reports.hostile);
    await expectInert(page, trouble);
    const text = await page.locator("body").innerText();
    holds(text.includes("<script>window.ran=1</script>"), "the names are not shown as text");
    for (let k = 0; k < 6; k++) await page.locator("#graphs").getByLabel("Next graph").click();
    await page.locator("#rules .sort").first().click();
    await page.locator("#graphs .entry").first().hover();
    await expectInert(page, trouble);
    equal(await page.title(), hostile[0]);
    await close();
  });
  for (const name of ["full", "real", "images"])
    await check(`report '${name}' with hostile text in every place runs no script`, async () => {
      for (let from = 0; from < hostile.length; from += 33) {
        const { html, used } = poisoned(readFileSync(reports[name], "utf8"), from);
        holds(used > 40, `only ${used} texts`);
        const file = join(directory, `poisoned-${name}-${from}.html`);
        writeFileSync(file, html);
        const { page, trouble, close } = await open(browser, file);
        await expectInert(page, trouble);
        await close();
      }
    });
  await check("the policy forbids scripts that are not part of the page", async () => {
    const html = readFileSync(reports.full, "utf8");
    const file = join(directory, "injected.html");
    writeFileSync(file, html.replace("<body>", '<body><script>window.ran=1</script><img src="https://example.org/x.png" onerror="window.ran=1">'));
    const { page, close } = await open(browser, file);
    equal(await page.evaluate(() => window.ran ?? null), null);
    await close();
  });
}

async function testAccess(browser, reports) {
  for (const colorScheme of ["light", "dark"])
    for (const name of ["full", "real", "half"])
      await check(`axe finds nothing serious in report '${name}', ${colorScheme}`, async () => {
        const { page, close } = await open(browser, reports[name], { colorScheme, reducedMotion: "reduce" });
        await page.evaluate(() => document.querySelectorAll("details").forEach((e) => (e.open = true)));
        await page.evaluate(axe);
        const found = await page.evaluate(async () => {
          const result = await window.axe.run(document, { resultTypes: ["violations"] });
          return result.violations
            .filter((v) => v.impact === "serious" || v.impact === "critical")
            .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")} ${n.failureSummary ?? ""}`).join("; ")}`);
        });
        equal(found, []);
        await close();
      });
}

async function testShapes(browser, reports) {
  for (const width of [400, 1400])
    await check(`nothing sticks out at ${width} pixels`, async () => {
      for (const name of Object.keys(reports)) {
        const { page, close } = await open(browser, reports[name], { viewport: { width, height: 900 } });
        const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        holds(inner <= outer, `'${name}' is ${inner} wide`);
        if (screenshots) {
          mkdirSync(screenshots, { recursive: true });
          await page.screenshot({ path: join(screenshots, `${name}-${width}.png`), fullPage: true });
        }
        await close();
      }
    });
  await check("on paper it is light, without controls, and all of it is there", async () => {
    const { page, close } = await open(browser, reports.full, { colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
    holds(await page.locator("nav").isHidden(), "the contents are printed");
    holds(await page.locator("#rules .controls").isHidden(), "controls are printed");
    holds(await page.locator("details.folds table").isVisible(), "the folds are not printed");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    const pdf = await page.pdf({ format: "A4" });
    holds(pdf.subarray(0, 4).toString() === "%PDF" && pdf.length > 20000, "no PDF");
    if (screenshots) writeFileSync(join(screenshots, "full.pdf"), pdf);
    await close();
  });
  await check("the page is under 1 MB beside its data, and asks for no file", async () => {
    const html = readFileSync(reports.full, "utf8");
    const begin = html.indexOf('id="report"');
    const data = html.indexOf("</script>", begin) - begin;
    holds(html.length - data < 1e6, `${html.length - data} bytes`);
    holds(!/(src|href)=["']?(https?:|\/\/)/i.test(html.slice(0, begin)), "an address");
    holds(!/@import|url\(\s*["']?https?:/i.test(html), "a style from elsewhere");
  });
}

mkdirSync(directory, { recursive: true });
const reports = makeReports(program, directory);
const browser = await launch();
try {
  await testOpening(browser, reports);
  await testControls(browser, reports.full);
  await testKeyboard(browser, reports.full);
  await testHostile(browser, reports);
  await testAccess(browser, reports);
  await testShapes(browser, reports);
} finally {
  await browser.close();
}
process.exit(failed() ? 1 : 0);
