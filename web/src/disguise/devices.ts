/**
 * A device for each channel: what happens to a group's answers, in codes.
 *
 * Other packages' entries (see web/build.mjs) import from here, under the name "deniable".
 */

import { coin, fairDice, loadedDie, type Random, sharesOf, type Throw } from "./chances.ts";
import { chancesOf, codesOf, quoted } from "./reading.ts";

export { chancesOf, coin, fairDice, loadedDie, quoted, sharesOf };
export { fraction } from "./chances.ts";
export type { Random, Throw };

export interface Attribute {
  readonly name: string;
  readonly values: readonly string[];
}

/** How the coins and dice of one group fell. */
export type Toss = readonly number[];

/** Codes of values: their places in their attributes. */
type Codes = readonly number[];

export interface Device {
  toss(random: Random): number[];
  apply(truth: Codes, toss: Toss, own?: Codes): Codes;
  /** A personal question beside the private one: must its answer be given, and was it not taken? */
  readonly personal?: { readonly needed: boolean; readonly kept: (toss: Toss) => boolean };
}

export type Options = Readonly<Record<string, any>>;

export const truthful = (): Device => ({ toss: () => [], apply: (truth) => truth });

/** One coin for all: told as they are, or each moved on among its values, never back to itself. */
function related(attributes: readonly Attribute[], { theta }: Options): Device {
  const sizes = sizesOf(attributes);
  if (sizes.includes(1)) throw new Error("an attribute with a single value has no other one.");
  const honest = coin(theta);
  const dice = fairDice(sizes.map((size) => size - 1));
  return {
    toss(random) {
      const turned = 1 - honest(random);
      return dice(random).map((move) => turned * (1 + move)); // thrown even if not needed
    },
    apply: (truth, moved) => truth.map((code, index) => (code + moved[index]) % sizes[index]),
  };
}

/** One coin for all: the private answers, or others, which are thrown even if not needed. */
function replacing(theta: unknown, others: Throw): Device {
  const honest = coin(theta);
  return {
    toss: (random) => [honest(random), ...others(random)],
    apply: (truth, [kept, ...thrown], own = thrown) => (kept ? truth : own),
  };
}

const keepOrUniform = (attributes: readonly Attribute[], { theta }: Options) =>
  replacing(theta, fairDice(sizesOf(attributes)));

function unrelated(attributes: readonly Attribute[], { theta, personal }: Options): Device {
  const needed = personal === "unknown";
  const drawn = needed ? () => [] : personalDice(attributes, personal);
  return { ...replacing(theta, drawn), personal: { needed, kept: ([kept]) => kept === 1 } };
}

function personalDice(attributes: readonly Attribute[], personal: any): Throw {
  const rows = personal?.joint;
  if (!Array.isArray(rows)) {
    const dice = attributes.map((attribute) => {
      const { sides, shares } = sharesOf(chancesOf(attribute, personal?.[attribute.name]));
      return loadedDie(sides, [shares]);
    });
    return (random) => dice.flatMap((die) => die(random));
  }
  const cells = rows.map((row) => codesOf(attributes, new Map(Object.entries(row))));
  const { sides, shares } = sharesOf(rows.map(({ probability }) => probability));
  const die = loadedDie(sides, [shares]);
  return (random) => cells[die(random)[0]];
}

/** One die for all truths: each side of it names a report for every truth. */
export const tabled = (sides: bigint, columns: readonly bigint[][]): Device => ({
  toss: loadedDie(sides, columns),
  apply: ([truth], reports) => [reports[truth]],
});

function matrix(attribute: Attribute, options: Options): Device {
  const size = attribute.values.length;
  const columns = attribute.values.map((truth) => chancesOf(attribute, options.matrix?.[truth]));
  const { sides, shares } = sharesOf(columns.flat());
  return tabled(
    sides,
    columns.map((_, truth) => shares.slice(truth * size, (truth + 1) * size)),
  );
}

