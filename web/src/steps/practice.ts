/**
 * A practice round on a harmless question, with the device of the first group. Nothing is sent.
 *
 * Whatever falls, all that can fall is shown; and nobody goes on who has not seen it.
 */

import { byHand, type Part } from "../byhand.ts";
import { control } from "../controls.ts";
import { apply, read, toss } from "../disguise/disguise.ts";
import { type Child, h } from "../dom.ts";
import { instructions } from "../instructions.ts";
import { crowdOf, lawOf, probability } from "../law.ts";
import type { Page, Screen, Session } from "../page.ts";
import { asksPersonal, type Question, shownOf, type Survey, type Text, textsOf } from "../survey.ts";

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
    const error = h("p", { class: "error", role: "alert" });
    const line = (letter: string, text: Text) =>
      h("span", { class: "line" }, h("span", { class: "letter" }, letter), page.say(text));
    const asked = (prefix: string, into: Map<string, string>, ...legend: Child[]) =>
      control(page, { question, prefix, legend, help: [], answers: into });
    const second = both && question.personal ? [line(page.texts.letters.b, question.personal.text)] : [];
    const first = both ? line(page.texts.letters.a, question.text) : page.say(question.text);
    const controls = hand
      ? [asked("practice", answers, first, ...second)]
      : [
          asked("practice", answers, first),
          ...second.map((text) => asked("practice-personal", personal, text)),
        ];
    const label = (value: string) => (value === "yes" ? page.texts.yes : page.texts.no);
    let tried = false;
    const show = (...content: Child[]) => {
      error.textContent = "";
      result.replaceChildren(...content.filter((one) => one instanceof Node));
      tried = true;
    };
    const drawn = () => {
      if (!controls.every(({ answered }) => answered())) {
        error.textContent = texts.first;
        return;
      }
      const truth = answers.get(name) as string;
      if (hand) {
        return show(
          h("p", { class: "sent" }, texts.wouldSend({ value: label(truth) })),
          h("p", {}, texts.onlyClicked),
          h("p", {}, texts.example({ value: page.texts.yes })),
          outcomesOf(page, survey, "yes"),
        );
      }
      const devices = read(survey.design);
      const report = apply({ [name]: truth }, devices, toss(devices), Object.fromEntries(personal));
      show(
        h("p", { class: "sent" }, texts.wouldSend({ value: label(report[name]) })),
        h("p", {}, texts.onlyThis),
        h("p", {}, texts.both),
        outcomesOf(page, survey, truth, personal.get(name)),
      );
    };
    for (const { element } of controls) {
      element.addEventListener("change", () => {
        error.textContent = "";
        result.replaceChildren(); // it was about another answer
      });
    }
    return {
      title: texts.title,
      content: [
        h("p", { class: "lead" }, texts.lead),
        hand && instructions(page, hand, survey.questions, false),
        ...controls.map(({ element }) => element),
        h(
          "p",
          { class: "ways" },
          h("button", { type: "button", click: drawn }, hand ? texts.done : texts.toss),
        ),
        result,
        error,
      ],
      next: {
        label: page.texts.next,
        act() {
          if (!tried) error.textContent = texts.needed;
          return tried;
        },
      },
    };
  };

/** All that can happen to an answer, and how often. */
function outcomesOf(page: Page, survey: Survey, truth: string, beside?: string): HTMLElement {
  const texts = page.texts.practice;
  const { outcomes } = shownOf(survey, 0);
  const values = survey.design.attributes[survey.questions[0].attributes[0]];
  const label = (value: string) => (value === "yes" ? page.texts.yes : page.texts.no);
  const other = values.find((value) => value !== truth) as string;
  const words = (part: Part): string => {
    switch (part.do) {
      case "truth":
        return texts.truth({ value: label(truth) });
      case "personal":
        if (!asksPersonal(survey, 0)) return texts.anyDrawn;
        return beside ? texts.second({ value: label(beside) }) : texts.anySecond;
      case "drawn":
        return texts.anyDrawn;
      case "say":
        return texts.anyway({ value: label(part.value) });
      default:
        return texts.turned({ value: label(other) });
    }
  };
  const law = lawOf(survey, 0)[values.indexOf(truth)];
  const all =
    outcomes.length > 0
      ? outcomes.map((part) => ({ share: probability(part.chance), what: words(part) }))
      : values.map((value, report) => {
          const said = value === truth ? texts.truth : texts.turned;
          return { share: law[report], what: said({ value: label(value) }) };
        });
  const { people, counts, exact } = crowdOf(all.map(({ share }) => share));
  const times = exact ? texts.times : texts.timesAbout;
  const rows = all.map(({ share, what }, place) =>
    share > 0
      ? h(
          "tr",
          {},
          h("th", { scope: "row" }, times({ count: counts[place], of: people })),
          h("td", {}, what),
        )
      : null,
  );
  return h("table", { class: "outcomes" }, h("tbody", {}, ...rows));
}

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
