/**
 * Disguising by hand: which coin or die a group needs, and which of its outcomes mean what.
 *
 * The page only says what to do; how the coin or die fell stays with the person who threw it.
 */

import { sharesOf } from "./disguise/chances.ts";
import { asksPersonal, questionsOf, type Survey } from "./survey.ts";

export type Tool = "coin" | "die" | "digit" | "dice" | "digits";

/** Something to throw, and the outcomes of each part, as short text: "1–4", "5, 6". */
export interface Tossing {
  readonly tool: Tool;
  readonly outcomes: readonly string[];
}

/** What a group asks of its respondents: the truth, or something else. */
export interface ByHand extends Tossing {
  /** What stands for each of the outcomes: the truth, or what else to do. */
  readonly parts: readonly Part[];
}

export type Part =
  | { readonly kind: "truth" }
  | { readonly kind: "opposite" }
  | { readonly kind: "personal" }
  | { readonly kind: "say"; readonly value: string };

/** How a group is disguised by hand; null where that would be too hard. */
export function byHand(survey: Survey, place: number): ByHand | null {
  const group = survey.design.groups[place];
  const values = (name: string) => survey.design.attributes[name];
  const questions = questionsOf(survey, place);
  const single = questions.every(({ several }) => !several);
  if (group.channel === "related" && group.attributes.every((name) => values(name).length === 2)) {
    return withTool([{ kind: "truth" }, { kind: "opposite" }], [group.theta, null]);
  }
  if (group.channel === "unrelated" && single && asksPersonal(survey, place)) {
    return withTool([{ kind: "truth" }, { kind: "personal" }], [group.theta, null]);
  }
  if (group.channel === "forced") {
    const forced = Object.entries(group.forced as Record<string, string>);
    const says = forced.map(([value]) => ({ kind: "say", value }) as const);
    return withTool([{ kind: "truth" }, ...says], [null, ...forced.map(([, chance]) => chance)]);
  }
  return null;
}

/** Finds the handiest thing to throw; the part without a chance of its own takes what is left. */
function withTool(parts: readonly Part[], chances: readonly unknown[]): ByHand | null {
  const { sides, shares } = sharesOf(chances.filter((chance) => chance !== null));
  const rest = shares.reduce((left, share) => left - share, sides);
  const given = shares[Symbol.iterator]();
  const counts = chances.map((chance) => (chance === null ? rest : (given.next().value as bigint)));
  const tool = TOOLS.find(([, faces]) => BigInt(faces) % reduced(sides, counts) === 0n);
  if (!tool || rest < 0n) return null;
  const [name, faces] = tool;
  const wanted = counts.map((count) => Number((count * BigInt(faces)) / sides));
  const there = parts.map((_, place) => place).filter((place) => wanted[place] > 0);
  return {
    tool: name,
    outcomes: outcomes(
      name,
      there.map((place) => wanted[place]),
    ),
    parts: there.map((place) => parts[place]),
  };
}

/** The fewest sides on which the same shares come out whole. */
function reduced(sides: bigint, counts: readonly bigint[]): bigint {
  const divisor = (a: bigint, b: bigint): bigint => (b ? divisor(b, a % b) : a);
  return sides / counts.reduce(divisor, sides);
}

const TOOLS: readonly (readonly [Tool, number])[] = [
  ["coin", 2],
  ["die", 6],
  ["digit", 10],
  ["dice", 36],
  ["digits", 100],
];

function outcomes(tool: Tool, counts: readonly number[]): string[] {
  if (tool === "coin") return counts.length === 1 ? ["heads, tails"] : ["heads", "tails"];
  if (tool === "dice") return sumsOfDice(counts).map(ranges);
  const first = tool === "die" ? 1 : 0;
  const width = tool === "digits" ? 2 : 1;
  let next = first;
  return counts.map((count) => {
    const [from, to] = [next, (next += count) - 1];
    return range(...([from, to].map((n) => String(n).padStart(width, "0")) as [string, string]));
  });
}

/**
 * Sums of two dice for each part. A sum comes up in 1 to 6 of 36 ways; the largest that still fits
 * is taken each time, so that what is left can always be made up of smaller ones.
 */
function sumsOfDice(counts: readonly number[]): number[][] {
  const ways = (sum: number) => 6 - Math.abs(7 - sum);
  let left = Array.from({ length: 11 }, (_, place) => place + 2);
  return counts.map((count, place) => {
    if (place === counts.length - 1) return left;
    const taken: number[] = [];
    let open = count;
    for (const sum of [...left].sort((one, other) => ways(other) - ways(one) || one - other)) {
      if (ways(sum) <= open) {
        taken.push(sum);
        open -= ways(sum);
      }
    }
    left = left.filter((sum) => !taken.includes(sum));
    return taken;
  });
}

const range = (from: string, to: string) => (from === to ? from : `${from}–${to}`);

/** Writes numbers as short as they go: 2, 5–7, 12. */
function ranges(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((one, other) => one - other);
  const runs: [number, number][] = [];
  for (const number of sorted) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => range(String(from), String(to))).join(", ");
}
