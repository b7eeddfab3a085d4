/**
 * The respondent's page: it disguises answers on this device, and sends what became of them.
 *
 * Loaded without a page, as by tests, it starts nothing; what it exports is what the page runs.
 */

import { start } from "./flow.ts";

export { bitOf, checkBit } from "./bit.ts";
export { keptCoins, throwCoins } from "./coins.ts";
export { keeperFor } from "./keeping.ts";
export { apply, disguise, read, toss } from "./disguise/disguise.ts";
export { blind, blindBy, finalize, prepare, publicKey } from "./blinding.ts";
export { byHand } from "./byhand.ts";
export { addChannel, channelNames } from "./disguise/devices.ts";
export { guessesOf, lawOf } from "./law.ts";
export { rowsOf } from "./picture.ts";
export { practiceSurvey } from "./steps/practice.ts";
export { textsFor } from "./texts/index.ts";
export { encode, readReceipt, receiptId, writeReceipt } from "./protocol.ts";

const root = typeof document === "undefined" ? null : document.getElementById("app");
if (root) void start(root);
