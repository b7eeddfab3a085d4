/** Consequences first: who could learn what, before anything is asked. */

import { fraction } from "../disguise/chances.ts";
import { h, paragraphs } from "../dom.ts";
import { guessesOf } from "../law.ts";
import type { Page, Screen, Session } from "../page.ts";
import { labelOf } from "../picture.ts";
import { groupsOf, questionsOf, type Survey } from "../survey.ts";

/** For those whose answers are disguised. */
export const consent =
  (session: Session, agreed: () => void) =>
  (page: Page): Screen => {
    const texts = page.texts.consent;
    const { survey } = session;
    return {
      title: texts.title,
      content: [
        consequences(page, survey),
        h("p", {}, texts.because),
        h("p", {}, texts.guess(guessesOf(survey))),
        hasPublic(survey) && h("p", {}, texts.public),
        survey.direct && h("p", {}, texts.notDirect(inPeople(survey.direct))),
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
        h("p", {}, texts.body(inPeople(survey.direct ?? "0"))),
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
    const { consent: texts } = page.texts;
    const plain = session.survey.bit ? page.texts.oneBit : page.texts.plain;
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

const hasPublic = ({ questions }: Survey) => questions.some(({ group }) => group === null);

/** Harmless answers that nobody else sends: these are certain. */
function certainOf(page: Page, survey: Survey): string[] {
  const labels = groupsOf(survey).flatMap((group) => {
    const { certain } = survey.guesses[group];
    const [question] = questionsOf(survey, group);
    const values = survey.design.attributes[question.attributes[0]];
    return certain === null ? [] : [labelOf(page, question, values[certain])];
  });
  return [...new Set(labels)];
}

function consequences(page: Page, survey: Survey): HTMLElement {
  const texts = page.texts.consent;
  const certain = certainOf(page, survey);
  const values = certain.map((value) => page.texts.quoted({ value }));
  const never = values.length > 0 ? texts.neverBut({ values }) : texts.never;
  const row = (who: string) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, who),
      h("td", { class: "never" }, never),
      h("td", {}, texts.share),
    );
  const answer = hasPublic(survey) ? texts.disguisedAnswer : texts.answer;
  const head = [texts.who, answer, texts.learns];
  return h(
    "table",
    { class: "consequences" },
    h("caption", {}, texts.table),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...Object.values(texts.rows).map(row)),
  );
}

/** A share as whole people: "0.1" is 1 in 10. */
function inPeople(share: string): { some: number; of: number } {
  const [top, bottom] = fraction(share).map(Number);
  const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a);
  const common = divisor(top, bottom);
  return { some: top / common, of: bottom / common };
}
