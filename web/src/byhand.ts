/**
 * Disguising by hand: which coin or die a group needs, and which of its outcomes mean what.
 *
 * The page only says what to do; how the coin or die fell stays with the person who threw it.
 */

import { shownOf, type Survey } from "./survey.ts";

export type Tool = "coin" | "die" | "digit" | "dice" | "digits";

/** What an outcome tells to do. */
export type Part =
  | { readonly do: "truth" | "opposite" | "another" | "drawn" | "personal" }
  | { readonly do: "say"; readonly value: string };

/** Something to throw; the outcomes of each part, as short text: "1–4", "5, 6"; what they mean. */
export interface ByHand {
  readonly tool: Tool;
  readonly outcomes: readonly string[];
  readonly parts: readonly Part[];
}

/** How a group is disguised by hand; null where that would be too hard. */
export const byHand = (survey: Survey, group: number): ByHand | null =>
  shownOf(survey, group).byHand;

/** For what cannot be: a part that the page has no words for. */
export function unknownPart(part: never): never {
  throw new Error(`There are no words for ${JSON.stringify(part)}.`);
}
