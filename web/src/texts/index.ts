/** What the page itself says; where a survey speaks another language, the page says it in English. */

import de from "../../../src/deniable/survey/words/de.json";
import en from "../../../src/deniable/survey/words/en.json";
import { said, type Whole, type Words } from "./said.ts";
import type { Texts } from "./texts.ts";

export type { Texts };

const WORDS = { en, de } satisfies Record<string, Whole<Texts>>;

const known = new Map<string, Texts>();

/** The page's words in a language. */
export function textsFor(language: string): Texts {
  const made = known.get(language) ?? madeFor(language);
  known.set(language, made);
  return made;
}

function madeFor(language: string): Texts {
  const shipped = (WORDS as Record<string, Words>)[language.split("-")[0]];
  return said(shipped ?? en, en, shipped ? language : "en") as Texts;
}
