/** What to do with one's own coin or die: one line per outcome, and no question about it. */

import { type ByHand, type Todo, unknownPart } from "./byhand.ts";
import { type Child, h } from "./dom.ts";
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
  return h(
    "section",
    { class: "card byhand", "aria-label": texts.title },
    h("h2", {}, texts.title),
    h("p", {}, continued ? texts.same : texts.tools[hand.tool]),
    ...rulesOf(page, hand, questions),
    h("p", { class: "quiet" }, texts.never),
  );
}

/** A table of what to do, and one of the second throw where there is one. */
function rulesOf(page: Page, hand: ByHand, questions: readonly Question[]): Child[] {
  const texts = page.texts.own;
  const paired = hand.parts.some((part) => part.do === "personal");
  const rows = hand.parts.map((part, place) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("bdi", {}, ...outcomesOf(page, hand, place))),
      h("td", {}, ...todo(page, part, questions, paired)),
    ),
  );
  const head = [texts.outcome, texts.todo];
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows),
  );
  const round = hand.parts.some((part) => part.do === "step") && h("p", {}, texts.round);
  const again = hand.parts.flatMap((part) => {
    if (part.do !== "throw") return [];
    const title = part.every && questions.length > 1 ? texts.secondThrows : texts.secondThrow;
    const tool = h("p", {}, texts.tools[part.then.tool]);
    return [h("h3", {}, title), tool, ...rulesOf(page, part.then, questions)];
  });
  return [table, round, ...again];
}

/** Two tosses are two words, and several such pairs a line each. */
function outcomesOf(page: Page, { tool, outcomes, parts }: ByHand, place: number): Child[] {
  const texts = page.texts.own;
  if (tool === "coin" && parts.length > 1) return [[texts.heads, texts.tails][place]];
  if (tool !== "coins") return [withDigits(page.language, outcomes[place])];
  const side = (sign: string) => (sign === "H" ? texts.heads : texts.tails);
  const tosses = outcomes[place].split(", ");
  return tosses.map(([one, two]) => h("span", { class: "tosses" }, texts.tosses({ first: side(one), second: side(two) })));
}

function todo(
  page: Page,
  part: Todo,
  questions: readonly Question[],
  paired: boolean,
): Child[] {
  const texts = page.texts.own;
  const many = questions.length > 1;
  const ticks = questions.some(({ several }) => several);
  const label = (value: string) => labelOf(page, questions[0], value);
  switch (part.do) {
    case "truth":
      if (paired) return [many ? texts.firsts : texts.first];
      return [many ? texts.truths : texts.truth];
    case "say":
      return [texts.say({ value: label(part.value) })];
    case "personal":
      return [many ? texts.seconds : texts.second];
    case "opposite":
      if (ticks) return [texts.oppositesTicks];
      return [many ? texts.opposites : texts.opposite];
    case "step":
      return [texts.step({ count: part.by })];
    case "nth":
      return [texts.nth({ number: part.place + 1 })];
    case "each": {
      const values = questions[0].options.map(({ value }) => value);
      const line = (told: string, truth: number) =>
        h("li", {}, texts.each({ truth: label(values[truth]), value: label(told) }));
      return [h("ul", { class: "each" }, ...part.values.map(line))];
    }
    case "throw":
      return [texts.again];
    default:
      return unknownPart(part);
  }
}
