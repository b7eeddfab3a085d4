/** What the page itself says; where a survey speaks another language, the page says it in English. */

import { de } from "./de.ts";
import { en, type Texts } from "./en.ts";

const TEXTS: Readonly<Record<string, Texts>> = { en, de };

export const textsFor = (language: string): Texts => TEXTS[language.split("-")[0]] ?? en;
