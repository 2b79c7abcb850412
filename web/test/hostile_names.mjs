// hostile_names.mjs - 100 names that would run a script if a page took them for markup, an address or code.
const run = "window.ran=1";
const seeds = [
  `<script>${run}</script>`,
  `"><img src=x onerror=${run}>`,
  `</script><script>${run}</script>`,
  `'><svg onload=${run}>`,
  `javascript:${run}`,
  `<img src=x onerror="${run}">`,
  `<!--<script>${run}</script>-->`,
  `]]><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `<iframe srcdoc="<script>parent.ran=1</script>">`,
  `\u2028${run}\u2029`,
  `\u202e<script>${run}</script>`,
  `\\u003cscript\\u003e${run}`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `\${${run}}`,
  `{{${run}}}`,
  `'-${run.replace("=", "(")})-'`,
  `";${run};//`,
  `');${run};//`,
];
const wraps = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `\u200f${name}\u200e`,
  (name) => `${name.slice(0, 5)}\u0000${name.slice(5)}`,
  (name) => `x ${name} \ud83d\ude00 \u05d0\u05d1`,
];
export const hostile = wraps.flatMap((wrap) => seeds.map((seed) => wrap(seed)));
