/**
 * Disguising by hand: which coin or die a group needs, and which of its outcomes mean what.
 *
 * The page only says what to do; how the coin or die fell stays with the person who threw it.
 */

import { type DeviceName, shownOf, type Survey } from "./survey.ts";

export type Tool = "coin" | "die" | "coins" | "dice" | "digit" | "digits";

/** What happens to an answer, whatever it is. */
export type Part =
  | { readonly do: "truth" | "opposite" | "another" | "drawn" | "personal" }
  | { readonly do: "say"; readonly value: string };

/** What an outcome tells to do. */
export type Todo =
  | { readonly do: "truth" | "opposite" | "personal" }
  | { readonly do: "say"; readonly value: string }
  /** Go on so many places in the list, from the real answer on; after the last comes the first. */
  | { readonly do: "step"; readonly by: number }
  | { readonly do: "nth"; readonly place: number }
  /** An answer for each real one, in the order of the list. */
  | { readonly do: "each"; readonly values: readonly string[] }
  /** Throw again: once, or for every question. */
  | { readonly do: "throw"; readonly every: boolean; readonly then: ByHand };

/** Something to throw; the outcomes of each part, as short text: "1–4", "5, 6"; what they mean. */
export interface ByHand {
  readonly tool: Tool;
  readonly outcomes: readonly string[];
  readonly parts: readonly Todo[];
}

/** How a group is disguised by hand; null where that would be too hard, and the page does it. */
export const byHand = (survey: Survey, group: number): ByHand | null =>
  shownOf(survey, group).byHand;

/** Whether this page's coins disguise a group, also where the others are disguised by hand. */
export const drawnHere = (survey: Survey, group: number, device: DeviceName | null): boolean =>
  device === "page" || !byHand(survey, group);

/** What is thrown, the second throw included. */
export const toolsOf = ({ tool, parts }: ByHand): Tool[] => [
  tool,
  ...parts.flatMap((part) => (part.do === "throw" ? toolsOf(part.then) : [])),
];

/** For what cannot be: a part that the page has no words for. */
export function unknownPart(part: never): never {
  throw new Error(`There are no words for ${JSON.stringify(part)}.`);
}
