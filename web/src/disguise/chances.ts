/** Exact chances: whole numbers, all equally likely, and probabilities as sides of one fair die. */

import { quoted } from "./reading.ts";

/** Where random bytes come from, such as `crypto`. */
export interface Random {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): unknown;
}

/** Throws a device once: the faces it shows. */
export type Throw = (random: Random) => number[];

/**
 * Draws a whole number from 0 to sides − 1, all equally likely.
 *
 * It takes the bits that the largest of them needs, and takes new ones while they say more. How
 * often that happens depends on the bits alone.
 */
export function below(sides: bigint, random: Random): bigint {
  if (sides === 1n) return 0n;
  const width = (sides - 1n).toString(2).length;
  const bytes = new Uint8Array(Math.ceil(width / 8));
  for (;;) {
    random.getRandomValues(bytes);
    const drawn = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
    const number = BigInt.asUintN(width, drawn);
    if (number < sides) return number;
  }
}

/** Reads a probability without rounding it, as numerator and denominator. */
export function fraction(text: unknown): [bigint, bigint] {
  const written = /^(\d+)(?:\/(\d+)|(?:\.(\d+))?(?:e-(\d{1,3}))?)$/;
  const found = typeof text === "string" && written.exec(text);
  if (!found) throw new Error(`${quoted(text)} is not a probability, such as "0.7" or "1/3".`);
  const [, whole, under = "1", decimals = "", shift = "0"] = found;
  const top = BigInt(whole + decimals);
  const bottom = BigInt(under) * 10n ** BigInt(decimals.length + Number(shift));
  if (bottom === 0n || top > bottom) throw new Error(`${quoted(text)} is not between 0 and 1.`);
  return [top, bottom];
}

const divisor = (a: bigint, b: bigint): bigint => (b ? divisor(b, a % b) : a);

/** Writes probabilities as sides of one fair die: "1/2" and "1/3" are 3 and 2 of 6. */
export function sharesOf(chances: readonly unknown[]): { sides: bigint; shares: bigint[] } {
  const fractions = chances.map(fraction);
  const sides = fractions.reduce((all, [, bottom]) => (all / divisor(all, bottom)) * bottom, 1n);
  return { sides, shares: fractions.map(([top, bottom]) => (top * sides) / bottom) };
}

/** One die with a face in each of several columns; `columns[c][face]` sides show that face. */
export function loadedDie(sides: bigint, columns: readonly bigint[][]): Throw {
  const ends = columns.map((shares) => {
    let end = 0n;
    const found = shares.map((share) => (end += share));
    if (end !== sides) throw new Error("its probabilities do not sum to 1.");
    return found;
  });
  return (random) => {
    const side = below(sides, random);
    return ends.map((column) => column.findIndex((end) => side < end));
  };
}

/** Dice that show 0 to size − 1, all equally likely. */
export const fairDice =
  (sizes: readonly number[]): Throw =>
  (random) =>
    sizes.map((size) => Number(below(BigInt(size), random)));

/** 1 with probability theta, else 0. */
export function coin(theta: unknown): (random: Random) => number {
  const { sides, shares } = sharesOf([theta]);
  return (random) => Number(below(sides, random) < shares[0]);
}
