/** What will be sent: in words, and behind a detail the very message. */

import { drawnHere } from "../byhand.ts";
import type { Answers } from "../disguise/disguise.ts";
import { h } from "../dom.ts";
import type { Page, Screen, Session } from "../page.ts";
import { labelOf } from "../picture.ts";
import { bodyOf, reportOf } from "../report.ts";
import { askedOf, groupsOf, hasPublic, type Question, reportedOf, SKIPPED } from "../survey.ts";
import { listed } from "../texts/writing.ts";

export const review =
  (session: Session, send: (body: string) => void) =>
  (page: Page): Screen => {
    const texts = page.texts.review;
    const report = reportOf(session);
    const note = noteOf(page, session);
    const status = h("p", { class: "quiet", role: "status" });
    const literal = h("pre", { tabindex: 0, dir: "ltr", "aria-label": texts.literal });
    const literalNote = h("p", { class: "quiet" });
    let body: string | null = null;
    if (session.token) status.textContent = texts.ticket;
    const shown = async () => {
      body = await bodyOf(session, report, (await session.token) ?? "");
      status.textContent = "";
      literal.textContent = body;
      literalNote.textContent = texts.literalNote({ size: body.length });
    };
    shown().catch(() => {}); // without a token the survey has ended, and said why
    return {
      title: texts.title,
      content: [
        h("p", { class: "callout" }, note),
        inWords(page, session, report),
        h(
          "details",
          {},
          h("summary", {}, texts.literal),
          literalNote,
          h("p", { class: "quiet" }, partsOf(page, session)),
          literal,
        ),
        status,
      ],
      next: {
        label: texts.send,
        act() {
          if (body !== null) send(body);
          return false; // sending leads on
        },
      },
    };
  };

/** What is to be known of these answers. */
function noteOf({ texts: { review } }: Page, { survey, arm, device }: Session): string {
  if (survey.bit) return review.noteBit;
  if (arm === "direct" || groupsOf(survey).length === 0) return review.noteDirect;
  if (device === "own") {
    const drawn = groupsOf(survey).some((group) => drawnHere(survey, group, "own"));
    return drawn ? review.noteMixed : review.noteOwn;
  }
  return hasPublic(survey) ? review.noteSome : review.note;
}

/** What the message holds. */
function partsOf({ texts }: Page, { survey, token }: Session): string {
  const { parts, partsInvited, partsBit, partsBitInvited } = texts.review;
  if (survey.bit) return token ? partsBitInvited : partsBit;
  return token ? partsInvited : parts;
}

function inWords(page: Page, session: Session, report: Answers): HTMLElement {
  const texts = page.texts.review;
  const { survey } = session;
  const asked = survey.bit ? reportedOf(survey) : askedOf(survey, session.answers);
  const row = (question: Question) => {
    const open = question.group === null || session.arm === "direct";
    const kinds = page.texts.questions;
    const badge = session.arm === "direct" ? kinds.direct : open ? kinds.public : kinds.disguised;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, page.say(question.text)),
      h(
        "td",
        {},
        h("strong", {}, asked.includes(question) ? told(page, question, report) : texts.notAsked),
        h("span", { class: open ? "badge open" : "badge" }, badge),
      ),
    );
  };
  const head = [texts.question, texts.sent];
  return h(
    "table",
    { class: "report" },
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...reportedOf(session.survey).map(row)),
  );
}

/** What a report says about a question. */
function told(page: Page, question: Question, report: Answers): string {
  if (!question.several) return labelOf(page, question, report[question.attributes[0]]);
  const ticked = question.options.filter(
    (_, place) => report[question.attributes[place]] === "yes",
  );
  const skips = question.attributes.some((name) => report[name] === SKIPPED);
  const texts = ticked.map(({ text }) => page.say(text));
  if (skips && question.skip) texts.push(page.say(question.skip));
  return texts.length > 0 ? listed(page.language, texts) : page.texts.review.none;
}
