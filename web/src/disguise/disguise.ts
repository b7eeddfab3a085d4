/**
 * The disguise, on the respondent's own device: from true answers to the report that is sent.
 *
 * There are two steps, and only the first is random:
 *
 *     toss(devices)                   all coins and dice, thrown before any answer is looked at
 *     apply(record, devices, tosses)  what these throws make of the answers
 *
 * So the random bytes asked for cannot depend on the answers. Probabilities are exact fractions: a
 * throw is a whole number, all of them equally likely, by `crypto.getRandomValues`.
 *
 * What leaks: whoever sees the tosses and the report can undo the disguise. The page may keep the
 * tosses on the device, so that a second try gives the same report; they must never leave it. No
 * error repeats an answer.
 *
 * This folder needs no other, sends nothing and keeps nothing.
 */

import type { Random } from "./chances.ts";
import { type Attribute, channelNamed, type Device, type Toss, truthful } from "./devices.ts";
import { codesOf, isObject, quoted } from "./reading.ts";

/** A value for each attribute. */
export type Answers = Readonly<Record<string, string>>;

/** What design.yaml holds, probabilities as text: "0.7", "1/3", "5e-05". */
export interface Design {
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  readonly groups: readonly GroupOfDesign[];
}

export interface GroupOfDesign {
  readonly attributes: readonly string[];
  readonly channel: string;
  readonly [option: string]: unknown;
}

interface Group {
  readonly attributes: readonly Attribute[];
  readonly device: Device;
}

/** What `read` makes of a design: a device for each group, and a last one for public attributes. */
export interface Devices {
  readonly attributes: readonly Attribute[];
  readonly groups: readonly Group[];
}

/**
 * Disguises a record once, with fresh coins.
 *
 * `personal` holds the respondent's own answers to unrelated questions, if they were asked for
 * them; otherwise the device draws such answers.
 */
export function disguise(
  record: Answers,
  design: Design,
  random: Random = crypto,
  personal: Answers = {},
): Answers {
  const devices = read(design);
  return apply(record, devices, toss(devices, random), personal);
}

/** Throws every coin and die of a design: a toss for each group. */
export function toss(devices: Devices, random: Random = crypto): Toss[] {
  return devices.groups.map(({ device }) => device.toss(random));
}

/** Says what a record becomes under given tosses. */
export function apply(
  record: Answers,
  { attributes, groups }: Devices,
  tosses: readonly Toss[],
  personal: Answers = {},
): Answers {
  const answers = onlyKnown(attributes, record);
  const others = onlyKnown(attributes, personal);
  const unfit = () => new Error("These tosses do not belong to this design.");
  if (tosses.length !== groups.length || !tosses.every(isToss)) throw unfit();
  const report = new Map<string, string>();
  groups.forEach((group, place) => {
    const truth = codesOf(group.attributes, answers);
    const reported = group.device.apply(truth, tosses[place], ownAnswers(group, others));
    group.attributes.forEach(({ name, values }, index) => {
      const value = values[reported[index]];
      if (typeof value !== "string") throw unfit();
      report.set(name, value);
    });
  });
  return Object.fromEntries(attributes.map(({ name }) => [name, report.get(name) as string]));
}

/** Reads a design, and refuses one that it could misread. */
export function read(design: Design): Devices {
  if (!isObject(design?.attributes) || !Array.isArray(design.groups)) {
    throw new Error("A design has attributes and a list of groups.");
  }
  const attributes = Object.entries(design.attributes).map(readAttribute);
  const unused = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const groups = design.groups.map((group, index) => {
    try {
      return readGroup(group ?? {}, unused);
    } catch (error) {
      throw new Error(`Group ${index + 1}: ${(error as Error).message}`);
    }
  });
  const open = { attributes: [...unused.values()], device: truthful() };
  return { attributes, groups: [...groups, open] };
}

// --- Reading designs and answers -----------------------------------------------------------------

function readAttribute([name, values]: [string, readonly string[]]): Attribute {
  const listed = Array.isArray(values) && values.every((value) => typeof value === "string");
  if (!listed || values.length === 0 || new Set(values).size < values.length) {
    throw new Error(`${quoted(name)} must list its values, as text, each of them once.`);
  }
  return { name, values };
}

/** Reads a group, and takes its attributes out of the unused ones. */
function readGroup(
  { attributes: names, channel, ...options }: GroupOfDesign,
  unused: Map<string, Attribute>,
): Group {
  const [build, ...known] = channelNamed(channel);
  const odd = Object.keys(options).find((option) => !known.includes(option));
  if (odd !== undefined) throw new Error(`${channel} has no option ${quoted(odd)}.`);
  if (!Array.isArray(names) || names.length === 0) throw new Error("it lists no attributes.");
  const attributes = names.map((name) => {
    const attribute = unused.get(name);
    if (!attribute) throw new Error(`${quoted(name)} is unknown, or in a group already.`);
    unused.delete(name);
    return attribute;
  });
  const device = build(attributes, options);
  const works = typeof device?.toss === "function" && typeof device.apply === "function";
  if (!works) throw new Error(`the device of ${channel} cannot be tossed and applied.`);
  return { attributes, device };
}

function onlyKnown(attributes: readonly Attribute[], answers: Answers): Map<string, string> {
  const given = new Map(Object.entries(answers ?? {}));
  const names = attributes.map(({ name }) => name);
  const odd = [...given.keys()].find((name) => !names.includes(name));
  if (odd !== undefined) throw new Error(`The design has no attribute ${quoted(odd)}.`);
  return given;
}

/** The respondent's own personal answers for a group: all of them, or none. */
function ownAnswers({ attributes, device }: Group, others: Map<string, string>) {
  const given = attributes.find(({ name }) => others.has(name));
  if (given && device.personal) return codesOf(attributes, others);
  if (given) throw new Error(`There is no personal question beside ${quoted(given.name)}.`);
  if (!device.personal?.needed) return undefined;
  throw new Error(`The personal question beside ${quoted(attributes[0].name)} needs an answer.`);
}

const isToss = (toss: unknown) =>
  Array.isArray(toss) && toss.every((face) => Number.isInteger(face) && face >= 0);
