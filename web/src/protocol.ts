/**
 * What leaves the device: one body of fixed length, and a receipt that stays behind.
 *
 * The twin of `deniable.survey.protocol`; the tests compare their bytes.
 */

import type { Answers } from "./disguise/disguise.ts";
import { sha256 } from "./hash.ts";
import { type Arm, attributesOf, type DeviceName, type Survey } from "./survey.ts";

export interface Submission {
  readonly survey: string;
  readonly id: string;
  readonly token: string;
  readonly arm: Arm;
  readonly device: DeviceName;
  readonly understood: number;
  readonly report: string;
}

export const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
const BLOCK = 1024;

/** How long every body of a survey is, in bytes. */
export const sizeOf = (attributes: number) => BLOCK * Math.ceil((BLOCK + attributes) / BLOCK);

/** Writes a body: ASCII, keys in this order, padded to its size. */
export function encode(submission: Submission): string {
  const { survey, id, token, arm, device, understood, report } = submission;
  const written = (padding: string) =>
    JSON.stringify({ survey, id, token, arm, device, understood, report, padding });
  return written(".".repeat(sizeOf(report.length) - written("").length));
}

/** A report: one character per attribute, the place of the value among its values. */
export function writeReport(survey: Survey, report: Answers): string {
  const place = (name: string) => survey.design.attributes[name].indexOf(report[name]);
  return attributesOf(survey)
    .map((name) => DIGITS[place(name)])
    .join("");
}

// --- Receipts ------------------------------------------------------------------------------------

/** Crockford's base 32: nothing that is easily misread. */
const RECEIPT_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RECEIPT_BYTES = 10;

export const newReceipt = () => crypto.getRandomValues(new Uint8Array(RECEIPT_BYTES));

/** Writes a receipt in groups of four: K7QF-2M0P-X4TD-9RWB. */
export function writeReceipt(receipt: Uint8Array): string {
  const number = receipt.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const digits = Array.from({ length: (RECEIPT_BYTES * 8) / 5 }, (_, place) =>
    RECEIPT_DIGITS.charAt(Number((number >> BigInt(75 - 5 * place)) & 31n)),
  );
  return digits.join("").replace(/.{4}(?=.)/g, "$&-");
}

/** Reads a receipt as people copy it: in lower case, without hyphens, with an O for a zero. */
export function readReceipt(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = text.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  const codes = [...plain].map((digit) => RECEIPT_DIGITS.indexOf(digit));
  if (codes.length !== (RECEIPT_BYTES * 8) / 5 || codes.includes(-1)) return null;
  const number = codes.reduce((sum, code) => (sum << 5n) | BigInt(code), 0n);
  return Uint8Array.from({ length: RECEIPT_BYTES }, (_, place) =>
    Number((number >> BigInt(8 * (RECEIPT_BYTES - 1 - place))) & 255n),
  );
}

/** The public name of an answer. Who knows only this cannot delete the answer. */
export async function receiptId(receipt: Uint8Array<ArrayBuffer>): Promise<string> {
  const named = new Uint8Array([...new TextEncoder().encode("deniable receipt"), ...receipt]);
  return (await sha256(named)).slice(0, 32);
}
