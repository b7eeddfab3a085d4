/**
 * Runs the respondent's page's module, the very file that is shipped, for tests in Python: each line
 * of standard input is a task in JSON, each line of standard output its result. See node.py.
 */

import { createCipheriv, createHash, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

globalThis.crypto ??= webcrypto; // Node 18 has it under this name only

// As text: browsers take the file for a module, and Node takes a .js file for a script.
const text = readFileSync(process.argv[2], "base64");
const shipped = await import(`data:text/javascript;base64,${text}`);
const { apply, disguise, read, toss } = shipped;

// --- Randomness ----------------------------------------------------------------------------------

/** Bytes that are the same for the same seed: the key stream of AES in counter mode. */
function seeded(seed) {
  const key = createHash("sha256").update(String(seed)).digest();
  const cipher = createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
  const zeros = Buffer.alloc(1 << 16);
  let [block, used] = [zeros, zeros.length];
  return {
    getRandomValues(bytes) {
      if (used + bytes.length > block.length) [block, used] = [cipher.update(zeros), 0];
      for (let i = 0; i < bytes.length; i += 1) bytes[i] = block[used + i];
      used += bytes.length;
    },
  };
}

/** What toss() takes: the bytes of a seed or, without one, its own default. */
const randomness = (seed) => (seed === null ? undefined : seeded(seed));

/** Hands out the bytes written, and notes how many were asked for each time. */
function scripted(bytes) {
  const asked = [];
  let used = 0;
  const getRandomValues = (wanted) => {
    asked.push(wanted.length);
    if (used + wanted.length > bytes.length) throw new Error("the script is too short");
    wanted.set(bytes.slice(used, (used += wanted.length)));
  };
  return { asked, getRandomValues };
}

// --- Tasks ---------------------------------------------------------------------------------------

/** Numbers the joint patterns of some attributes, the last of them varying fastest. */
function numbering({ attributes }, over) {
  const codes = over.map((name) => new Map(attributes[name].map((value, code) => [value, code])));
  const size = codes.reduce((product, values) => product * values.size, 1);
  const number = (report) =>
    over.reduce((sum, name, place) => sum * codes[place].size + codes[place].get(report[name]), 0);
  return { size, number };
}

const tasks = {
  /** How often each record became each pattern, in n disguises of it. */
  counts({ design, records, personal, over, n, seed }) {
    const [devices, random] = [read(design), randomness(seed)];
    const { size, number } = numbering(design, over);
    return records.map((record) => {
      const counts = Array(size).fill(0);
      for (let i = 0; i < n; i += 1) {
        counts[number(apply(record, devices, toss(devices, random), personal))] += 1;
      }
      return counts;
    });
  },

  /** One disguise of each record by each script: the report, or the error, and the bytes asked. */
  reports({ design, records, personal, scripts }) {
    const once = (record, script) => {
      const random = scripted(script);
      try {
        return { report: disguise(record, design, random, personal), asked: random.asked };
      } catch (error) {
        return { error: String(error), asked: random.asked };
      }
    };
    return records.map((record) => scripts.map((script) => once(record, script)));
  },

  /** Tosses, as a page may keep them. */
  tosses({ design, seed }) {
    return toss(read(design), randomness(seed));
  },

  /** What kept tosses make of each record. */
  applied({ design, records, tosses, personal }) {
    return records.map((record) => {
      try {
        return apply(record, read(design), tosses, personal);
      } catch (error) {
        return String(error);
      }
    });
  },
};

/** What else the page does with a survey: each is called with the arguments given. */
for (const name of [
  "bitOf",
  "byHand",
  "channelNames",
  "encode",
  "guessesOf",
  "lawOf",
  "practiceSurvey",
  "readReceipt",
  "receiptId",
  "writeReceipt",
]) {
  tasks[name] = ({ given }) => shipped[name](...given.map(asBytes));
}

/** What a message becomes, by a salt and a number, or by those that a script or chance draws. */
tasks.blinded = async ({ jwk, bits, prepared, salt, r, script }) => {
  const [key, random] = [shipped.publicKey(jwk, bits), script && scripted(fromHex(script))];
  const found = r
    ? await shipped.blindBy(key, fromHex(prepared), fromHex(salt), fromHex(r))
    : await shipped.blind(key, fromHex(prepared), random);
  return { blinded: toHex(found.blinded), inverse: toHex(found.inverse), asked: random?.asked };
};

/** What is left when the blinding is taken off, or the error. */
tasks.finalized = async ({ jwk, bits, prepared, signed, inverse, salt }) => {
  try {
    const key = shipped.publicKey(jwk, bits);
    const given = [prepared, signed, inverse].map(fromHex);
    return toHex(await shipped.finalize(key, ...given, salt));
  } catch (error) {
    return String(error);
  }
};

tasks.prepared = ({ message }) => toHex(shipped.prepare(fromHex(message)));

/** Whether a key is one that the page takes. */
tasks.takes = ({ jwk }) => {
  try {
    return !!shipped.publicKey(jwk);
  } catch {
    return false;
  }
};

const fromHex = (text) => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (bytes) => Buffer.from(bytes).toString("hex");

/** The picture of a group in words: a row of people each. */
tasks.rowsOf = ({ given: [survey, group], language }) => {
  const page = { texts: shipped.textsFor(language), say: (text) => text[language] };
  return shipped.rowsOf(page, survey, group);
};

/** Bytes travel as hexadecimal text. */
const asBytes = (value) =>
  typeof value?.bytes === "string" ? new Uint8Array(Buffer.from(value.bytes, "hex")) : value;

const asText = (value) =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("hex") } : value;

const done = async (line) => {
  const { task, ...given } = JSON.parse(line);
  try {
    return { result: asText(await tasks[task](given)) };
  } catch (error) {
    return { failure: error.stack };
  }
};

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await done(line))}\n`);
}
