/** Who asks, why and what for; and what is asked, in general: no question is shown yet. */

import { h, paragraphs } from "../dom.ts";
import type { Page, Screen, Session } from "../page.ts";
import { groupsOf, hasPublic } from "../survey.ts";

export const about =
  (session: Session) =>
  (page: Page): Screen => {
    const texts = page.texts.about;
    const { survey } = session;
    const asks = survey.questions.some((question) => question.if) ? texts.countMost : texts.count;
    return {
      title: texts.title,
      content: [
        h("section", { class: "words" }, ...paragraphs(page.say(survey.consent))),
        h("h2", {}, texts.asked),
        h("p", {}, asks({ count: survey.questions.length }), " ", texts[kindOf(session)]),
        h("p", { class: "quiet" }, texts.next),
      ],
      next: { label: page.texts.next },
    };
  };

/** What becomes of the answers, in general. */
function kindOf({ survey, arm }: Session): "all" | "some" | "plain" | "bit" {
  if (survey.bit) return "bit";
  if (arm === "direct" || groupsOf(survey).length === 0) return "plain";
  return hasPublic(survey) ? "some" : "all";
}
