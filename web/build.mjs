/**
 * Bundles src/ into the one module that is shipped, and publishes its hash: in index.html, where
 * browsers check it, and in docs/reference/bundle.md, where people can. The same sources give the
 * same bytes.
 *
 * Files named on the command line are bundled, too: entries for channels of other packages, which
 * import what they need from "deniable". Which channels the page has stands in channels.json.
 * TypeScript checks all of it before.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { earlyBody, moduleOf } from "./texts.mjs";

const web = dirname(fileURLToPath(import.meta.url));
const shipped = join(web, "../src/deniable/survey/browser");
const page = join(web, "../docs/reference/bundle.md");

const banner = `/*!
The respondent's page of deniable, built from web/src (see docs/reference/bundle.md).
It holds no library: all of it is ours, and uses what browsers have.
*/`;

const added = process.argv.slice(2).map((file) => resolve(file));
const devices = join(web, "src/disguise/devices.ts");

const folder = join(web, "../src/deniable/survey/words");
const named = readdirSync(folder).filter((name) => name.endsWith(".json"));
const { notes, en, ...others } = Object.fromEntries(
  named.sort().map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8"))]),
);
const languages = ["en", ...Object.keys(others)];
writeFileSync(join(web, "src/texts/texts.ts"), moduleOf(languages, en, notes.placeholders));

const project = join(web, "node_modules/.checked.json");
const options = { paths: { deniable: [devices] } };
const checked = { extends: "../tsconfig.json", compilerOptions: options, files: added };
writeFileSync(project, JSON.stringify({ ...checked, include: ["../src"] }));
const tsc = [join(web, "node_modules/typescript/bin/tsc"), "--project", project];
const { status } = spawnSync(process.execPath, tsc, { stdio: "inherit" });
if (status !== 0) process.exit(1);

const { outputFiles } = await build({
  absWorkingDir: web, // file names in the bundle are relative to it
  stdin: {
    contents: ['export * from "./src/main.ts";', ...added.map((file) => `import "${file}";`)].join(""),
    resolveDir: web,
    sourcefile: "respondent.js",
  },
  alias: { deniable: devices },
  outfile: join(shipped, "respondent.js"),
  write: false, // before it was seen to start
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
  banner: { js: banner },
  logLevel: "warning",
});

const [{ contents }] = outputFiles;
const module = `data:text/javascript;base64,${Buffer.from(contents).toString("base64")}`;
const { channelNames } = await import(module).catch(({ message }) => {
  console.error(`The page does not start: ${message}`);
  process.exit(1);
});
writeFileSync(join(shipped, "respondent.js"), contents);
writeFileSync(join(shipped, "channels.json"), `${JSON.stringify(channelNames())}\n`);

const hashed = (name) =>
  `sha384-${createHash("sha384")
    .update(readFileSync(join(shipped, name)))
    .digest("base64")}`;
const [script, style] = ["respondent.js", "style.css"].map(hashed);

const index = join(shipped, "index.html");
const pinned = (html, name, hash) =>
  html.replace(new RegExp(`(="${name}"\\s+integrity=")[^"]*`), `$1${hash}`);
const html = readFileSync(index, "utf8").replace(/<body>.*<\/body>/s, () => earlyBody({ en, ...others }));
writeFileSync(index, pinned(pinned(html, "respondent.js", script), "style.css", style));

writeFileSync(
  page,
  `# The respondent's page: hashes

What a survey's server sends to respondents is three files, built from \`web/\` by \`make web\`
and shipped with the package. Their hashes, for whoever wants to check what they were given:

| file | hash |
| --- | --- |
| \`respondent.js\` | \`${script}\` |
| \`style.css\` | \`${style}\` |
| \`index.html\` | \`${hashed("index.html")}\` |

\`index.html\` names the first two, so that a browser refuses other files. To check it by hand:

\`\`\`sh
curl --silent https://survey.example/ | openssl dgst -sha384 -binary | base64
\`\`\`
`,
);
