// Bundles src/ into dist/report.js and dist/report.css, byte for byte the same each time.
// usage: node build.mjs [DIRECTORY]
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");
mkdirSync(out, { recursive: true });

const common = { bundle: true, minify: true, charset: "ascii", write: false, absWorkingDir: here };
const script = await build({
  ...common,
  entryPoints: ["src/main.ts"],
  format: "iife",
  target: "es2020",
  legalComments: "none",
  banner: { js: "/* regula, Apache-2.0; uPlot 1.6.32, Copyright (c) 2022 Leon Sorokin, MIT License (web/uplot.LICENSE) */" },
});
const style = await build({ ...common, entryPoints: ["src/style.css"], target: "chrome111", legalComments: "none" });

// What stands between the tags of a page must not end them, and the C source takes plain ASCII.
function checked(text, name) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name} would end the element it stands in`);
  if (/[^\x00-\x7f]|\r/.test(text)) throw new Error(`${name} has characters that are no plain ASCII`);
  return text;
}
writeFileSync(join(out, "report.js"), checked(script.outputFiles[0].text, "report.js"));
writeFileSync(join(out, "report.css"), checked(style.outputFiles[0].text, "report.css"));
for (const name of ["report.js", "report.css"])
  console.log(`${name}: ${readFileSync(join(out, name)).length} bytes`);
