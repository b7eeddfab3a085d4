/**
 * One invitation, one answer, and no link between them (RFC 9474).
 *
 * The server signs a number that this page has blinded; the page takes the blinding off, and the
 * server, when it sees the signed number again, cannot say for which invitation it had signed it.
 */

import { RSABSSA } from "@cloudflare/blindrsa-ts";
import type { Keeper } from "./keeping.ts";
import { sha256 } from "./hash.ts";
import type { Key, Survey } from "./survey.ts";

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

const MODULUS_BYTES = 384;
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
  const modulus = fromBase64(key?.n ?? "");
  if (modulus.length !== MODULUS_BYTES || key?.e !== "AQAB") return false;
  return (await sha256(new Uint8Array([...modulus, ...new TextEncoder().encode(asked)]))) === print;
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
    const suite = RSABSSA.SHA384.PSS.Randomized();
    const algorithm = { name: "RSA-PSS", hash: "SHA-384" };
    const jwk = { ...key, ext: true };
    const publicKey = await crypto.subtle.importKey("jwk", jwk, algorithm, true, ["verify"]);
    let blinding = keeper.get<Blinding>("blinding");
    if (!blinding) {
      const message = crypto.getRandomValues(new Uint8Array(MESSAGE_BYTES));
      const prepared = suite.prepare(message);
      const { blindedMsg, inv } = await suite.blind(publicKey, prepared);
      blinding = {
        prepared: toBase64(prepared),
        inverse: toBase64(inv),
        blinded: toBase64(blindedMsg),
      };
      keeper.set("blinding", blinding);
    }
    const { blinded } = blinding;
    const answer = (await ask(JSON.stringify({ invitation: code, blinded }))) as {
      signature: string;
    };
    const [prepared, inverse] = [fromBase64(blinding.prepared), fromBase64(blinding.inverse)];
    const signed = fromBase64(answer.signature);
    const signature = await suite.finalize(publicKey, prepared, signed, inverse); // verifies it
    const token = toBase64(new Uint8Array([...prepared, ...signature]));
    keeper.set("token", token);
    keeper.remove("blinding");
    return token;
  });
}

const toBase64 = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
