/** Questions as they are asked: radio buttons or boxes in a fieldset, with a legend. */

import { type Child, h } from "./dom.ts";
import type { Page } from "./page.ts";
import { type Question, SKIPPED } from "./survey.ts";

/** A control that writes into a map of answers, and can say that it still needs one. */
export interface Control {
  readonly element: HTMLFieldSetElement;
  readonly answered: () => boolean;
  readonly complain: (sentence: string) => void;
}

interface Asked {
  readonly question: Pick<Question, "several" | "options" | "attributes" | "skip">;
  /** Distinguishes the second question beside a question from the first. */
  readonly prefix: string;
  readonly legend: readonly Child[];
  readonly help: readonly Child[];
  readonly answers: Map<string, string>;
}

export function control(page: Page, asked: Asked): Control {
  const { question, prefix, answers } = asked;
  const name = `${prefix}-${question.attributes[0]}`;
  const error = h("p", { class: "error", id: `${name}-error` });
  const help =
    asked.help.length > 0 && h("div", { class: "help", id: `${name}-help` }, ...asked.help);
  const element = h(
    "fieldset",
    { "aria-describedby": help ? `${name}-help ${name}-error` : `${name}-error` },
    h("legend", {}, ...asked.legend),
    help,
    error,
    ...(question.several ? boxes(page, asked, name) : radios(page, asked, name)),
  );
  element.addEventListener("change", () => {
    error.textContent = "";
    element.classList.remove("wanting");
  });
  return {
    element,
    answered: () => question.attributes.every((attribute) => answers.has(attribute)),
    complain(sentence) {
      error.textContent = sentence;
      element.classList.add("wanting");
    },
  };
}

const labelled = (input: HTMLInputElement, text: string) =>
  h("label", { class: "option" }, input, h("span", {}, text));

function radios(page: Page, { question, answers }: Asked, name: string): HTMLElement[] {
  const [attribute] = question.attributes;
  return question.options.map(({ value, text }) =>
    labelled(
      h("input", {
        type: "radio",
        name,
        value,
        autocomplete: "off",
        checked: answers.get(attribute) === value,
        change: () => answers.set(attribute, value),
      }),
      page.say(text),
    ),
  );
}

/** Boxes, one for "none of these", maybe one to skip: to tick nothing is no answer yet. */
function boxes(page: Page, { question, answers }: Asked, name: string): HTMLElement[] {
  const { attributes } = question;
  const box = (value: string, checked: boolean) =>
    h("input", { type: "checkbox", name, value, checked, autocomplete: "off" });
  const ticks = question.options.map(({ value }, place) =>
    box(value, answers.get(attributes[place]) === "yes"),
  );
  const given = attributes.every((attribute) => answers.has(attribute));
  const skipped = attributes.some((attribute) => answers.get(attribute) === SKIPPED);
  const none = box("", given && !skipped && ticks.every(({ checked }) => !checked));
  const skip = box(SKIPPED, skipped);
  const alone = question.skip ? [none, skip] : [none];
  const changed = () => {
    const answered = [...alone, ...ticks].some(({ checked }) => checked);
    attributes.forEach((attribute, place) => {
      const told = ticks[place].checked ? "yes" : "no";
      if (answered) answers.set(attribute, skip.checked ? SKIPPED : told);
      else answers.delete(attribute);
    });
  };
  for (const one of [...alone, ...ticks]) {
    one.addEventListener("change", () => {
      const others = alone.includes(one) ? [...alone, ...ticks] : alone;
      if (one.checked) for (const other of others) if (other !== one) other.checked = false;
      changed();
    });
  }
  const labels = question.options.map(({ text }) => page.say(text));
  return [
    ...ticks.map((tick, place) => labelled(tick, labels[place])),
    labelled(none, page.texts.questions.none),
    ...(question.skip ? [labelled(skip, page.say(question.skip))] : []),
  ];
}
