/**
 * One bit: whether a given classifier is right about the answers, which stay on this device.
 *
 * What it predicts comes with the survey, a sign for each pattern of answers; so any kind of
 * classifier is tried alike, and nothing about the answers but this bit is in what is sent.
 */

import type { Answers } from "./disguise/disguise.ts";
import { DIGITS } from "./protocol.ts";
import type { Bit, Survey } from "./survey.ts";

/** The report: whether the prediction for these answers is the answer that was given. */
export function bitOf(survey: Survey, bit: Bit, answers: Answers): Answers {
  const place = (name: string) => {
    const found = optionsOf(survey, name).indexOf(answers[name]);
    if (found < 0) throw new Error(`The answer to ${name} is missing.`);
    return found;
  };
  const pattern = bit.features.reduce(
    (sum, name) => sum * optionsOf(survey, name).length + place(name),
    0,
  );
  const right = DIGITS.indexOf(bit.predicted[pattern]) === place(bit.target);
  return { [bit.question.name]: right ? "yes" : "no" };
}

/** Refuses a survey whose bit does not fit its questions. */
export function checkBit(survey: Survey): void {
  const { bit } = survey;
  if (!bit) return;
  const patterns = bit.features.reduce((all, name) => all * optionsOf(survey, name).length, 1);
  const classes = optionsOf(survey, bit.target).length;
  const fits = [...bit.predicted].every((sign) => {
    const place = DIGITS.indexOf(sign);
    return place >= 0 && place < classes;
  });
  const alone = Object.keys(survey.design.attributes).join() === bit.question.name;
  if (!fits || !alone || bit.predicted.length !== patterns || survey.design.groups.length > 0) {
    throw new Error("The survey's bit does not fit its questions.");
  }
}

function optionsOf({ questions }: Survey, name: string): string[] {
  const question = questions.find((one) => one.name === name && !one.several);
  if (!question) throw new Error(`There is no question ${name}.`);
  return question.options.map(({ value }) => value);
}
