/** A practice round on a harmless question, with the device of the first group. Nothing is sent. */

import { byHand } from "../byhand.ts";
import { control } from "../controls.ts";
import { apply, read, toss } from "../disguise/disguise.ts";
import { type Child, h } from "../dom.ts";
import { instructions } from "../instructions.ts";
import type { Page, Screen, Session } from "../page.ts";
import { asksPersonal, type Question, type Survey, type Text, textsOf } from "../survey.ts";

export const practice =
  (session: Session, survey: Survey) =>
  (page: Page): Screen => {
    const texts = page.texts.practice;
    const [question] = survey.questions;
    const { name } = question;
    const hand = session.device === "own" ? byHand(survey, 0) : null;
    const both = asksPersonal(survey, 0);
    const answers = new Map<string, string>();
    const personal = new Map<string, string>();
    const result = h("div", { class: "result", role: "status" });
    const line = (letter: string, text: Text) =>
      h("span", { class: "line" }, h("span", { class: "letter" }, letter), page.say(text));
    const asked = (prefix: string, into: Map<string, string>, ...legend: Child[]) =>
      control(page, { question, prefix, legend, help: [], answers: into });
    const second = both && question.personal ? [line("B", question.personal.text)] : [];
    const first = both ? line("A", question.text) : page.say(question.text);
    const controls = hand
      ? [asked("practice", answers, first, ...second)]
      : [
          asked("practice", answers, first),
          ...second.map((text) => asked("practice-personal", personal, text)),
        ];
    const show = (...content: (Node | string)[]) => result.replaceChildren(...content);
    const label = (value: string) => (value === "yes" ? page.texts.yes : page.texts.no);
    const tossed = () => {
      if (!controls.every(({ answered }) => answered())) {
        return show(h("p", { class: "error" }, texts.first));
      }
      const truth = answers.get(name) as string;
      if (hand) {
        return show(sent(texts.wouldSend({ value: label(truth) })), h("p", {}, texts.onlyClicked));
      }
      const devices = read(survey.design);
      const tosses = toss(devices);
      const report = apply({ [name]: truth }, devices, tosses, Object.fromEntries(personal))[name];
      const beside = both ? devices.groups[0].device.personal : undefined;
      const changed = report === truth ? texts.kept : texts.changed;
      show(
        h("p", {}, beside ? texts.picked({ letter: beside.kept(tosses[0]) ? "A" : "B" }) : changed),
        sent(texts.wouldSend({ value: label(report) })),
        h("p", {}, texts.onlyThis),
      );
    };
    return {
      title: texts.title,
      content: [
        h("p", { class: "lead" }, texts.lead),
        hand && instructions(page, hand, survey.questions, false),
        ...controls.map(({ element }) => element),
        h(
          "p",
          { class: "ways" },
          h("button", { type: "button", click: tossed }, hand ? texts.done : texts.toss),
        ),
        result,
      ],
      next: { label: page.texts.next },
    };
  };

const sent = (text: string) => h("p", { class: "sent" }, text);

/** The survey's first group, with a harmless question in its place; null: it cannot be practised. */
export function practiceSurvey(survey: Survey): Survey | null {
  if (!survey.practice) return null;
  const { group, shown } = survey.practice;
  const [name] = group.attributes;
  const each = (text: (language: string) => string): Text =>
    Object.fromEntries(survey.languages.map((language) => [language, text(language)]));
  const question: Question = {
    name,
    several: false,
    text: each((language) => textsOf(survey, language).practice.question),
    help: null,
    options: [
      { value: "no", text: each((language) => textsOf(survey, language).no) },
      { value: "yes", text: each((language) => textsOf(survey, language).yes) },
    ],
    attributes: [name],
    group: 0,
    personal: shown.personal
      ? { text: each((language) => textsOf(survey, language).practice.personal), source: "" }
      : null,
  };
  const design = { attributes: { [name]: ["no", "yes"] }, groups: [group] };
  return { ...survey, questions: [question], design, shown: [shown] };
}
