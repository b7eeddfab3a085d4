/**
 * The respondent's coins: thrown once, before any answer is given, and the same after a reload, in
 * the back button's page and in a second tab. Fresh coins for the same answers would wear the
 * disguise away.
 */

import { coin, type Random } from "./disguise/chances.ts";
import type { Toss } from "./disguise/devices.ts";
import { read, toss } from "./disguise/disguise.ts";
import type { Keeper } from "./keeping.ts";
import type { Arm, Survey } from "./survey.ts";

export interface Coins {
  readonly arm: Arm;
  readonly tosses: readonly Toss[];
}

export function throwCoins(
  survey: Pick<Survey, "design" | "direct">,
  random: Random = crypto,
): Coins {
  const arm = coin(survey.direct ?? "0")(random) ? "direct" : "disguised";
  return { arm, tosses: toss(read(survey.design), random) };
}

/**
 * The coins kept on this device, or new ones, kept from now on.
 *
 * Browsers tell other tabs of a change a moment later, even under a lock: two tabs opened in the
 * same moment may both throw. They agree soon, on the coins kept last, so coins are read again when
 * they are used.
 */
export function keptCoins(survey: Survey, keeper: Keeper): Promise<Coins> {
  return keeper.alone("coins", async () => {
    const kept = keeper.get<Coins>("coins");
    if (kept) return kept;
    const thrown = throwCoins(survey);
    keeper.set("coins", thrown);
    return thrown;
  });
}
