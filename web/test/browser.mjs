// browser.mjs - a page of Debian's chromium, with everything that goes wrong in it written down.
import { chromium } from "playwright-core";

export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/** Opens a file; `trouble` collects errors, requests and dialogs. */
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  const trouble = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) trouble.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== `file://${file}`) trouble.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => document.querySelector("main") !== null);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return { page, trouble, close: () => context.close() };
}

let failures = 0;
export const failed = () => failures;

/** One check: prints a line; the body throws if it fails. */
export async function check(name, body) {
  try {
    await body();
    console.log(`ok      ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAILED  ${name}: ${String(error.message).split("\n").slice(0, 6).join(" | ")}`);
  }
}

export function equal(found, expected, what = "") {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what} found ${a}, expected ${b}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}
