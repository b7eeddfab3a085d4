/**
 * Blind signatures, the respondent's half (RFC 9474): blind a message, and take the blinding off
 * what was signed. Names are those of the RFC, and of RFC 8017 for the encoding.
 *
 * Hashing and the check of the signature are the browser's own (WebCrypto). What it has no function
 * for is one product and one inverse modulo the key, in whole numbers of any length (BigInt). Their
 * time depends on the numbers, and may do so here: the only secret is the blinding number, which is
 * drawn for one message, used once and forgotten, so there is nothing to average over; and the
 * server, which alone could put it to use, sees the time of a whole visit, with a person in it.
 */

import { fromBase64, toBase64 } from "./base64.ts";
import { below, type Random } from "./disguise/chances.ts";

/** A public key as a JSON Web Key. */
export interface Key {
  readonly kty: string;
  readonly alg: string;
  readonly n: string;
  readonly e: string;
}

/** A key that was read: its modulus, and how many bytes that has. */
export interface PublicKey {
  readonly n: bigint;
  readonly size: number;
  readonly jwk: Key;
}

/** What a message became, and what takes the blinding off its signature. */
export interface Blinded {
  readonly blinded: Uint8Array<ArrayBuffer>;
  readonly inverse: Uint8Array<ArrayBuffer>;
}

type Bytes = Uint8Array<ArrayBuffer>;

const KEY_BITS = 3072;
const EXPONENT = "AQAB"; // 65537
const HASH = "SHA-384";
const HASH_BYTES = 48;
export const PREFIX_BYTES = 32;
export const SALT_BYTES = 48;

/** Reads a survey's key, and refuses one of another kind or size. */
export function publicKey(jwk: Key, bits = KEY_BITS): PublicKey {
  const { kty, alg, e } = jwk;
  const modulus = fromBase64(jwk.n);
  const n = fromBytes(modulus);
  const whole = modulus.length === bits / 8 && toBase64(modulus) === jwk.n; // its one spelling
  const fits = whole && n >> BigInt(bits - 1) === 1n && n % 2n === 1n;
  if (kty !== "RSA" || alg !== "PS384" || e !== EXPONENT || !fits) {
    throw new Error("The survey's key is not one that signs invitations.");
  }
  return { n, size: modulus.length, jwk };
}

/** Puts random bytes before a message (4.1). */
export function prepare(message: Bytes, random: Random = crypto): Bytes {
  return joined(drawn(PREFIX_BYTES, random), message);
}

/** Blinds a prepared message (4.2), by a salt and a number that are drawn for it. */
export async function blind(
  key: PublicKey,
  prepared: Bytes,
  random: Random = crypto,
): Promise<Blinded> {
  const salt = drawn(SALT_BYTES, random);
  for (;;) {
    const r = 1n + below(key.n - 1n, random);
    if (inverseOf(r, key.n) !== null) return blindBy(key, prepared, salt, toBytes(r, key.size));
  }
}

/** Blinds a prepared message by a given salt and a given number. */
export async function blindBy(
  { n, size }: PublicKey,
  prepared: Bytes,
  salt: Bytes,
  number: Bytes,
): Promise<Blinded> {
  const r = fromBytes(number);
  const inverse = inverseOf(r, n);
  const m = fromBytes(await encodePss(prepared, n.toString(2).length - 1, salt));
  if (inverse === null || inverseOf(m, n) === null) throw new Error("This cannot be blinded.");
  return { blinded: toBytes((m * raised(r, n)) % n, size), inverse: toBytes(inverse, size) };
}

/** Takes the blinding off, and refuses a signature that is not the key's (4.4). */
export async function finalize(
  { n, size, jwk }: PublicKey,
  prepared: Bytes,
  signed: Bytes,
  inverse: Bytes,
  saltLength = SALT_BYTES,
): Promise<Bytes> {
  const signature = toBytes((fromBytes(signed) * fromBytes(inverse)) % n, size);
  const algorithm = { name: "RSA-PSS", hash: HASH };
  const key = await crypto.subtle.importKey("jwk", { ...jwk }, algorithm, false, ["verify"]);
  const whose = { name: "RSA-PSS", saltLength };
  const right = await crypto.subtle.verify(whose, key, signature, prepared);
  if (signed.length !== size || !right) throw new Error("The signature does not fit the key.");
  return signature;
}

/** EMSA-PSS-ENCODE (RFC 8017, 9.1.1); `bits` is one less than the key has. */
async function encodePss(message: Bytes, bits: number, salt: Bytes): Promise<Bytes> {
  const length = Math.ceil(bits / 8);
  const h = await hashed(joined(new Uint8Array(8), await hashed(message), salt));
  const padding = new Uint8Array(length - salt.length - HASH_BYTES - 2);
  const db = joined(padding, new Uint8Array([1]), salt);
  const mask = await mgf1(h, db.length);
  const masked = db.map((byte, place) => byte ^ mask[place]);
  masked[0] &= 255 >> (8 * length - bits);
  return joined(masked, h, new Uint8Array([0xbc]));
}

/** The mask generation function (RFC 8017, B.2.1). */
async function mgf1(seed: Bytes, length: number): Promise<Bytes> {
  const blocks = [];
  for (let i = 0; i < Math.ceil(length / HASH_BYTES); i += 1) {
    const counter = new Uint8Array([i >>> 24, i >>> 16, i >>> 8, i]);
    blocks.push(await hashed(joined(seed, counter)));
  }
  return joined(...blocks).slice(0, length);
}

const hashed = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest(HASH, bytes));

/** r to the power of 65537: squared sixteen times, and once more times r. */
function raised(r: bigint, n: bigint): bigint {
  let power = r;
  for (let i = 0; i < 16; i += 1) power = (power * power) % n;
  return (power * r) % n;
}

/** What a number must be multiplied by to give 1 (Euclid); null where there is no such thing. */
function inverseOf(number: bigint, n: bigint): bigint | null {
  let [rest, next] = [n, number % n];
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const times = rest / next;
    [rest, next] = [next, rest - times * next];
    [factor, nextFactor] = [nextFactor, factor - times * nextFactor];
  }
  if (rest !== 1n) return null;
  return factor < 0n ? factor + n : factor;
}

const drawn = (length: number, random: Random): Bytes => {
  const bytes = new Uint8Array(length);
  random.getRandomValues(bytes);
  return bytes;
};

function fromBytes(bytes: Uint8Array): bigint {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  return BigInt(`0x0${digits.join("")}`);
}

function toBytes(number: bigint, length: number): Bytes {
  const digits = number.toString(16).padStart(2 * length, "0");
  return Uint8Array.from({ length }, (_, place) =>
    Number.parseInt(digits.slice(2 * place, 2 * place + 2), 16),
  );
}

function joined(...parts: Bytes[]): Bytes {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}
