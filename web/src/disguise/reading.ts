/** What reading a design and reading an answer have in common. No error repeats an answer. */

import type { Attribute } from "./devices.ts";

/** The places of a record's values among those of their attributes. */
export function codesOf(attributes: readonly Attribute[], answers: Map<string, string>): number[] {
  return attributes.map(({ name, values }) => {
    if (!answers.has(name)) throw new Error(`There is no answer for ${quoted(name)}.`);
    const code = values.indexOf(answers.get(name) as string);
    if (code >= 0) return code;
    throw new Error(`The answer for ${quoted(name)} is none of ${values.map(quoted).join(", ")}.`);
  });
}

/** The probabilities of an attribute's values, in their order. */
export function chancesOf({ name, values }: Attribute, given: unknown): unknown[] {
  if (!isObject(given) || Object.keys(given).length !== values.length) {
    throw new Error(`each value of ${quoted(name)} needs a probability.`);
  }
  return values.map((value) => given[value]);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const quoted = (text: unknown) => JSON.stringify(text);
