// controls.mjs - every control of a report does what it says, also without a mouse.
import { check, equal, holds, open } from "./browser.mjs";

const column = (page, section, k) =>
  page.locator(`#${section} .table`).first().locator(`tbody tr > :nth-child(${k})`).allInnerTexts();

/** Values of a column as numbers; minus signs of print, signs and units. */
const numbers = (texts) => texts.map((text) => parseFloat(text.replace("\u2212", "-").replace("+", "").replace(/\u202f/g, "")));
const ascends = (values) => values.every((value, k) => k === 0 || !(value < values[k - 1]));

export async function testControls(browser, file) {
  const { page, trouble, close } = await open(browser, file);

  await check("a click sorts a table, a second one the other way", async () => {
    const head = page.locator("#configurations thead th", { hasText: "Loss" }).last();
    await head.locator("button").click();
    equal(await head.getAttribute("aria-sort"), "ascending");
    const table = page.locator("#configurations .table").last();
    const place = await head.evaluate((cell) => cell.cellIndex + 1);
    const values = numbers(await table.locator(`tbody tr > :nth-child(${place})`).allInnerTexts());
    holds(values.length > 1 && ascends(values), `not ascending: ${values}`);
    await head.locator("button").click();
    equal(await head.getAttribute("aria-sort"), "descending");
  });

  await check("rules are found by a word, a layer and a sign", async () => {
    const rows = page.locator("#rules tbody tr");
    const status = page.locator("#rules .status");
    await page.locator("#rules input[type=search]").fill("2 bonds");
    holds((await status.innerText()).includes("that match"), await status.innerText());
    for (const text of await rows.allInnerTexts()) holds(text.includes("2 bonds"), text);
    await page.locator("#rules input[type=search]").fill("no such words");
    equal(await rows.count(), 0);
    await page.locator("#rules input[type=search]").fill("");
    await page.locator("#rules select").nth(1).selectOption("minus");
    const weights = numbers(await column(page, "rules", 3));
    holds(weights.length > 0 && weights.every((weight) => weight < 0), `not negative: ${weights}`);
    await page.locator("#rules select").nth(1).selectOption("all");
    await page.locator("#rules select").nth(0).selectOption({ index: 1 });
    equal([...new Set(await column(page, "rules", 2))], ["1"]);
  });

  await check("all rules are shown when asked for", async () => {
    await page.locator("#rules select").nth(0).selectOption("all");
    const more = page.locator("#rules .more");
    const before = await page.locator("#rules tbody tr").count();
    await more.click();
    holds((await page.locator("#rules tbody tr").count()) > before, "no more rows");
    holds(await more.isHidden(), "the button is still there");
  });

  await check("curves: fold, spread and epoch can be chosen", async () => {
    const readout = page.locator("#curves output");
    const note = page.locator("#curves .note");
    const canvas = () => page.locator("#curves canvas").first().evaluate((c) => c.toDataURL());
    equal(await page.locator("#curves canvas").count(), 2);
    const whole = await canvas();
    await page.locator("#curves select").nth(0).selectOption({ index: 1 });
    holds((await note.innerText()).includes("on fold 0"), await note.innerText());
    const one = await canvas();
    holds(one !== whole, "the picture of one fold is that of all");
    await page.locator("#curves select").nth(1).selectOption("runs");
    holds((await canvas()) !== one, "every run looks like the spread");
    await page.locator("#curves input[type=range]").fill("5");
    holds((await readout.innerText()).startsWith("Epoch 5."), await readout.innerText());
  });

  await check("the colours can be switched, and curves follow", async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    const picture = await page.locator("#curves canvas").first().evaluate((c) => c.toDataURL());
    await page.locator('input[name=theme][value="dark"]').check();
    holds((await ground()) !== light, "the ground did not change");
    holds((await page.locator("#curves canvas").first().evaluate((c) => c.toDataURL())) !== picture, "curves did not follow");
    await page.locator('input[name=theme][value="light"]').check();
    equal(await ground(), light);
  });

  await check("the matrix shows counts or percent", async () => {
    const cells = page.locator("#confusion tbody td.hit, #confusion tbody td.miss");
    const counts = numbers(await cells.allInnerTexts());
    await page.locator("#confusion select").selectOption("true");
    const percent = numbers(await cells.allInnerTexts());
    holds(Math.abs(percent[0] + percent[1] - 100) < 0.2, `a row of ${percent}`);
    holds(counts.join() !== percent.join(), "nothing changed");
  });

  await check("viewer: graph, layer, rules and rings can be chosen", async () => {
    const box = page.locator("#graphs");
    const facts = box.locator("p.facts");
    const first = await facts.innerText();
    await box.getByLabel("Next graph").click();
    const second = await facts.innerText();
    holds(first !== second, "the next graph is the same");
    await box.getByLabel("Previous graph").click();
    equal(await facts.innerText(), first);
    await box.getByLabel("Graph", { exact: true }).selectOption({ index: 2 });
    holds((await facts.innerText()) !== first, "the graph did not change");
    const arrows = () => box.locator(".edge").count();
    const few = await arrows();
    holds(few > 0, "no arrows");
    holds((await box.locator(".entries li").count()) <= 6, "more than 3 of each sign");
    await box.getByLabel("Rules of each sign").selectOption("1000000");
    holds((await arrows()) > few, "not more arrows");
    await box.getByLabel("Rings show").selectOption("nodes");
    holds((await box.locator(".halo").count()) > 0, "no rings");
    await box.getByLabel("Layer", { exact: true }).selectOption({ index: 1 });
    equal(await arrows(), 0, "arrows of an aggregation");
    holds(await box.getByLabel("Output", { exact: true }).isVisible(), "no choice of outputs");
    await box.getByLabel("Layer", { exact: true }).selectOption({ index: 0 });
  });

  await check("pointing at an arrow shows its rule, and so does the list", async () => {
    const box = page.locator("#graphs");
    await box.getByLabel("Rules of each sign").selectOption("3");
    // A busy machine may lay the picture out again after the pointer came to rest.
    for (let tries = 0; tries < 20 && (await box.locator(".entry.lit").count()) === 0; tries += 1) {
      await page.mouse.move(0, 0);
      await box.locator(".edge path.tip").last().hover({ force: true });
      await page.waitForTimeout(50);
    }
    holds((await box.locator("[role=status]").innerText()).length > 5, "no words");
    equal(await box.locator(".entry.lit").count(), 1);
    await box.locator(".entry").first().focus();
    holds((await box.locator(".edge.lit").count()) > 0, "no arrow is lit");
  });

  await check("a dot lights up its fold in every row", async () => {
    await page.locator(".strip .dot").first().hover({ force: true });
    const rows = await page.locator(".strip").count();
    equal(await page.locator(".strip .dot.lit").count(), rows);
    holds((await page.locator(".compare .readout").innerText()).startsWith("Fold "), "no readout");
  });

  await check("the controls did their work without an error", async () => equal(trouble, []));
  await close();
}

