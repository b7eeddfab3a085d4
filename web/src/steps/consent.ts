/** How answers are protected, and what others can still learn; then people decide. */

import { fraction } from "../disguise/chances.ts";
import { type Child, h } from "../dom.ts";
import {
  type Guessed,
  guessedAlike,
  guessesOf,
  inference,
  lawOf,
  probability,
  recordGuessesOf,
  whole,
} from "../law.ts";
import type { Page, Screen, Session } from "../page.ts";
import { pictureOf, plainLabelOf } from "../picture.ts";
import {
  asksPersonal,
  groupsOf,
  hasPublic,
  questionsOf,
  shownOf,
  type Survey,
} from "../survey.ts";
import { devicesOf, drawnAnyway } from "./choose.ts";

/** For those whose answers are disguised. */
export const consent =
  (session: Session, agreed: () => void) =>
  (page: Page): Screen => {
    const texts = page.texts.consent;
    const { survey } = session;
    const alike = groupedAlike(survey);
    const [first] = groupsOf(survey);
    const value = sensitiveLabel(page, survey, first);
    return {
      title: texts.title,
      content: [
        begunBefore(page, session),
        h("p", { class: "lead" }, texts.lead),
        ...alike.map((some) => explained(page, survey, some, alike.length > 1)),
        h("p", {}, texts.evens),
        h(
          "div",
          { class: "callout" },
          h("p", { class: "lead" }, texts.proof({ value })),
          h("p", {}, texts.proofWhy),
        ),
        h(
          "details",
          {},
          h("summary", {}, page.texts.how.readerTitle),
          ...alike.flatMap((some) => [
            alike.length > 1 && h("h3", {}, theseOf(page, survey, some)),
            inferred(page, survey, some[0]),
          ]),
        ),
        consequences(page, session),
        survey.direct && h("p", {}, texts.notDirect(inPeople(survey.direct))),
        keepsDraws(session) && h("p", {}, texts.device),
        ...invited(page, session),
        h("p", {}, texts.stop),
      ],
      next: { label: texts.agree, act: agreed },
    };
  };

/** For those who, by lot, are asked directly. */
export const directConsent =
  (session: Session, agreed: () => void) =>
  (page: Page): Screen => {
    const texts = page.texts.direct;
    return {
      title: texts.title,
      content: [
        begunBefore(page, session),
        h("p", { class: "lead callout" }, texts.lead),
        h("p", {}, texts.body(inPeople(session.survey.direct ?? "0"))),
        ...tookPart(page, session),
        ...invited(page, session),
        h("p", {}, texts.stop),
      ],
      next: { label: texts.agree, act: agreed },
    };
  };

/** For surveys that disguise nothing. */
export const plainConsent =
  (session: Session, agreed: () => void) =>
  (page: Page): Screen => {
    const { consent: texts, plain, oneBit } = page.texts;
    const bit = session.survey.bit ? oneBit : null;
    return {
      title: (bit ?? plain).title,
      content: [
        begunBefore(page, session),
        h("p", { class: "lead callout" }, (bit ?? plain).lead),
        h("p", {}, (bit ?? plain).body),
        bit && h("p", {}, bit.tells),
        ...tookPart(page, session),
        ...invited(page, session),
        h("p", {}, texts.stop),
      ],
      next: { label: texts.agree, act: agreed },
    };
  };

/** Whether the page keeps draws on this device, whatever is chosen. */
const keepsDraws = (session: Session): boolean =>
  !devicesOf(session).includes("own") || drawnAnyway(session.survey).length > 0;

// --- How it works --------------------------------------------------------------------------------

/** Groups that are disguised in the same way are explained once. */
function groupedAlike(survey: Survey): number[][] {
  const { groups, attributes } = survey.design;
  const alike = new Map<string, number[]>();
  for (const place of groupsOf(survey)) {
    const { attributes: names, personal, ...device } = groups[place];
    const values = names.map((name) => attributes[name]);
    const asked = personal && asksPersonal(survey, place);
    const key = JSON.stringify([device, asked, values, names.length > 1 && place]);
    alike.set(key, [...(alike.get(key) ?? []), place]);
  }
  return [...alike.values()];
}

function explained(page: Page, survey: Survey, groups: number[], named: boolean): HTMLElement {
  const texts = page.texts.how;
  return h(
    "section",
    { class: "card" },
    named && h("h2", {}, theseOf(page, survey, groups)),
    pictureOf(page, survey, groups[0]),
    sharesCoin(survey, groups[0]) && h("p", { class: "quiet" }, texts.together),
    groups.length > 1 && h("p", { class: "quiet" }, texts.apart),
  );
}

/** How many questions some groups have: nothing is said of what they ask. */
function theseOf(page: Page, survey: Survey, groups: number[]): string {
  const count = groups.flatMap((group) => questionsOf(survey, group)).length;
  return page.texts.how.these({ count, of: survey.questions.length });
}

