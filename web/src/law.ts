/**
 * The disguise in numbers that people can picture: how many of ten people like you send what, and
 * what a reader could infer from one report. Only for showing; the coins themselves are exact.
 */

import type { Design, GroupOfDesign } from "./disguise/disguise.ts";
import { fraction } from "./disguise/chances.ts";

/** A probability as a number, to be shown. */
export const probability = (text: unknown) => {
  const [top, bottom] = fraction(text);
  return Number(top) / Number(bottom);
};

/** The chance of each report given a truth: `law[truth][report]`, for one attribute of a group. */
export function lawOf(design: Design, group: GroupOfDesign, name: string): number[][] {
  const values = design.attributes[name];
  const mixed = (kept: number, others: readonly number[]) =>
    values.map((_, truth) =>
      others.map((other, report) => (report === truth ? kept : 0) + (1 - kept) * other),
    );
  const telling = (chance: (truth: string, has: boolean) => number) =>
    values.map((truth) => {
      const told = chance(truth, truth === group.sensitive);
      return values.map((report) => (report === group.sensitive ? told : 1 - told));
    });
  const each = (given: any) => values.map((value) => probability(given[value]));
  const theta = group.theta === undefined ? 1 : probability(group.theta);
  switch (group.channel) {
    case "related": {
      const other = (1 - theta) / (values.length - 1);
      return values.map((_, truth) => values.map((__, told) => (told === truth ? theta : other)));
    }
    case "unrelated":
      return mixed(theta, personalShares(group.personal, name, values));
    case "keep-or-uniform":
      return mixed(
        theta,
        values.map(() => 1 / values.length),
      );
    case "forced": {
      const shares = each(group.forced);
      const kept = 1 - sum(shares);
      return values.map((_, truth) => shares.map((s, told) => s + (told === truth ? kept : 0)));
    }
    case "matrix":
      return values.map((truth) => each((group.matrix as any)[truth]));
    case "kuk":
      return telling((truth) => probability((group.red as any)[truth]));
    case "crosswise":
      return telling((_, has) => (has ? theta : 1 - theta));
    case "mangat":
      return telling((_, has) => (has ? 1 : 1 - theta));
    case "triangular":
      return telling((_, has) => (has ? 1 : theta));
    default:
      return mixed(
        1,
        values.map(() => 0),
      );
  }
}

function personalShares(personal: any, name: string, values: readonly string[]): number[] {
  if (!Array.isArray(personal?.joint))
    return values.map((value) => probability(personal[name][value]));
  return values.map((value) =>
    sum(
      personal.joint
        .filter((row: Record<string, string>) => row[name] === value)
        .map((row: Record<string, string>) => probability(row.probability)),
    ),
  );
}

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

const sum = (numbers: readonly number[]) => numbers.reduce((total, next) => total + next, 0);
