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
 * This file needs no other, sends nothing and keeps nothing.
 *
 * @typedef {Record<string, string>} Answers  a value for each attribute
 *
 * @typedef {object} Design  what design.yaml holds, probabilities as text: "0.7", "1/3", "5e-05"
 * @property {Record<string, string[]>} attributes  the values of each
 * @property {Array<{attributes: string[], channel: string, [option: string]: unknown}>} groups
 *
 * @typedef {{getRandomValues(bytes: Uint8Array): unknown}} Random  such as `crypto`
 * @typedef {number[]} Toss  how the coins and dice of one group fell
 *
 * @typedef {object} Device  what happens to a group, in codes: a value's place in its attribute
 * @property {(random: Random) => Toss} toss
 * @property {(truth: number[], toss: Toss, own?: number[]) => number[]} apply
 * @property {"welcome" | "needed"} [personal]  answers that the respondent may, or must, bring
 *
 * @typedef {{name: string, values: string[]}} Attribute
 * @typedef {{attributes: Attribute[], device: Device}} Group
 * @typedef {{attributes: Attribute[], groups: Group[]}} Devices  what `read` makes of a design
 */

/**
 * Disguises a record once, with fresh coins.
 *
 * @param {Answers} record  a true answer for every attribute of the design
 * @param {Design} design
 * @param {Random} random
 * @param {Answers} personal  the respondent's own answers to unrelated questions, if they were
 *   asked for them; otherwise the device draws such answers
 * @returns {Answers} the report
 */
export function disguise(record, design, random = crypto, personal = {}) {
  const devices = read(design);
  return apply(record, devices, toss(devices, random), personal);
}

/**
 * Throws every coin and die of a design.
 *
 * @param {Devices} devices
 * @param {Random} random
 * @returns {Toss[]} one for each group
 */
export function toss(devices, random = crypto) {
  return devices.groups.map(({ device }) => device.toss(random));
}

/**
 * Says what a record becomes under given tosses.
 *
 * @param {Answers} record
 * @param {Devices} devices
 * @param {Toss[]} tosses
 * @param {Answers} personal
 * @returns {Answers} the report
 */
export function apply(record, { attributes, groups }, tosses, personal = {}) {
  const answers = onlyKnown(attributes, record);
  const others = onlyKnown(attributes, personal);
  const unfit = () => new Error("These tosses do not belong to this design.");
  if (tosses.length !== groups.length || !tosses.every(isToss)) throw unfit();
  const report = new Map();
  groups.forEach((group, place) => {
    const truth = codes(group.attributes, answers);
    const reported = group.device.apply(truth, tosses[place], ownAnswers(group, others));
    group.attributes.forEach(({ name, values }, index) => {
      const value = values[reported[index]];
      if (typeof value !== "string") throw unfit();
      report.set(name, value);
    });
  });
  return Object.fromEntries(attributes.map(({ name }) => [name, report.get(name)]));
}

/**
 * Reads a design, and refuses one that it could misread.
 *
 * @param {Design} design
 * @returns {Devices} one for each group, and a last one for public attributes: told as they are
 */
export function read(design) {
  if (!isObject(design?.attributes) || !Array.isArray(design.groups)) {
    throw new Error("A design has attributes and a list of groups.");
  }
  const attributes = Object.entries(design.attributes).map(readAttribute);
  const unused = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const groups = design.groups.map((group, index) => {
    try {
      return readGroup(group ?? {}, unused);
    } catch (error) {
      throw new Error(`Group ${index + 1}: ${error.message}`);
    }
  });
  const open = { attributes: [...unused.values()], device: truthful() };
  return { attributes, groups: [...groups, open] };
}

// --- Exact chances -------------------------------------------------------------------------------

/**
 * Draws a whole number from 0 to sides − 1, all equally likely.
 *
 * It takes the bits that the largest of them needs, and takes new ones while they say more. How
 * often that happens depends on the bits alone.
 */