/** Some sides dictate a report; the others ask for the truth. */
function forced(attribute: Attribute, options: Options): Device {
  const { sides, shares } = sharesOf(chancesOf(attribute, options.forced));
  const free = shares.reduce((rest, share) => rest - share, sides);
  if (free < 0n) throw new Error("its probabilities sum to more than 1.");
  const column = (_: bigint, truth: number) =>
    shares.map((share, told) => share + (told === truth ? free : 0n));
  return tabled(sides, shares.map(column));
}

/**
 * A device for two values; the report that is recorded as the sensitive value is the telling one.
 * `telling` says on how many sides of the die it stands, for those who have the sensitive trait and
 * for the others.
 */
const yesNo =
  (telling: (has: boolean, share: bigint, sides: bigint) => bigint) =>
  (attribute: Attribute, { theta, red, sensitive }: Options): Device => {
    const { name, values } = attribute;
    const trait = values.indexOf(sensitive);
    if (values.length !== 2) throw new Error(`${quoted(name)} must have two values.`);
    if (trait < 0) throw new Error(`${quoted(sensitive)} is not a value of ${quoted(name)}.`);
    const { sides, shares } = sharesOf(red ? chancesOf(attribute, red) : [theta, theta]);
    const column = (share: bigint, truth: number) => {
      const told = telling(truth === trait, share, sides);
      return trait === 0 ? [told, sides - told] : [sides - told, told];
    };
    return tabled(sides, shares.map(column));
  };

/** Those with the trait say so; so do the others, but for a share theta of them. */
const mangat = yesNo((has, theta, sides) => (has ? sides : sides - theta));

/** Theta have a harmless trait; telling: "I have both traits, or neither". */
const crosswise = yesNo((has, theta, sides) => (has ? theta : sides - theta));

/** Theta have a harmless trait; telling: "I have at least one of the traits". */
const triangular = yesNo((has, theta, sides) => (has ? sides : theta));

/** A card from the deck of one's truth; telling: it is red. */
const kuk = yesNo((_, red) => red);

export type Build = (attributes: readonly Attribute[], options: Options) => Device;

export const alone =
  (device: (attribute: Attribute, options: Options) => Device): Build =>
  (attributes, options) => {
    if (attributes.length > 1) throw new Error("its channel is for one attribute.");
    return device(attributes[0], options);
  };

const sizesOf = (attributes: readonly Attribute[]) => attributes.map(({ values }) => values.length);

/** Each channel's device, and the options that it reads. */
const CHANNELS = new Map<string, readonly [Build, ...string[]]>([
  ["truthful", [truthful]],
  ["related", [related, "theta"]],
  ["unrelated", [unrelated, "theta", "personal"]],
  ["keep-or-uniform", [keepOrUniform, "theta"]],
  ["forced", [alone(forced), "forced"]],
  ["mangat", [alone(mangat), "theta", "sensitive"]],
  ["kuk", [alone(kuk), "red", "sensitive"]],
  ["crosswise", [alone(crosswise), "theta", "sensitive"]],
  ["triangular", [alone(triangular), "theta", "sensitive"]],
  ["matrix", [alone(matrix), "matrix"]],
]);

/** Adds a channel of another package: its device, and the options that it reads. */
export function addChannel(name: string, build: Build, ...options: string[]): void {
  if (CHANNELS.has(name)) throw new Error(`There is a channel ${quoted(name)} already.`);
  if (typeof build !== "function") throw new Error(`The channel ${quoted(name)} has no device.`);
  CHANNELS.set(name, [build, ...options]);
}

/** The device of a channel and the names of its options; there is none for an unknown one. */
export function channelNamed(name: string): readonly [Build, ...string[]] {
  const found = CHANNELS.get(name);
  if (found) return found;
  throw new Error(`there is no channel ${quoted(name)}.`);
}

export const channelNames = (): string[] => [...CHANNELS.keys()];
