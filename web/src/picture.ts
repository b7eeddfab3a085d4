/** The disguise as a picture: a row of people, some of whom send their real answers. */

import { h, svg } from "./dom.ts";
import { type Crowd, crowdOf, lawOf, probability } from "./law.ts";
import type { Page } from "./page.ts";
import { asksPersonal, type Question, questionsOf, type Survey } from "./survey.ts";

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

/** A figure with its words; the words say all that the picture shows. */
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

/** Real answers are filled, disguised ones hatched: not by colour alone. */
function person(real: boolean): Node {
  const body = "M4 22v-5a6 6 0 0 1 12 0v5z";
  const given = { viewBox: "0 0 20 24", class: real ? "person real" : "person disguised" };
  const mask = svg("path", { d: "M6.6 5.6h6.8", class: "mask" });
  return svg(
    "svg",
    { ...given, "aria-hidden": "true", focusable: "false" },
    svg("circle", { cx: 10, cy: 6, r: 4.2 }),
    svg("path", { d: body }),
    !real && mask,
  );
}

function rowsOf(page: Page, survey: Survey, place: number): Row[] {
  const texts = page.texts.how;
  const group = survey.design.groups[place];
  const question = questionsOf(survey, place)[0];
  const name = question.attributes[0];
  const law = lawOf(survey.design, group, name);
  const real = group.attributes.length > 1 ? texts.asIs : texts.oneAsIs;
  const split = (kept: number, others: (count: number) => string): Row[] => {
    const crowd = crowdOf([kept, 1 - kept]);
    const [same, other] = crowd.counts;
    const parts = [
      { count: same, real: true, words: real(same) },
      { count: other, real: false, words: others(other) },
    ];
    return [{ title: texts.of(crowd.people, crowd.exact), crowd, parts: parts.filter(some) }];
  };
  const theta = () => probability(group.theta);
  switch (group.channel) {
    case "related": {
      const binary = group.attributes.every((one) => survey.design.attributes[one].length === 2);
      return split(theta(), binary ? texts.others.opposite : texts.others.another);
    }
    case "crosswise":
      return split(theta(), texts.others.opposite);
    case "keep-or-uniform":
      return split(theta(), texts.others.drawn);
    case "unrelated":
      return split(
        theta(),
        asksPersonal(survey, place) ? texts.others.personal : texts.others.drawn,
      );
    case "forced": {
      const values = survey.design.attributes[name];
      const shares = values.map((value) => probability((group.forced as any)[value]));
      const kept = 1 - shares.reduce((total, share) => total + share, 0);
      const crowd = crowdOf([kept, ...shares]);
      const [same, ...told] = crowd.counts;
      const says = values.map((value, code) => ({
        count: told[code],
        real: false,
        words: texts.saysAnyway(told[code], labelOf(page, question, value)),
      }));
      const parts = [{ count: same, real: true, words: real(same) }, ...says].filter(some);
      return [{ title: texts.of(crowd.people, crowd.exact), crowd, parts }];
    }
    default:
      return law.map((shares, truth) => {
        const label = (code: number) =>
          labelOf(page, question, survey.design.attributes[name][code]);
        const crowd = crowdOf(shares);
        const parts = crowd.counts.map((count, told) => ({
          count,
          real: told === truth,
          words: texts.says(count, label(told)),
        }));
        const title = texts.ofThose(crowd.people, crowd.exact, label(truth));
        return { title, crowd, parts: parts.filter(some) };
      });
  }
}

const some = ({ count }: { count: number }) => count > 0;

/** How a value is called on the page. */
export function labelOf(page: Page, question: Question, value: string): string {
  if (question.several) return value === "yes" ? page.texts.yes : page.texts.no;
  const option = question.options.find((one) => one.value === value);
  return option ? page.say(option.text) : value;
}
