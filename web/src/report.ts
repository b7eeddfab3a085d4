/** From answers to the report that is sent: by this page's coins, by hand, or as they are. */

import { bitOf } from "./bit.ts";
import { drawnHere } from "./byhand.ts";
import type { Coins } from "./coins.ts";
import { apply, type Answers, read } from "./disguise/disguise.ts";
import type { Session } from "./page.ts";
import { encode, newReceipt, receiptId, writeReport } from "./protocol.ts";
import { askedOf, attributesOf, groupsOf } from "./survey.ts";

export function reportOf(session: Session): Answers {
  const { survey, keeper, arm, device, answers, personal } = session;
  const asked = new Set(askedOf(survey, answers).flatMap(({ attributes }) => attributes));
  const names = attributesOf(survey);
  // Of what is not asked the first value is sent, whatever stood there: all who are not asked do.
  const first = names.filter((name) => !asked.has(name) && !survey.bit);
  const blank = Object.fromEntries(
    first.map((name) => [name, survey.design.attributes[name][0]]),
  );
  const record = { ...Object.fromEntries(answers), ...blank };
  if (survey.bit) return bitOf(survey, survey.bit, record);
  if (arm === "direct") return record;
  const { tosses } = keeper.get<Coins>("coins") ?? session.coins;
  const beside = [...personal].filter(([name]) => asked.has(name));
  const report = apply(record, read(survey.design), tosses, Object.fromEntries(beside));
  const thrown = groupsOf(survey).filter((group) => !drawnHere(survey, group, device));
  const done = thrown.flatMap((group) => survey.design.groups[group].attributes);
  const byHand = Object.fromEntries(done.map((name) => [name, record[name]]));
  return { ...report, ...byHand, ...blank };
}

/** The very body that is sent; shown before, it stays the same. */
export async function bodyOf(session: Session, report: Answers, token: string): Promise<string> {
  const { survey, arm, device, understood } = session;
  session.receipt ??= newReceipt();
  return encode({
    survey: survey.fingerprint,
    id: await receiptId(session.receipt),
    token,
    arm,
    device: device ?? "page",
    understood,
    report: writeReport(survey, report),
  });
}
