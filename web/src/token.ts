/**
 * One invitation, one answer, and no link between them (RFC 9474).
 *
 * The server signs a number that this page has blinded; the page takes the blinding off, and the
 * server, when it sees the signed number again, cannot say for which invitation it had signed it.
 */

import { fromBase64, toBase64 } from "./base64.ts";
import { blind, finalize, type Key, prepare, publicKey } from "./blinding.ts";
import type { Keeper } from "./keeping.ts";
import { sha256 } from "./hash.ts";
import type { Survey } from "./survey.ts";

/** What the fragment of an invitation's link holds; browsers do not send it to servers. */
export interface Invitation {
  readonly code: string;
  /** The hash of the survey's key and of what is asked. */
  readonly print: string;
}

interface Blinding {
  readonly prepared: string;
  readonly inverse: string;
  readonly blinded: string;
}

const MESSAGE_BYTES = 16;

/** Reads `#i=CODE&k=PRINT`. */
export function readInvitation(fragment: string): Invitation | null {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const [code, print] = [parts.get("i"), parts.get("k")];
  const whole = code && print && /^[a-z2-7]{26}$/.test(code) && /^[0-9a-f]{64}$/.test(print);
  return whole ? { code, print } : null;
}

/**
 * Whether the server shows the invitation's key and survey. A key, a question or only a blank of
 * one's own would mark whoever is given it.
 */
export async function isNamedBy({ print }: Invitation, { key, asked }: Survey): Promise<boolean> {
  try {
    if (!key || !publicKey(key)) return false;
  } catch {
    return false; // a key of another kind
  }
  const named = new Uint8Array([...fromBase64(key.n), ...new TextEncoder().encode(asked)]);
  return (await sha256(named)) === print;
}

/**
 * Gets the token that an answer is sent with. What is asked for is kept until it is there, so that
 * a second try asks for the same.
 */
export function keptToken(
  { code }: Invitation,
  key: Key,
  keeper: Keeper,
  ask: (body: string) => Promise<unknown>,
): Promise<string> {
  return keeper.alone("token", async () => {
    const kept = keeper.get<string>("token");
    if (kept) return kept;
    const signer = publicKey(key);
    let blinding = keeper.get<Blinding>("blinding");
    if (!blinding) {
      const message = crypto.getRandomValues(new Uint8Array(MESSAGE_BYTES));
      const prepared = prepare(message);
      const { blinded, inverse } = await blind(signer, prepared);
      blinding = {
        prepared: toBase64(prepared),
        inverse: toBase64(inverse),
        blinded: toBase64(blinded),
      };
      keeper.set("blinding", blinding);
    }
    const { blinded } = blinding;
    const answer = (await ask(JSON.stringify({ invitation: code, blinded }))) as {
      signature: string;
    };
    const [prepared, inverse] = [fromBase64(blinding.prepared), fromBase64(blinding.inverse)];
    const signed = fromBase64(answer.signature);
    const signature = await finalize(signer, prepared, signed, inverse); // verifies it
    const token = toBase64(new Uint8Array([...prepared, ...signature]));
    keeper.set("token", token);
    keeper.remove("blinding");
    return token;
  });
}
