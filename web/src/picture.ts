/** The disguise as a picture: a row of people, some of whom send their real answers. */

import { type Part, unknownPart } from "./byhand.ts";
import { h, svg } from "./dom.ts";
import { type Crowd, crowdOf, lawOf, probability } from "./law.ts";
import type { Page } from "./page.ts";
import { type Question, questionsOf, shownOf, SKIPPED, type Survey } from "./survey.ts";

/** One row of people: who they are, and what how many of them send. */
interface Row {
  readonly title: string;
  readonly crowd: Crowd;
  readonly parts: readonly {
    readonly count: number;
    readonly real: boolean;
    readonly words: string;
  }[];
}

/** A figure with its words; the words say all that the picture shows, and nothing of the questions. */
export function pictureOf(page: Page, survey: Survey, group: number): HTMLElement {
  return h("div", { class: "picture" }, ...rowsOf(page, survey, group).map(drawn));
}

function drawn({ title, crowd, parts }: Row): HTMLElement {
  const size = crowd.people > 20 ? "crowd many" : crowd.people > 10 ? "crowd more" : "crowd";
  const sorted = [...parts].sort((one, other) => Number(other.real) - Number(one.real));
  const bodies = sorted.flatMap(({ count, real }) =>
    Array.from({ length: count }, () => person(real)),
  );
  const legend = sorted.map(({ real, words }) => h("li", {}, person(real), words));
  return h(
    "figure",
    {},
    h("figcaption", {}, title),
    h("div", { class: size, "aria-hidden": "true" }, ...bodies),
    h("ul", { class: "legend" }, ...legend),
  );
}

/** Those who send real answers are filled, the others outlined: not by colour alone. */
function person(real: boolean): Node {
  const given = { viewBox: "0 0 20 24", class: real ? "person real" : "person chance" };
  return svg(
    "svg",
    { ...given, "aria-hidden": "true", focusable: "false" },
    svg("circle", { cx: 10, cy: 6, r: 4.2 }),
    svg("path", { d: "M4 22v-5a6 6 0 0 1 12 0v5z" }),
  );
}

export function rowsOf(page: Page, survey: Survey, place: number): Row[] {
  const texts = page.texts.how;
  const group = survey.design.groups[place];
  const question = questionsOf(survey, place)[0];
  const shown = shownOf(survey, place);
  const label = (value: string) => plainLabelOf(page, question, survey, value);
  const words = (part: Part, count: number): string => {
    switch (part.do) {
      case "truth":
        return group.attributes.length > 1 ? texts.asIs({ count }) : texts.oneAsIs({ count });
      case "personal":
        return shown.personal ? texts.others.personal({ count }) : texts.others.drawn({ count });
      case "opposite":
      case "another":
      case "drawn":
        return texts.others[part.do]({ count });
      case "say":
        return texts.saysAnyway({ count, value: label(part.value) });
      default:
        return unknownPart(part);
    }
  };
  if (shown.outcomes.length > 0) {
    const crowd = crowdOf(shown.outcomes.map(({ chance }) => probability(chance)));
    const parts = shown.outcomes.map((part, index) => {
      const count = crowd.counts[index];
      return { count, real: part.do === "truth", words: words(part, count) };
    });
    const title = (crowd.exact ? texts.of : texts.ofAbout)({ count: crowd.people });
    return [{ title, crowd, parts: parts.filter(some) }];
  }
  const values = survey.design.attributes[question.attributes[0]];
  return lawOf(survey, place).map((shares, truth) => {
    const crowd = crowdOf(shares);
    const parts = crowd.counts.map((count, told) => ({
      count,
      real: told === truth,
      words: texts.says({ count, value: label(values[told]) }),
    }));
    const those = crowd.exact ? texts.ofThose : texts.ofThoseAbout;
    const title = those({ count: crowd.people, value: label(values[truth]) });
    return { title, crowd, parts: parts.filter(some) };
  });
}

const some = ({ count }: { count: number }) => count > 0;

/** How a value is called before questions are asked: nothing that would say what they are about. */
export function plainLabelOf(page: Page, question: Question, survey: Survey, value: string): string {
  if (question.skip && value === SKIPPED) return page.say(question.skip);
  if (value === "yes" || value === "no") return value === "yes" ? page.texts.yes : page.texts.no;
  const values = survey.design.attributes[question.attributes[0]];
  return page.texts.how.answer({ number: values.indexOf(value) + 1 });
}

/** How a value is called on the page. */
export function labelOf(page: Page, question: Question, value: string): string {
  if (question.skip && value === SKIPPED) return page.say(question.skip);
  if (question.several) return value === "yes" ? page.texts.yes : page.texts.no;
  const option = question.options.find((one) => one.value === value);
  return option ? page.say(option.text) : value;
}
