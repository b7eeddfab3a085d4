/**
 * The disguise in numbers that people can picture: how many of ten people like you send what, and
 * what a reader could infer from one report. Only for showing; the coins themselves are exact.
 */

import { fraction } from "./disguise/chances.ts";
import { shownOf, type Survey } from "./survey.ts";

/** A probability as a number, to be shown. */
export const probability = (text: unknown) => {
  const [top, bottom] = fraction(text);
  return Number(top) / Number(bottom);
};

/** The chance of each report given a truth: `law[truth][report]`, for a group's first question. */
export const lawOf = (survey: Survey, group: number): number[][] =>
  shownOf(survey, group).law.map((reports) => reports.map(probability));

/** Of so many people like you, how many do what: the fewest people that come out whole. */
export interface Crowd {
  readonly people: number;
  readonly counts: readonly number[];
  readonly exact: boolean;
}

export function crowdOf(shares: readonly number[]): Crowd {
  for (const people of [10, 6, 12, 20, 100]) {
    const counts = shares.map((share) => Math.round(share * people));
    const whole = shares.every((share, place) => Math.abs(share * people - counts[place]) < 1e-9);
    if (whole) return { people, counts, exact: true };
  }
  return { people: 100, counts: rounded(shares, 100), exact: false };
}

/** Whole numbers near the shares that add up: the largest remainders are rounded up. */
function rounded(shares: readonly number[], people: number): number[] {
  const counts = shares.map((share) => Math.floor(share * people));
  const places = shares.map((_, place) => place);
  const remainder = (place: number) => shares[place] * people - counts[place];
  places.sort((one, other) => remainder(other) - remainder(one));
  for (const place of places.slice(0, people - sum(counts))) counts[place] += 1;
  return counts;
}

/** Of 100 people some truly have an answer: how many send it, and of these how many have it. */
export function inference(law: readonly number[][], value: number, having = 10) {
  const others = (100 - having) / (law.length - 1);
  const sent = sum(law.map((row, truth) => (truth === value ? having : others) * row[value]));
  const theirs = having * law[value][value];
  return { having, sent: Math.round(sent), theirs: Math.round(theirs) };
}

/** Of 100 people, for how many a guess is right: without a report, and with one. */
export interface Guessed {
  readonly before: number;
  readonly after: number;
}

/** The same for the answer that is easiest to guess, read by itself. */
export function guessesOf({ guesses }: Survey): Guessed {
  const found = guesses.map((guess) => [probability(guess.after), probability(guess.before)]);
  const [after, before] = found.reduce((best, each) => (each[0] > best[0] ? each : best));
  return { before: whole(before), after: whole(after) };
}

/** Whether all answers are as easy to guess. */
export const guessedAlike = ({ guesses }: Survey): boolean =>
  new Set(guesses.map(({ before, after }) => `${before} ${after}`)).size === 1;

/** The same for all disguised answers at once; null where there is one, or it is not known. */
export function recordGuessesOf({ reading: { record } }: Survey): Guessed | null {
  if (!record) return null;
  return { before: whole(probability(record.before)), after: whole(probability(record.after)) };
}

/** Of 100 people, but never all where that is not so. */
export const whole = (share: number) => (share < 1 ? Math.min(Math.round(100 * share), 99) : 100);

const sum = (numbers: readonly number[]) => numbers.reduce((total, next) => total + next, 0);
