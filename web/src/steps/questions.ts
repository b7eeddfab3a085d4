/** The questions: a screen per group, or a few at a time. No branching, no haste, nothing sent. */

import { byHand, drawnHere } from "../byhand.ts";
import { control, type Control } from "../controls.ts";
import { type Child, h } from "../dom.ts";
import { instructions } from "../instructions.ts";
import type { Page, Screen, Session, Step } from "../page.ts";
import { askedOf, asksPersonal, type Batch, batchesOf, type Question } from "../survey.ts";

export const questionSteps = (session: Session): Step[] =>
  batchesOf(session.survey).map((batch, place, all) => {
    const step: Step = (page) => asking(page, session, batch, place + 1, all.length);
    // All of a screen are asked of the same people.
    step.wanted = () => askedOf(session.survey, session.answers).includes(batch.questions[0]);
    return step;
  });

function asking(page: Page, session: Session, batch: Batch, number: number, of: number): Screen {
  const texts = page.texts.questions;
  const { group, questions, continued } = batch;
  const disguised = session.arm === "disguised" && group !== null;
  const hand = disguised && session.device === "own" ? byHand(session.survey, group) : null;
  const both = disguised && asksPersonal(session.survey, group);
  const controls = questions.flatMap((question) => asked(page, session, question, both, !!hand));
  const skip = questions.find((question) => question.skip)?.skip;
  const summary = h("p", { class: "error", role: "alert" });
  for (const { element } of controls) {
    element.addEventListener("change", () => summary.replaceChildren());
  }
  return {
    title: of === 1 ? texts.title : texts.part({ number, of }),
    content: [
      h("p", { class: "quiet" }, texts.all),
      hand && instructions(page, hand, questions, continued),
      disguised && !hand && h("p", {}, texts.pageCoin),
      both && !hand && h("p", {}, texts.both),
      disguised && skip && h("p", {}, texts.skipToo({ value: page.say(skip) })),
      summary,
      ...controls.map(({ element }) => element),
    ],
    next: {
      label: page.texts.next,
      act() {
        const missing = controls.filter(({ answered }) => !answered());
        for (const one of missing) one.complain(texts.needed);
        summary.textContent = missing.length > 0 ? texts.missing({ count: missing.length }) : "";
        missing[0]?.element.querySelector("input")?.focus();
        return missing.length === 0;
      },
    },
  };
}

function asked(
  page: Page,
  session: Session,
  question: Question,
  both: boolean,
  hand: boolean,
): Control[] {
  const texts = page.texts.questions;
  const kind = session.survey.bit
    ? h("span", { class: "badge" }, texts.stays)
    : question.group === null
      ? h("span", { class: "badge open" }, texts.public)
      : session.arm === "direct"
        ? h("span", { class: "badge open" }, texts.direct)
        : h("span", { class: "badge" }, texts.disguised);
  const { letters } = page.texts;
  const letter = (text: string) => h("span", { class: "letter" }, text);
  const help = (): Child[] => [
    question.help && h("p", {}, page.say(question.help)),
    !question.help && question.several && h("p", {}, texts.several),
  ];
  const one = (prefix: string, legend: Child[], answers: Map<string, string>) =>
    control(page, { question, prefix, legend, help: help().filter(Boolean), answers });
  const text = page.say(question.text);
  if (!both || !question.personal) return [one("a", [kind, text], session.answers)];
  const second = page.say(question.personal.text);
  if (hand) {
    const legend = [kind, h("span", { class: "line" }, letter(letters.a), text)];
    legend.push(h("span", { class: "line" }, letter(letters.b), second));
    return [one("a", legend, session.answers)];
  }
  return [
    one("a", [kind, h("span", { class: "line" }, letter(letters.a), text)], session.answers),
    one("b", [h("span", { class: "line" }, letter(letters.b), second)], session.personal),
  ];
}

/** The first screen that still needs an answer; -1 where there is none. */
export function firstOpen(session: Session): number {
  const { survey, arm, device, answers, personal } = session;
  const answered = ({ attributes, group }: Question) => {
    const drawn = arm === "disguised" && group !== null && drawnHere(survey, group, device);
    const both = drawn && asksPersonal(survey, group);
    return attributes.every((name) => answers.has(name) && (!both || personal.has(name)));
  };
  const asked = askedOf(survey, answers);
  const done = (question: Question) => !asked.includes(question) || answered(question);
  return batchesOf(survey).findIndex(({ questions }) => !questions.every(done));
}