const sharesCoin = ({ design }: Survey, group: number) => design.groups[group].attributes.length > 1;

function sensitiveLabel(page: Page, survey: Survey, group: number): string {
  const [question] = questionsOf(survey, group);
  const values = survey.design.attributes[question.attributes[0]];
  return plainLabelOf(page, question, survey, values[shownOf(survey, group).sensitive]);
}

function inferred(page: Page, survey: Survey, group: number): HTMLElement {
  const guess = inference(lawOf(survey, group), shownOf(survey, group).sensitive);
  const value = sensitiveLabel(page, survey, group);
  return h("p", {}, page.texts.how.reader({ value, ...guess }));
}

// --- What others can learn -----------------------------------------------------------------------

function consequences(page: Page, session: Session): HTMLElement {
  const texts = page.texts.consent;
  const { survey } = session;
  const part = (what: string, ...learnt: Child[]): Child[] => [
    h("dt", {}, what),
    h("dd", {}, ...learnt),
  ];
  const guess = () => h("p", { class: "never" }, texts.guess);
  const alone = (guessedAlike(survey) ? texts.right : texts.rightMost)(guessesOf(survey));
  const certain = certainOf(page, survey);
  const record = recordGuessesOf(survey);
  const shared = sharedOf(page, survey);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, texts.table),
    h("p", { class: "quiet" }, texts.readers),
    h(
      "dl",
      { class: "consequences" },
      ...part(
        texts.one,
        guess(),
        h("p", {}, alone),
        certain.length > 0 &&
          h("p", {}, texts.certain({ values: quotedAll(page, certain) })),
        survey.questions.some(({ group }) => group !== null && asksPersonal(survey, group)) &&
          h("p", {}, texts.second),
      ),
      ...(record ?? shared
        ? part(
            texts.all,
            record && guess(),
            record && h("p", {}, allAtOnce(page, record)),
            shared && h("p", {}, shared),
          )
        : []),
      ...(hasPublic(survey) ? part(texts.open, h("p", {}, texts.openRead)) : []),
      ...part(texts.part, ...tookPart(page, session)),
    ),
    h("p", { class: "quiet" }, texts.even),
  );
}

/** How often all disguised answers are guessed right; in numbers that people can picture. */
function allAtOnce({ texts: { consent } }: Page, record: Guessed): string {
  if (record.after < 1) return consent.rightFew({ after: 1 });
  return record.before < 1 ? consent.rightAllMany(record) : consent.rightAll(record);
}

/** What one answer of a group says about the others; of the group where it says most. */
function sharedOf(page: Page, survey: Survey): string | null {
  const texts = page.texts.consent;
  const shared = groupsOf(survey).filter((group) => sharesCoin(survey, group));
  if (shared.length === 0) return null;
  const known = shared.map((group) => survey.reading.knowing[group]);
  if (known.some((share) => share === null)) return texts.sharedMore;
  const after = whole(Math.max(...known.map(probability)));
  return after === 100 ? texts.shared : texts.sharedGuess({ after });
}

/** Harmless answers that nobody else sends: these are certain. */
function certainOf(page: Page, survey: Survey): string[] {
  const labels = groupsOf(survey).flatMap((group) => {
    const { certain } = survey.guesses[group];
    const [question] = questionsOf(survey, group);
    const values = survey.design.attributes[question.attributes[0]];
    return certain === null ? [] : [plainLabelOf(page, question, survey, values[certain])];
  });
  return [...new Set(labels)];
}

const quotedAll = (page: Page, values: readonly string[]) =>
  values.map((value) => page.texts.quoted({ value }));

/** Who can see that somebody took part. */
function tookPart(page: Page, { survey, invitation }: Session): Child[] {
  const texts = page.texts.consent;
  const seen = invitation || survey.invitations ? texts.partInvited : texts.partOpen;
  return [h("p", {}, seen), h("p", {}, texts.network)];
}

/** When an invitation is used up, and where one can go on. */
function invited(page: Page, { survey, keeper }: Session): Child[] {
  const texts = page.texts.consent;
  if (!survey.invitations) return [];
  return [h("p", {}, keeper.lasting ? texts.invited : texts.invitedOnce)];
}

/** To those who agreed before, on this device, and left. */
function begunBefore(page: Page, { begun }: Session): Child {
  return begun && h("p", { class: "callout" }, page.texts.consent.begun);
}

/** A share as whole people: "0.1" is 1 in 10. */
function inPeople(share: string): { some: number; of: number } {
  const [top, bottom] = fraction(share).map(Number);
  const divisor = (a: number, b: number): number => (b ? divisor(b, a % b) : a);
  const common = divisor(top, bottom);
  return { some: top / common, of: bottom / common };
}
