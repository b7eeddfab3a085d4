/** From opening the page to its last step: what is shown, and in which order. */

import { checkBit } from "./bit.ts";
import { type Coins, keptCoins } from "./coins.ts";
import { read } from "./disguise/disguise.ts";
import { type Keeper, keeperFor } from "./keeping.ts";
import { get, persistently, post, Refused } from "./network.ts";
import { Page, type Session, type Step } from "./page.ts";
import { sha256 } from "./hash.ts";
import { writeReceipt } from "./protocol.ts";
import { about } from "./steps/about.ts";
import { check } from "./steps/check.ts";
import { choosable, choose, devicesOf } from "./steps/choose.ts";
import { consent, directConsent, plainConsent } from "./steps/consent.ts";
import { done } from "./steps/done.ts";
import { notice, type Trouble } from "./steps/notice.ts";
import { practice, practiceSurvey } from "./steps/practice.ts";
import { firstOpen, questionSteps } from "./steps/questions.ts";
import { receipts } from "./steps/receipts.ts";
import { review } from "./steps/review.ts";
import { deliver, type Pending } from "./steps/sending.ts";
import { groupsOf, shownOf, type Survey, surveyOf, type Told } from "./survey.ts";
import { earlyLanguage } from "./texts/index.ts";
import { type Invitation, isNamedBy, keptToken, readInvitation } from "./token.ts";

/** Starts the page. */
export async function start(root: HTMLElement): Promise<void> {
  const fragment = location.hash;
  const preview = fragment === "#preview";
  const early = new Page(root, null, earlyLanguage(navigator.languages), preview);
  if (!globalThis.crypto?.subtle) return early.end(notice("insecure"));
  let survey: Survey;
  try {
    const offline = () => early.end(notice("offline"));
    survey = await surveyOf((await persistently(() => get("api/survey"), offline)) as Told);
    read(survey.design);
    for (const group of groupsOf(survey)) shownOf(survey, group);
    checkBit(survey);
    const harmless = practiceSurvey(survey);
    if (harmless) read(harmless.design);
  } catch {
    return early.end(notice("broken"));
  }
  const page = new Page(root, survey, languageFor(survey), preview);
  route(page);
  if (fragment === "#receipt") return page.show(receipts);
  const invitation = readInvitation(fragment);
  const trouble = preview ? null : await troubleWith(survey, invitation);
  if (trouble) return page.end(notice(trouble));
  const scope = invitation
    ? (await sha256(new TextEncoder().encode(invitation.code))).slice(0, 8)
    : "open";
  const keeper = keeperFor(`${survey.fingerprint}:${scope}`, !preview);
  if (resumed(page, keeper)) return;
  if (!survey.open && !preview) return page.end(notice("closed"));
  const session = await opened(survey, keeper, invitation, preview);
  if (!session.device && devicesOf(session).length === 0) return page.end(notice("noStorage"));
  page.session = session;
  page.begin(stepsOf(page, session));
  guard(page, session);
}

const languageFor = ({ languages }: Survey): string => {
  const known = (language: string) =>
    languages.find((one) => one === language) ??
    languages.find((one) => one.split("-")[0] === language.split("-")[0]);
  return navigator.languages.map(known).find(Boolean) ?? languages[0];
};

async function troubleWith(survey: Survey, invitation: Invitation | null): Promise<Trouble | null> {
  if (invitation) return (await isNamedBy(invitation, survey)) ? null : "wrongKey";
  if (!survey.invitations) return null;
  return survey.open ? "wrongLink" : "closed";
}

/** Goes on where an answer is on its way, has arrived, or was given up. */
function resumed(page: Page, keeper: Keeper): boolean {
  const sent = keeper.get<{ receipt: string }>("sent");
  const pending = keeper.get<Pending>("pending");
  const givenUp = keeper.get<boolean>("givenUp");
  if (sent) page.end(done(sent.receipt, keeper));
  else if (pending) void deliver(page, keeper, pending);
  else if (givenUp) page.end(notice("givenUp"));
  return !!(sent ?? pending ?? givenUp);
}

