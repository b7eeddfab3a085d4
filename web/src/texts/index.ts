/**
 * What the page itself says: in the languages that come along, and in those that a survey brings.
 *
 * What a survey brings goes before what comes along. Where neither has a language, which the server
 * refuses, and before there is a survey, the page says it in English.
 */

import { said, type Words } from "./said.ts";
import { SHIPPED, type Texts } from "./texts.ts";

export type { Texts, Words };

const baseOf = (language: string): string => language.split("-")[0];

const shipped = (language: string): Words | undefined =>
  (SHIPPED as Record<string, Words>)[baseOf(language)];

/** The page's words in a language; with those that a survey brings for it. */
export function textsFor(language: string, own?: Words): Texts {
  const whole = shipped(language);
  // Numbers are written as where the words come from, for those may hold numbers, too.
  const spoken = whole ? baseOf(language) : own ? language : "en";
  return said(own ?? {}, whole ?? SHIPPED.en, spoken) as Texts;
}

/** The language of what is said before there is a survey: the first that comes along. */
export const earlyLanguage = (wanted: readonly string[]): string =>
  baseOf(wanted.find(shipped) ?? "en");