/** Walks through the page by Tab alone. */
export async function testKeyboard(browser, file) {
  const { page, close } = await open(browser, file);
  const tabbable = await page.evaluate(
    () =>
      [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")].filter(
        (e) => e.checkVisibility() && !e.disabled && !(e.type === "radio" && !e.checked),
      ).length,
  );
  const seen = new Set();
  const dull = [];
  for (let k = 0; k < tabbable + 5; k++) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      e.dataset["seen"] ??= String(document.querySelectorAll("[data-seen]").length);
      const style = getComputedStyle(e);
      return { key: e.dataset["seen"], text: `${e.tagName} ${e.textContent.slice(0, 30)}`, visible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 };
    });
    if (now === null) break;
    seen.add(now.key);
    if (!now.visible) dull.push(now.text);
  }
  await check("every control is reached by Tab, with a visible focus", async () => {
    equal(dull, []);
    equal(seen.size, tabbable);
  });
  await check("controls work by keyboard", async () => {
    const sort = page.locator("#rules thead button").first();
    await sort.focus();
    await page.keyboard.press("Enter");
    equal(await page.locator("#rules thead th").first().getAttribute("aria-sort"), "ascending");
    await page.locator("#graphs").getByLabel("Layer", { exact: true }).focus();
    await page.keyboard.press("ArrowDown");
    holds(await page.locator("#graphs").getByLabel("Output", { exact: true }).isVisible(), "the layer did not change");
    await page.locator("#curves input[type=range]").focus();
    await page.keyboard.press("ArrowRight");
    holds((await page.locator("#curves output").innerText()).startsWith("Epoch 2."), "the epoch did not change");
    await page.locator("input[name=theme][value=system]").focus();
    await page.keyboard.press("ArrowDown");
    equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "light");
    await page.locator(".skip").focus();
    await page.keyboard.press("Enter");
    equal(await page.evaluate(() => document.activeElement.id), "main");
  });
  await close();
}
