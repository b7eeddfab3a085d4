/** Two comprehension questions with feedback. Nobody is excluded; the first try is counted. */

import { control, type Control } from "../controls.ts";
import { h } from "../dom.ts";
import type { Page, Screen, Session } from "../page.ts";
import type { Text } from "../survey.ts";
import type { Texts } from "../texts/index.ts";

/** What is asked, the answers, and the place of the right one; by whose draw it is. */
const QUESTIONS = [
  ({ report }: Texts["check"]) => ({ ...report, options: [report.real, report.guess], right: 1 }),
  ({ rule, throw: thrown }: Texts["check"], own: boolean) =>
    own
      ? { ...thrown, options: [thrown.real, thrown.follow], right: 1 }
      : { ...rule, options: [rule.change, rule.real], right: 1 },
];

export const check =
  (session: Session) =>
  (page: Page): Screen => {
    const texts = page.texts.check;
    const answers = new Map<string, string>();
    const error = h("p", { class: "error", role: "alert" });
    const here = (text: string): Text => ({ [page.language]: text });
    const asked = QUESTIONS.map((ask, place) => {
      const { text, options, right, why } = ask(texts, session.device === "own");
      const name = `check${place}`;
      const feedback = h("p", { class: "feedback", role: "status" });
      const question = {
        several: false,
        attributes: [name],
        options: options.map((option, code) => ({ value: String(code), text: here(option) })),
      };
      const shown = control(page, { question, prefix: "q", legend: [text], help: [], answers });
      const judge = () => {
        const good = answers.get(name) === String(right);
        feedback.classList.toggle("right", good);
        feedback.textContent = `${good ? texts.right : texts.wrong} ${why}`;
        return good;
      };
      shown.element.append(feedback);
      return { control: shown, judge };
    });
    let judged = false;
    return {
      title: texts.title,
      content: [
        h("p", { class: "lead" }, texts.lead),
        ...asked.map((one) => one.control.element),
        error,
      ],
      next: {
        label: page.texts.next,
        act() {
          if (judged || session.checked) return true;
          if (!allAnswered(asked.map((one) => one.control))) {
            error.textContent = texts.first;
            return false;
          }
          error.textContent = "";
          session.understood = asked.map(({ judge }) => judge()).filter(Boolean).length;
          session.checked = judged = true;
          return false; // stays, to show the feedback
        },
      },
    };
  };

const allAnswered = (controls: readonly Control[]) => controls.every(({ answered }) => answered());
