/** Consequences first: who could learn what, before anything is asked. */

import { fraction } from "../disguise/chances.ts";
import { h, paragraphs } from "../dom.ts";
import type { Page, Screen, Session } from "../page.ts";

/** For those whose answers are disguised. */
export const consent =
  (session: Session, agreed: () => void) =>
  (page: Page): Screen => {
    const texts = page.texts.consent;
    const { survey } = session;
    return {
      title: texts.title,
      content: [
        consequences(page),
        h("p", {}, texts.because),
        survey.questions.some(({ group }) => group === null) && h("p", {}, texts.public),
        survey.direct && h("p", {}, texts.notDirect(...inPeople(survey.direct))),
        h("section", { class: "words" }, ...paragraphs(page.say(survey.consent))),
        h("p", { class: "quiet" }, texts.stop),
      ],
      next: { label: texts.agree, act: agreed },
    };
  };

/** For those who, by lot, are asked directly. */
export const directConsent =
  (session: Session, agreed: () => void) =>
  (page: Page): Screen => {
    const texts = page.texts.direct;
    const { survey } = session;
    return {
      title: texts.title,
      content: [
        h("p", { class: "lead callout" }, texts.lead),
        h("p", {}, texts.body(...inPeople(survey.direct ?? "0"))),
        h("section", { class: "words" }, ...paragraphs(page.say(survey.consent))),
        h("p", {}, texts.stop),
      ],
      next: { label: texts.agree, act: agreed },
    };
  };

/** For surveys that disguise nothing. */
export const plainConsent =
  (session: Session, agreed: () => void) =>
  (page: Page): Screen => {
    const { plain, consent: texts } = page.texts;
    return {
      title: plain.title,
      content: [
        h("p", { class: "lead callout" }, plain.lead),
        h("p", {}, plain.body),
        h("section", { class: "words" }, ...paragraphs(page.say(session.survey.consent))),
        h("p", { class: "quiet" }, texts.stop),
      ],
      next: { label: texts.agree, act: agreed },
    };
  };

function consequences(page: Page): HTMLElement {
  const texts = page.texts.consent;
  const row = (who: string) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, who),
      h("td", { class: "never" }, texts.never),
      h("td", {}, texts.share),
    );
  const head = [texts.who, texts.answer, texts.learns];
  return h(
    "table",
    { class: "consequences" },
    h("caption", {}, texts.table),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...texts.rows.map(row)),
  );
}

/** A share as whole people: "0.1" is 1 in 10. */
function inPeople(share: string): [number, number] {
  const [top, bottom] = fraction(share).map(Number);
  const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a);
  const common = divisor(top, bottom);
  return [top / common, bottom / common];
}
