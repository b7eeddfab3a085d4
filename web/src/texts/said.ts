/**
 * Words that are data: a sentence with {placeholders} or, where the language counts, one for each
 * plural form. They become strings, and functions of what goes into them.
 */

import { countedAs, isolation, listed } from "./writing.ts";

/** A sentence that needs to be given something. */
export type Said<Given> = (given: Given) => string;

/** As it stands in a file of words; without `by` the number called `count` decides. */
export type Sentence = string | Plural;
export type Plural = { readonly by?: string } & { readonly [form in Intl.LDMLPluralRule]?: Sentence };

/** Words of a language, as they stand in its file. */
export interface Words {
  readonly [key: string]: Words | Sentence;
}

/** Files that have all the words, by what is made of them. */
export type Whole<T> = {
  readonly [Key in keyof T]: T[Key] extends string | Said<never> ? Sentence : Whole<T[Key]>;
};

const FORMS: readonly string[] = ["zero", "one", "two", "few", "many", "other", "by"];
const PLACEHOLDER = /\{(\w+)\}/g;

const isSentence = (words: Words | Sentence): words is Sentence =>
  typeof words === "string" || Object.keys(words).every((key) => FORMS.includes(key));

/** Whether something goes into it. */
const takes = (sentence: Sentence): boolean =>
  typeof sentence === "string" ? sentence.search(PLACEHOLDER) >= 0 : true;

/** Makes words sayable; what they lack is said as the whole ones say it. */
export function said(words: Words, whole: Words, language: string): unknown {
  const filled = filler(language);
  const made = (own: Words | Sentence | undefined, model: Words | Sentence): unknown => {
    if (!isSentence(model)) {
      const parts = own as Words | undefined;
      const each = Object.entries(model).map(([key, part]) => [key, made(parts?.[key], part)]);
      return Object.fromEntries(each);
    }
    const sentence = (own ?? model) as Sentence;
    return takes(model) ? (given: Values) => filled(sentence, given) : sentence;
  };
  return made(words, whole);
}

type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** Writes numbers and lists as the language does, and chooses the plural form by its rules. */
function filler(language: string) {
  const counted = countedAs(language);
  const numbers = new Intl.NumberFormat(counted);
  const rules = new Intl.PluralRules(counted);
  const isolated = isolation(language);
  const written = (value: string | number | readonly string[]): string => {
    if (typeof value === "string") return isolated(value);
    return typeof value === "number" ? isolated(numbers.format(value)) : listed(language, value);
  };
  return function filled(sentence: Sentence, given: Values): string {
    if (typeof sentence !== "string") {
      const number = given[sentence.by ?? "count"] as number;
      return filled(sentence[rules.select(number)] ?? sentence.other ?? "", given);
    }
    return sentence.replace(PLACEHOLDER, (_, name: string) => written(given[name]));
  };
}
