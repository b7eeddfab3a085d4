/**
 * The page's words for its code: all files of them, and their types, from the English ones; so the
 * compiler names what another language lacks, and what a sentence is not given.
 */

const FORMS = new Set(["zero", "one", "two", "few", "many", "other", "by"]);
const TYPES = { number: "number", text: "string", list: "readonly string[]" };

const isPlural = (words) => Object.keys(words).every((key) => FORMS.has(key));

/** What has to be given to a sentence, in the order of the alphabet. */
function placeholders(words) {
  if (typeof words !== "string") return [...new Set(Object.values(words).flatMap(placeholders))].sort();
  return [...new Set([...words.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
}

function typeOf(words, kinds, indent) {
  if (typeof words === "string" || isPlural(words)) {
    const given = placeholders(words).map((name) => `${name}: ${TYPES[kinds[name].is]}`);
    return given.length > 0 ? `Said<{ ${given.join("; ")} }>` : "string";
  }
  const deeper = `${indent}  `;
  const lines = Object.entries(words).map(
    ([key, part]) => `${deeper}readonly ${key}: ${typeOf(part, kinds, deeper)};\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

/** The module that the page imports. */
export const moduleOf = (languages, english, kinds) => `/** Written by the build: the words that come along, and what each sentence of them is given. */

${languages.map((language) => `import ${language} from "../../../src/deniable/survey/words/${language}.json";\n`).join("")}import type { Said, Whole } from "./said.ts";

export interface Texts ${typeOf(english, kinds, "")}

export const SHIPPED = { ${languages.join(", ")} } satisfies Record<string, Whole<Texts>>;
`;

const text = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const section = (level) => ([language, { early }]) => `
        <section lang="${language}" dir="auto">
          <h${level}>${text(early.script.title)}</h${level}>
          <p>${text(early.script.text)}</p>
        </section>`;

/** What the page says before its script does, in each language: in its body, first English. */
export function earlyBody(words) {
  const [english, ...others] = Object.entries(words);
  const slow = [english, ...others].map(
    ([language, { early }]) => `
      <p class="slow" lang="${language}" dir="auto">${text(early.slow)}</p>`,
  );
  return `<body>
    <div id="app">${slow.join("")}
    </div>
    <noscript>
      <main>${[section(1)(english), ...others.map(section(2))].join("")}
      </main>
    </noscript>
  </body>`;
}