function below(sides, random) {
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
function fraction(text) {
  const written = /^(\d+)(?:\/(\d+)|(?:\.(\d+))?(?:e-(\d{1,3}))?)$/;
  const found = typeof text === "string" && written.exec(text);
  if (!found) throw new Error(`${quoted(text)} is not a probability, such as "0.7" or "1/3".`);
  const [, whole, under = "1", decimals = "", shift = "0"] = found;
  const top = BigInt(whole + decimals);
  const bottom = BigInt(under) * 10n ** BigInt(decimals.length + Number(shift));
  if (bottom === 0n || top > bottom) throw new Error(`${quoted(text)} is not between 0 and 1.`);
  return [top, bottom];
}

/** Writes probabilities as sides of one fair die: "1/2" and "1/3" are 3 and 2 of 6. */
function sharesOf(chances) {
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const fractions = chances.map(fraction);
  const sides = fractions.reduce((all, [, bottom]) => (all / divisor(all, bottom)) * bottom, 1n);
  return { sides, shares: fractions.map(([top, bottom]) => (top * sides) / bottom) };
}

/** One die with a face in each of several columns; `columns[c][face]` sides show that face. */
function loadedDie(sides, columns) {
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
const fairDice = (sizes) => (random) => sizes.map((size) => Number(below(BigInt(size), random)));

/** 1 with probability theta, else 0. */
function coin(theta) {
  const { sides, shares } = sharesOf([theta]);
  return (random) => Number(below(sides, random) < shares[0]);
}

// --- A device for each channel -------------------------------------------------------------------

const truthful = () => ({ toss: () => [], apply: (truth) => truth });

/** One coin for all: told as they are, or each moved on among its values, never back to itself. */
function related(attributes, { theta }) {
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
function replacing(theta, others) {
  const honest = coin(theta);
  return {
    toss: (random) => [honest(random), ...others(random)],
    apply: (truth, [kept, ...thrown], own = thrown) => (kept ? truth : own),
  };
}

const keepOrUniform = (attributes, { theta }) => replacing(theta, fairDice(sizesOf(attributes)));

function unrelated(attributes, { theta, personal }) {
  if (personal === "unknown") return { ...replacing(theta, () => []), personal: "needed" };
  return { ...replacing(theta, personalDice(attributes, personal)), personal: "welcome" };
}

function personalDice(attributes, personal) {
  const rows = personal?.joint;
  if (!Array.isArray(rows)) {
    const dice = attributes.map((attribute) => {
      const { sides, shares } = sharesOf(chances(attribute, personal?.[attribute.name]));
      return loadedDie(sides, [shares]);
    });
    return (random) => dice.flatMap((die) => die(random));
  }
  const cells = rows.map((row) => codes(attributes, new Map(Object.entries(row))));
  const { sides, shares } = sharesOf(rows.map(({ probability }) => probability));
  const die = loadedDie(sides, [shares]);
  return (random) => cells[die(random)[0]];
}

/** One die for all truths: each side of it names a report for every truth. */
const tabled = (sides, columns) => ({
  toss: loadedDie(sides, columns),
  apply: ([truth], reports) => [reports[truth]],
});

function matrix(attribute, options) {
  const size = attribute.values.length;
  const columns = attribute.values.map((truth) => chances(attribute, options.matrix?.[truth]));
  const { sides, shares } = sharesOf(columns.flat());
  return tabled(sides, columns.map((_, truth) => shares.slice(truth * size, (truth + 1) * size)));
}

/** Some sides dictate a report; the others ask for the truth. */
function forced(attribute, options) {
  const { sides, shares } = sharesOf(chances(attribute, options.forced));
  const free = shares.reduce((rest, share) => rest - share, sides);
  if (free < 0n) throw new Error("its probabilities sum to more than 1.");
  const column = (_, truth) => shares.map((share, told) => share + (told === truth ? free : 0n));
  return tabled(sides, shares.map(column));
}

/**
 * A device for two values; the report that is recorded as the sensitive value is the telling one.
 *
 * @param {(has: boolean, share: bigint, sides: bigint) => bigint} telling  on how many sides of the
 *   die it stands, for those who have the sensitive trait and for the others
 */
const yesNo = (telling) => (attribute, { theta, red, sensitive }) => {
  const { name, values } = attribute;
  const trait = values.indexOf(sensitive);
  if (values.length !== 2) throw new Error(`${quoted(name)} must have two values.`);
  if (trait < 0) throw new Error(`${quoted(sensitive)} is not a value of ${quoted(name)}.`);
  const { sides, shares } = sharesOf(red ? chances(attribute, red) : [theta, theta]);
  const column = (share, truth) => {
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

const alone = (device) => (attributes, options) => {
  if (attributes.length > 1) throw new Error("its channel is for one attribute.");
  return device(attributes[0], options);
};

/** Each channel's device, and the options that it reads. */
const CHANNELS = {
  truthful: [truthful],
  related: [related, "theta"],
  unrelated: [unrelated, "theta", "personal"],
  "keep-or-uniform": [keepOrUniform, "theta"],
  forced: [alone(forced), "forced"],
  mangat: [alone(mangat), "theta", "sensitive"],
  kuk: [alone(kuk), "red", "sensitive"],
  crosswise: [alone(crosswise), "theta", "sensitive"],
  triangular: [alone(triangular), "theta", "sensitive"],
  matrix: [alone(matrix), "matrix"],
};

// --- Reading designs and answers -----------------------------------------------------------------

function readAttribute([name, values]) {
  const listed = Array.isArray(values) && values.every((value) => typeof value === "string");
  if (!listed || values.length === 0 || new Set(values).size < values.length) {
    throw new Error(`${quoted(name)} must list its values, as text, each of them once.`);
  }
  return { name, values };
}

/** Reads a group, and takes its attributes out of the unused ones. */
function readGroup({ attributes: names, channel, ...options }, unused) {
  if (!Object.hasOwn(CHANNELS, channel)) throw new Error(`there is no channel ${quoted(channel)}.`);
  const [device, ...known] = CHANNELS[channel];
  const odd = Object.keys(options).find((option) => !known.includes(option));
  if (odd !== undefined) throw new Error(`${channel} has no option ${quoted(odd)}.`);
  if (!Array.isArray(names) || names.length === 0) throw new Error("it lists no attributes.");
  const attributes = names.map((name) => {
    const attribute = unused.get(name);
    if (!unused.delete(name)) throw new Error(`${quoted(name)} is unknown, or in a group already.`);
    return attribute;
  });
  return { attributes, device: device(attributes, options) };
}

/** The probabilities of an attribute's values, in their order. */
function chances({ name, values }, given) {
  if (!isObject(given) || Object.keys(given).length !== values.length) {
    throw new Error(`each value of ${quoted(name)} needs a probability.`);
  }
  return values.map((value) => given[value]);
}

function onlyKnown(attributes, answers) {
  const given = new Map(Object.entries(answers ?? {}));
  const names = attributes.map(({ name }) => name);
  const odd = [...given.keys()].find((name) => !names.includes(name));
  if (odd !== undefined) throw new Error(`The design has no attribute ${quoted(odd)}.`);
  return given;
}

function codes(attributes, answers) {
  return attributes.map(({ name, values }) => {
    if (!answers.has(name)) throw new Error(`There is no answer for ${quoted(name)}.`);
    const code = values.indexOf(answers.get(name));
    if (code >= 0) return code;
    throw new Error(`The answer for ${quoted(name)} is none of ${values.map(quoted).join(", ")}.`);
  });
}

/** The respondent's own personal answers for a group: all of them, or none. */
function ownAnswers({ attributes, device }, others) {
  const given = attributes.find(({ name }) => others.has(name));
  if (given && device.personal) return codes(attributes, others);
  if (given) throw new Error(`There is no personal question beside ${quoted(given.name)}.`);
  if (device.personal !== "needed") return undefined;
  throw new Error(`The personal question beside ${quoted(attributes[0].name)} needs an answer.`);
}

const sizesOf = (attributes) => attributes.map(({ values }) => values.length);

const isToss = (toss) =>
  Array.isArray(toss) && toss.every((face) => Number.isInteger(face) && face >= 0);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const quoted = (text) => JSON.stringify(text);
