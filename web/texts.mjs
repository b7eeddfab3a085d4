/**
 * Types of the page's words, from the English ones: so the compiler names what another language
 * lacks, and what a sentence is not given.
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

export const typesOf = (english, kinds) => `/** Written by the build, from the English words: what the page says, and what each sentence is given. */

import type { Said } from "./said.ts";

export interface Texts ${typeOf(english, kinds, "")}
`;