async function opened(
  survey: Survey,
  keeper: Keeper,
  invitation: Invitation | null,
  preview: boolean,
): Promise<Session> {
  const coins: Coins = await keptCoins(survey, keeper);
  const session: Session = {
    survey,
    keeper,
    coins,
    // Without a place to keep it, the lot would be drawn anew at every visit.
    arm: keeper.lasting ? coins.arm : "disguised",
    invitation,
    preview,
    begun: !!(keeper.get("token") ?? keeper.get("blinding")),
    device: null,
    understood: 0,
    checked: false,
    answers: new Map(),
    personal: new Map(),
    receipt: null,
    token: null,
  };
  const devices = devicesOf(session);
  const asIs = session.arm === "direct" || groupsOf(survey).length === 0;
  session.device = asIs ? survey.devices[0] : devices.length === 1 ? devices[0] : null;
  return session;
}

function stepsOf(page: Page, session: Session): Step[] {
  const agreed = () => {
    session.token ??= ticket(page, session);
  };
  const send = (body: string) => void sent(page, session, body);
  const questions = questionSteps(session);
  const last: Step = (at) => {
    const open = firstOpen(session); // by the browser's buttons one may come here too early
    return open < 0 ? review(session, send)(at) : questions[open](at);
  };
  const start = about(session);
  if (session.arm === "direct") return [start, directConsent(session, agreed), ...questions, last];
  if (groupsOf(session.survey).length === 0) {
    return [start, plainConsent(session, agreed), ...questions, last];
  }
  const harmless = practiceSurvey(session.survey);
  return [
    start,
    consent(session, agreed),
    ...(choosable(session) ? [choose(session)] : []),
    ...(harmless ? [practice(session, harmless)] : []),
    check(session),
    ...questions,
    last,
  ];
}

/** Fetches the token early: long before the answer is sent, and before any question is answered. */
function ticket(
  page: Page,
  { survey, keeper, invitation, preview }: Session,
): Promise<string> | null {
  const { key } = survey;
  if (!invitation || !key || preview) return null;
  const ask = (body: string) => post("api/token", body);
  const waiting = () => {}; // there is time until the answer is sent
  const token = persistently(() => keptToken(invitation, key, keeper, ask), waiting);
  token.catch((error: unknown) => {
    const status = error instanceof Refused ? error.status : 0;
    const troubles: Record<number, Trouble> = {
      403: "unknownInvitation",
      409: "usedInvitation",
      410: "closed",
    };
    page.end(notice(troubles[status] ?? "broken"));
  });
  return token;
}

/** Keeps the disguised answer until it has arrived; the coins and the answers are dropped. */
async function sent(page: Page, session: Session, body: string): Promise<void> {
  const { keeper, preview } = session;
  const receipt = writeReceipt(session.receipt as Uint8Array);
  if (preview) return page.end(done(receipt, keeper, true));
  await keeper.alone("send", async () => {
    if (resumed(page, keeper)) return; // another tab was quicker
    const pending: Pending = { body, receipt };
    keeper.set("pending", pending);
    for (const name of ["coins", "blinding", "token"]) keeper.remove(name);
    forgetAnswers(session);
    void deliver(page, keeper, pending);
  });
}

function forgetAnswers(session: Session): void {
  session.answers.clear();
  session.personal.clear();
}

/** Follows the browser's back and forward buttons, and the link to receipts. */
function route(page: Page): void {
  const follow = () => {
    if (location.hash === "#receipt") page.show(receipts);
    else if (page.started) page.goTo(history.state?.step);
    else location.reload();
  };
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
}

/** Drops all answers when the page is left, and follows what another tab has sent. */
function guard(page: Page, session: Session): void {
  addEventListener("pagehide", () => {
    forgetAnswers(session);
    page.clear();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  addEventListener("storage", () => {
    if (!page.ended) resumed(page, session.keeper);
  });
}
