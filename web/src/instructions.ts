/** What to do with one's own coin or die: one line per outcome, and no question about it. */

import { type ByHand, type Part, unknownPart } from "./byhand.ts";
import { h } from "./dom.ts";
import type { Page } from "./page.ts";
import { labelOf } from "./picture.ts";
import type { Question } from "./survey.ts";
import { withDigits } from "./texts/writing.ts";

export function instructions(
  page: Page,
  hand: ByHand,
  questions: readonly Question[],
  continued: boolean,
): HTMLElement {
  const texts = page.texts.own;
  const many = questions.length > 1;
  const ticks = questions.some(({ several }) => several);
  const paired = hand.parts.some((part) => part.do === "personal");
  const todo = (part: Part): string => {
    switch (part.do) {
      case "truth":
        if (paired) return many ? texts.firsts : texts.first;
        return many ? texts.truths : texts.truth;
      case "say":
        return texts.say({ value: labelOf(page, questions[0], part.value) });
      case "personal":
        return many ? texts.seconds : texts.second;
      case "opposite":
        if (ticks) return texts.oppositesTicks;
        return many ? texts.opposites : texts.opposite;
      case "another":
      case "drawn":
        throw new Error("Nobody draws evenly by hand.");
      default:
        return unknownPart(part);
    }
  };
  const coin = [texts.heads, texts.tails];
  const shown = (outcome: string, place: number) =>
    hand.tool === "coin" && hand.parts.length > 1
      ? coin[place]
      : withDigits(page.language, outcome);
  const rows = hand.parts.map((part, place) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("bdi", {}, shown(hand.outcomes[place], place))),
      h("td", {}, todo(part)),
    ),
  );
  const head = [texts.outcome, texts.todo];
  return h(
    "section",
    { class: "card byhand", "aria-label": texts.title },
    h("h2", {}, texts.title),
    h("p", {}, continued ? texts.same : texts.tools[hand.tool]),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...rows),
    ),
    h("p", { class: "quiet" }, texts.never),
  );
}
