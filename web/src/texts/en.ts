/** What the page itself says, in English. We say "disguised", and mean it. */

import type { Tool } from "../byhand.ts";

const people = (count: number) => (count === 1 ? "1 person" : `${count} people`);
const sends = (count: number) => (count === 1 ? "1 sends" : `${count} send`);

export const en = {
  progress: (step: number, of: number) => `Step ${step} of ${of}`,
  language: "Language",
  back: "Back",
  next: "Continue",
  contact: "Questions? Write to",
  checkReceipt: "Check or delete an answer",
  backToSurvey: "Back to the survey",
  preview: "Preview: nothing is kept and nothing is sent.",
  loading: "One moment …",
  yes: "Yes",
  no: "No",

  consent: {
    title: "Before you decide",
    table: "Who could learn what",
    who: "Who",
    answer: "Your own answer?",
    disguisedAnswer: "Your own answer, where it is disguised?",
    learns: "What they can learn",
    never: "Never for certain",
    neverBut: (values: readonly string[]) =>
      `Never for certain, but for ${values.map((value) => `“${value}”`).join(", ")}`,
    share: "The group’s percentage",
    rows: [
      "The researcher",
      "Whoever runs the server",
      "A hacker who steals everything",
      "A court that orders it handed over",
    ],
    because:
      "Your answers are disguised on this device, before anything is sent. Nobody can undo the " +
      "disguise of one person, because nobody else learns what it changed.",
    guess: ({ before, after }: { before: number; after: number }) =>
      "From what you send, your answer can only be guessed. If all answers were equally common, the best guess " +
      `would be right for about ${after} of 100 people, and without what they send for about ${before}.`,
    public: "Questions marked “told as it is” are sent without a disguise.",
    notDirect: (some: number, of: number) =>
      `${some} in ${of} people ${some === 1 ? "is" : "are"} asked directly, for comparison. You are not one of them.`,
    agree: "I agree and begin",
    stop: "Taking part is up to you. You may stop at any time by closing this page; nothing is sent before the last step.",
  },

  plain: {
    title: "Before you decide",
    lead: "In this survey the answers are sent as they are.",
    body: "They are sent without your name, but as you give them.",
  },

  oneBit: {
    title: "Before you decide",
    lead: "Your answers stay on this device. One yes or no is sent.",
    body:
      "This device compares your answers with a guess that was made before, for all combinations of answers, and " +
      "sends whether the guess is right. It sends no answer, and no name. You see that yes or no before it is sent.",
  },

  direct: {
    title: "Before you decide",
    lead: "In your case the answers are sent as they are.",
    body: (some: number, of: number) =>
      `${some} in ${of} people, drawn by lot, answer without the disguise, so that the two ways of asking ` +
      "can be compared. The lot fell on you. Your answers are sent without your name, but as you give them: " +
      "the researcher and whoever holds the data can read them.",
    stop: "You may stop now, or at any time before the last step, by closing this page. Then nothing is sent, and nobody minds.",
    agree: "I agree to answer as it is",
  },

  how: {
    title: "How your answers are disguised",
    asIs: (count: number): string => `${sends(count)} their real answers`,
    oneAsIs: (count: number) => `${sends(count)} the real answer`,
    others: {
      opposite: (count: number) => `${sends(count)} the opposite`,
      another: (count: number) => `${sends(count)} another answer, drawn by lot`,
      personal: (count: number) => `${sends(count)} the answer to a harmless second question`,
      drawn: (count: number) => `${sends(count)} an answer drawn by lot`,
    },
    says: (count: number, value: string) => `${sends(count)} “${value}”`,
    saysAnyway: (count: number, value: string) =>
      `${sends(count)} “${value}”, whatever their answer`,
    of: (count: number, exact: boolean) => `Of ${exact ? "" : "about "}${people(count)} like you:`,
    ofThose: (count: number, exact: boolean, value: string) =>
      `Of ${exact ? "" : "about "}${people(count)} whose answer is “${value}”:`,
    sentences:
      "A coin decides which of them you are, and nobody else ever sees how it falls. " +
      "Over many people the coins even out, so the researchers can work out the group’s " +
      "percentage, but not your answer.",
    together: "One coin decides for all of these questions together.",
    apart: "Each of these questions has a coin of its own.",
    readerTitle: "What could somebody infer from my report?",
    reader: (question: string, value: string, having: number, sent: number, theirs: number) =>
      `Take “${question}” and suppose that ${having} in 100 people would truly answer “${value}”. ` +
      `Then about ${sent} in 100 send “${value}”, and it is the real answer of only about ${theirs} ` +
      `of these ${sent}.`,
    allThatIsRead: (value: string) => `That is all that anybody can read from a sent “${value}”.`,
    admission: (value: string) => `A sent “${value}” is not an admission.`,
    admissionWhy: "It may be yours, or the disguise. Nobody can tell which.",
    choose: "Which coin shall decide?",
    page: "This page’s coin",
    pageHelp:
      "Quick. The page tosses it once, on this device, and keeps it to itself. Browsers erase slowly: if somebody " +
      "may search this device, use your own coin.",
    own: "My own coin or die",
    ownHelp: "You toss it in private; the page tells you what each outcome means and never asks.",
    noStorage:
      "This browser keeps nothing between visits (perhaps a private window), so this page’s coin " +
      "could not stay the same. Please use your own coin or die, or open the link in a normal window.",
    chooseFirst: "Please choose a coin.",
  },

  practice: {
    title: "Try it out",
    lead: "A practice question. Nothing is sent.",
    question: "Do you like rainy days?",
    personal: "Is your birthday in the first half of the year, January to June?",
    toss: "Toss the coin",
    done: "See what would be sent",
    kept: "The coin says: as it is.",
    changed: "The coin says: disguised.",
    picked: (letter: string) => `The coin picks answer ${letter}.`,
    wouldSend: (value: string) => `The page would send: ${value}`,
    onlyThis: "A reader sees only what was sent, not how the coin fell.",
    onlyClicked:
      "What you clicked is what would be sent. Only you know how your coin fell, and whether this is your answer.",
    first: "Please answer first, then toss.",
  },

  check: {
    title: "Two quick questions",
    lead: "To see whether we explained it well. There are no grades: you go on either way.",
    right: "Yes, that’s right.",
    wrong: "Not quite.",
    first: "Please choose an answer to both.",
    questions: [
      {
        text: "Somebody reads one sent answer: “Yes”. What do they know for certain about that person?",
        options: ["That the real answer is “Yes”", "Nothing for certain"],
        right: 1,
        why: "It may be the real answer or the disguise; nobody can tell which.",
      },
      {
        text: "How do the researchers still learn something?",
        options: [
          "They undo each person’s disguise",
          "They know how often answers are disguised and work out the group’s percentage",
          "They ask some people for their names",
        ],
        right: 1,
        why: "Over many people the disguise evens out; for one person it cannot be undone.",
      },
    ],
  },

  questions: {
    title: (number: number, of: number) =>
      of === 1 ? "Your answers" : `Your answers, part ${number} of ${of}`,
    public: "told as it is",
    stays: "stays on this device",
    disguised: "disguised",
    direct: "sent as it is",
    pageCoin:
      "Answer as it really is. This page’s coin disguises your answers before they are sent.",
    both: "Please answer both A and B. The coin picks which of the two answers is sent; the other never leaves your device.",
    several: "Tick all that apply.",
    none: "None of these",
    missing: (count: number) =>
      count === 1
        ? "One question still needs an answer."
        : `${count} questions still need an answer.`,
    needed: "Please answer this one.",
    all: "All questions need an answer.",
  },

  own: {
    title: "Toss in private, then click",
    tools: {
      coin: "Toss a coin.",
      die: "Roll a die.",
      digit:
        "Start a stopwatch, such as your phone’s, and stop it without looking. Take its last digit.",
      dice: "Roll two dice and add them up.",
      digits:
        "Start a stopwatch, such as your phone’s, and stop it without looking. Take its last two digits.",
    } satisfies Record<Tool, string>,
    heads: "Heads",
    tails: "Tails",
    outcome: "If it shows",
    todo: "then click",
    truth: (many: boolean): string => (many ? "your real answers" : "your real answer"),
    opposite: (many: boolean): string =>
      many
        ? "the opposite of your real answers, in all of these questions"
        : "the opposite of your real answer",
    ticks: "; where you can tick several, tick exactly those that do not apply",
    first: (many: boolean): string =>
      many ? "your real answers to the questions A" : "your real answer to question A",
    second: (many: boolean): string =>
      many ? "your real answers to the questions B" : "your real answer to question B",
    say: (value: string) => `“${value}”, whatever your answer`,
    never:
      "Do not tell anybody how it fell; this page does not ask. What you click is what is sent.",
    same: "The same throw as before counts here. Do not throw again.",
  },

  review: {
    title: "This is exactly what leaves your device",
    question: "Question",
    sent: "What is sent",
    note: "The answers below are disguised: they may or may not be your own.",
    noteOwn: "Sent is what you clicked. Only you know how your coin fell.",
    noteDirect: "In your case the answers are sent as they are.",
    noteBit: "Your answers stay here. This yes or no is all that is sent about them.",
    literal: "The very bytes",
    literalNote: (size: number) =>
      `Always ${size} characters, whatever you answered; dots fill it up. No name, no time, no address.`,
    parts:
      "It holds the survey’s fingerprint, a random number, {token}which way you were asked, whose coin it was, " +
      "how many of the two quick questions you got right, and one sign per question.",
    partsBit:
      "It holds the survey’s fingerprint, a random number, {token}three settings that are the same for everybody, " +
      "and one sign: the yes or no.",
    token: "a blinded ticket that shows you were invited but not who you are, ",
    send: "Send",
    ticket: "Fetching your ticket from the server …",
    none: "none of these",
  },

  sending: {
    title: "Sending …",
    waiting:
      "Your disguised answers wait on this device and are sent as soon as the network is back.",
    waitingDirect: "Your answers wait on this device and are sent as soon as the network is back.",
    waitingBit: "Your yes or no waits on this device and is sent as soon as the network is back.",
    open: "You may leave this page open, or come back to it later.",
    keepOpen: "Please leave this page open until then: this browser keeps nothing.",
  },

  done: {
    title: "Thank you",
    lead: "Your answer has arrived and is kept.",
    leadBit: "Your yes or no has arrived and is kept. Your answers never left this device.",
    preview: "In the real survey your answer would now have been sent.",
    receipt: "Your receipt",
    why: "With this code you can check later that your answer was counted, or delete it. It holds nothing about you; keep it to yourself.",
    copy: "Copy",
    copied: "Copied",
    print: "Print",
    kept: "The receipt is also kept on this device.",
    forget: "Forget this on this device",
    forgotten: "This device has forgotten it.",
  },

  receipts: {
    title: "Check or delete an answer",
    label: "Receipt",
    help: "Sixteen letters and digits, such as",
    check: "Check",
    erase: "Delete my answer",
    sure: "Delete for good?",
    reallyErase: "Yes, delete it",
    keep: "No, keep it",
    malformed:
      "This is not a receipt: it has sixteen letters and digits. Please copy it once more.",
    included: "Yes: the answer with this receipt is kept.",
    missing: "There is no answer with this receipt: it has not arrived, or was deleted.",
    deleted: "The answer with this receipt has been deleted.",
    nothing: "There is no answer with this receipt, so nothing was deleted.",
    unreachable: "The server cannot be reached just now. Please try again later.",
  },

  trouble: {
    closed: ["This survey is closed", "Thank you for your interest. It takes no more answers."],
    wrongLink: [
      "Please open the link from your invitation",
      "This survey is by invitation, and the address in your browser holds none that is complete. Open the link once more, or copy all of it.",
    ],
    unknownInvitation: [
      "This invitation is not known here",
      "Perhaps the link was cut short. Open it once more from your invitation, or write to us.",
    ],
    usedInvitation: [
      "This invitation has been used",
      "It was opened before, perhaps on another device or in another browser. If that was you, please go on there; if you have answered, there is nothing more to do.",
    ],
    wrongKey: [
      "This page stopped to protect you",
      "The server’s key or questions are not those named in your invitation, so your answer might have been recognised. Nothing was sent. Please tell the researchers.",
    ],
    givenUp: [
      "You have finished here",
      "Your answer was not taken, and this device has forgotten it. It is not asked for again.",
    ],
    insecure: [
      "This connection is not secure",
      "Without a secure connection your browser cannot disguise answers. Please open the address with https://.",
    ],
    noStorage: [
      "This browser keeps nothing between visits",
      "So the coin that disguises your answers could not stay the same, and we would rather not ask you. Please open the link in a normal window, or allow this site to keep data.",
    ],
    offline: ["No connection yet", "The survey could not be loaded. This page keeps trying."],
    broken: [
      "Something is wrong with this survey",
      "It cannot be shown. Nothing was sent. Please tell the researchers.",
    ],
    refusedFull: [
      "Your answer was not taken",
      "Either this invitation has answered already, or enough people like you have taken part. Thank you all the same.",
    ],
    refused: [
      "Your answer was not taken",
      "The server would not accept it. It stays on this device; you can try once more, or write to us.",
    ],
  } satisfies Record<string, readonly [string, string] | string[]>,
  tryAgain: "Try once more",
};

export type Texts = typeof en;
