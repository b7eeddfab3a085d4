/** How it works: one picture, two sentences, and whose coin shall decide. */

import { byHand } from "../byhand.ts";
import { h } from "../dom.ts";
import { inference, lawOf } from "../law.ts";
import type { Page, Screen, Session } from "../page.ts";
import { labelOf, pictureOf } from "../picture.ts";
import {
  asksPersonal,
  type DeviceName,
  groupsOf,
  questionsOf,
  shownOf,
  type Survey,
} from "../survey.ts";

export const how =
  (session: Session) =>
  (page: Page): Screen => {
    const texts = page.texts.how;
    const groups = groupsOf(session.survey);
    const alike = groupedAlike(session.survey);
    const error = h("p", { class: "error", role: "alert", id: "device-error" });
    return {
      title: texts.title,
      content: [
        ...alike.map((some) => explained(page, session.survey, some, alike.length > 1)),
        h("p", {}, texts.sentences),
        h(
          "div",
          { class: "callout" },
          h("p", { class: "lead" }, texts.admission({ value: sensitiveLabel(page, session, groups[0]) })),
          h("p", {}, texts.admissionWhy),
        ),
        h(
          "details",
          {},
          h("summary", {}, texts.readerTitle),
          ...alike.map(([group]) => inferred(page, session, group)),
        ),
        choice(page, session),
        error,
      ],
      next: {
        label: page.texts.next,
        act() {
          if (session.device) return true;
          error.textContent = texts.chooseFirst;
          return false;
        },
      },
    };
  };

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
  const questions = groups.flatMap((group) => questionsOf(survey, group));
  const together = survey.design.groups[groups[0]].attributes.length > 1;
  const apart = groups.length > 1;
  return h(
    "section",
    { class: "card" },
    named &&
      h("ul", { class: "asked" }, ...questions.map(({ text }) => h("li", {}, page.say(text)))),
    pictureOf(page, survey, groups[0]),
    together && h("p", { class: "quiet" }, texts.together),
    apart && h("p", { class: "quiet" }, texts.apart),
  );
}

function sensitiveLabel(page: Page, session: Session, group: number): string {
  const { survey } = session;
  const [question] = questionsOf(survey, group);
  const values = survey.design.attributes[question.attributes[0]];
  return labelOf(page, question, values[shownOf(survey, group).sensitive]);
}

function inferred(page: Page, session: Session, group: number): HTMLElement {
  const { survey } = session;
  const [question] = questionsOf(survey, group);
  const { sensitive } = shownOf(survey, group);
  const guess = inference(lawOf(survey, group), sensitive);
  const asked = question.several
    ? `${page.say(question.text)} ${page.say(question.options[0].text)}`
    : page.say(question.text);
  const value = sensitiveLabel(page, session, group);
  const reader = page.texts.how.reader({ question: asked, value, ...guess });
  // Where one coin turns several answers, whoever knows one of them reads the others.
  const alone = survey.design.groups[group].attributes.length === 1;
  return h("p", {}, reader, ...(alone ? [` ${page.texts.how.allThatIsRead({ value })}`] : []));
}

/** Which devices can be had: the survey's, where they can be done here. */
export function devicesOf({ survey, keeper, preview }: Session): DeviceName[] {
  const hands = groupsOf(survey).every((place) => byHand(survey, place));
  return survey.devices.filter((device) => (device === "own" ? hands : keeper.lasting || preview));
}

function choice(page: Page, session: Session): HTMLElement {
  const texts = page.texts.how;
  const devices = devicesOf(session);
  const words = {
    page: [texts.page, texts.pageHelp],
    own: [texts.own, texts.ownHelp],
  } as const;
  const chosen = (device: DeviceName) => () => {
    if (session.device === device) return;
    session.device = device;
    session.answers.clear(); // a real answer must not be taken for one that was disguised by hand
    session.personal.clear();
  };
  const option = (device: DeviceName) =>
    h(
      "label",
      { class: "option" },
      h("input", {
        type: "radio",
        name: "device",
        value: device,
        checked: session.device === device,
        autocomplete: "off",
        change: chosen(device),
      }),
      h(
        "span",
        {},
        h("strong", {}, words[device][0]),
        h("span", { class: "help" }, words[device][1]),
      ),
    );
  return h(
    "fieldset",
    { "aria-describedby": "device-error" },
    h("legend", {}, texts.choose),
    ...devices.map(option),
    session.survey.devices.length > devices.length &&
      devices[0] === "own" &&
      h("p", { class: "quiet" }, texts.noStorage),
  );
}
