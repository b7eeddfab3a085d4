/** Whose draw decides: people's own die or coin first, or this page's. */

import { byHand, drawnHere, toolsOf } from "../byhand.ts";
import { h } from "../dom.ts";
import type { Page, Screen, Session } from "../page.ts";
import { type DeviceName, groupsOf, questionsOf, type Survey } from "../survey.ts";

export const choose =
  (session: Session) =>
  (page: Page): Screen => {
    const texts = page.texts.choose;
    const error = h("p", { class: "error", role: "alert", id: "device-error" });
    return {
      title: texts.title,
      content: [
        devicesOf(session).length > 1 && h("p", { class: "lead" }, texts.lead),
        choice(page, session),
        error,
      ],
      next: {
        label: page.texts.next,
        act() {
          if (session.device) return true;
          error.textContent = texts.first;
          return false;
        },
      },
    };
  };

/** Which devices can be had: the survey's, where they can be done here; one's own first. */
export function devicesOf({ survey, keeper, preview }: Session): DeviceName[] {
  const kept = keeper.lasting || preview;
  const here = { own: kept || drawnAnyway(survey).length === 0, page: kept };
  return (["own", "page"] as const).filter((one) => survey.devices.includes(one) && here[one]);
}

/** Groups that are too long for hands: the page draws for them whoever draws for the others. */
export const drawnAnyway = (survey: Survey): number[] =>
  groupsOf(survey).filter((group) => drawnHere(survey, group, "own"));

/** Whether there is something to choose, or to say about what cannot be chosen. */
export const choosable = (session: Session): boolean =>
  devicesOf(session).length > 1 || lacksPage(session);

/** Whether the page would draw, if only this browser kept something. */
const lacksPage = (session: Session): boolean =>
  session.survey.devices.includes("page") && devicesOf(session).join() === "own";

function choice(page: Page, session: Session): HTMLElement {
  const texts = page.texts.choose;
  const tools = [...new Set(groupsOf(session.survey).flatMap((group) => toolOf(session, group)))];
  const { survey } = session;
  const count = drawnAnyway(survey).flatMap((group) => questionsOf(survey, group)).length;
  const help = texts.ownHelp({ tools: tools.map((tool) => texts.tools[tool]) });
  const words = {
    own: [texts.own, count > 0 ? `${help} ${texts.ownBut({ count })}` : help],
    // To throw for oneself helps against a search only where the page then keeps nothing.
    page: [texts.page, count > 0 ? texts.pageQuick : texts.pageHelp],
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
    h("legend", {}, texts.legend),
    ...devicesOf(session).map(option),
    lacksPage(session) && h("p", { class: "quiet" }, texts.noStorage),
  );
}

function toolOf({ survey }: Session, group: number) {
  const hand = byHand(survey, group);
  return hand ? toolsOf(hand) : [];
}
