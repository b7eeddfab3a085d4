/** The survey as the server tells it (GET api/survey), and how its parts hang together. */

import type { Key } from "./blinding.ts";
import type { ByHand, Part } from "./byhand.ts";
import { channelNamed } from "./disguise/devices.ts";
import type { Design, GroupOfDesign } from "./disguise/disguise.ts";
import { sha256 } from "./hash.ts";
import { type Texts, textsFor, type Words } from "./texts/index.ts";

/** A text in each of the survey's languages. */
export type Text = Readonly<Record<string, string>>;

export interface Option {
  readonly value: string;
  readonly text: Text;
}

export interface Question {
  readonly name: string;
  readonly several: boolean;
  readonly text: Text;
  readonly help: Text | null;
  readonly options: readonly Option[];
  /** One, or for a question with several answers one per option, each "no" or "yes". */
  readonly attributes: readonly string[];
  /** Its place among the design's groups; null: sent as it is. */
  readonly group: number | null;
  readonly personal: { readonly text: Text; readonly source: string } | null;
  /** The words of whoever would rather not say: the last of the options, or a value of each box. */
  readonly skip?: Text;
  /** Earlier public questions, and the answers to them of those who are asked. */
  readonly if?: Readonly<Record<string, readonly string[]>>;
}

/** The value of whoever would rather not say. */
export const SKIPPED = "skipped";

/** The questions that somebody with these public answers is asked. */
export function askedOf({ questions }: Survey, answers: ReadonlyMap<string, string>): Question[] {
  const asked: Question[] = [];
  for (const question of questions) {
    const fits = ([name, values]: [string, readonly string[]]) =>
      asked.some((one) => one.name === name) && values.includes(answers.get(name) ?? "");
    if (Object.entries(question.if ?? {}).every(fits)) asked.push(question);
  }
  return asked;
}

/** What the server tells: the same for everybody, but for whether answers are still taken. */
export interface Told {
  /** All that follows in `Asked`, as one text: its hash is the survey's fingerprint. */
  readonly asked: string;
  readonly contact: string;
  readonly open: boolean;
  readonly invitations: boolean;
  readonly key: Key | null;
}

export interface Survey extends Told, Asked {
  /** Taken here, not told by the server: it goes back with the answer, and could mark it. */
  readonly fingerprint: string;
}

interface Asked {
  readonly survey: string;
  readonly title: Text;
  readonly languages: readonly string[];
  readonly consent: Text;
  readonly devices: readonly DeviceName[];
  readonly direct: string | null;
  readonly questions: readonly Question[];
  readonly design: Design;
  /** What to show of each group. */
  readonly shown: readonly Shown[];
  /** How sure a reader can be of an answer of each group. */
  readonly guesses: readonly Guess[];
  /** What answers tell together; as likely as each other, every one of them. */
  readonly reading: Reading;
  /** The first group's device on a harmless question; null where there is no such thing. */
  readonly practice: { readonly group: GroupOfDesign; readonly shown: Shown } | null;
  /** Where there is one, the answers stay on the device, and it is all that is sent. */
  readonly bit?: Bit;
  /** The page's own words by language, where the survey brings some. */
  readonly words?: Readonly<Record<string, Words>>;
}

/** Whether a classifier is right about the answers. */
export interface Bit {
  /** What it says, in words; nobody is asked it. */
  readonly question: Question;
  readonly features: readonly string[];
  readonly target: string;
  /** A sign for each pattern of the features: the place of the predicted answer. */
  readonly predicted: string;
}

/** What a group's channel says about itself; probabilities as text. */
export interface Shown {
  /** `law[truth][report]`, for the group's first question. */
  readonly law: readonly (readonly string[])[];
  /** What may happen whatever the truth is; nothing where that depends on it. */
  readonly outcomes: readonly (Part & { readonly chance: string })[];
  readonly byHand: ByHand | null;
  /** Whether its personal questions are asked: all of them are there, so none is drawn. */
  readonly personal: boolean;
  /** The value that one would rather not be known to have: its place among the values. */
  readonly sensitive: number;
}

/** How sure a reader can be of an answer of a group, if all answers are equally common. */
export interface Guess {
  /** How often a guess is right without a report … */
  readonly before: string;
  /** … and with one. */
  readonly after: string;
  /** A harmless answer that nobody else sends, by its place among the values. */
  readonly certain: number | null;
}

/** What several answers tell. */
export interface Reading {
  /** How often all disguised answers are guessed at once; null where there is one, or too many. */
  readonly record: { readonly before: string; readonly after: string } | null;
  /** By group: how often its answers are guessed by who knows one of them; null where there is one. */
  readonly knowing: readonly (string | null)[];
}

/** What to show of a group; nothing is shown of a channel that this page has no device for. */
export function shownOf({ design, shown }: Survey, group: number): Shown {
  channelNamed(design.groups[group].channel);
  if (shown[group]?.law) return shown[group];
  throw new Error(`The survey does not say what to show of group ${group + 1}.`);
}

export async function surveyOf(told: Told): Promise<Survey> {
  const asked = JSON.parse(told.asked) as Asked;
  const fingerprint = await sha256(new TextEncoder().encode(told.asked));
  return { ...told, ...asked, fingerprint };
}

/** The page's words in one of the survey's languages. */
export const textsOf = ({ words }: Survey, language: string): Texts =>
  textsFor(language, words?.[language]);

export type Arm = "disguised" | "direct";

/** Whose coin disguises: this page's, or one in the respondent's hand. */
export type DeviceName = "page" | "own";

/** The places of the groups, each with a coin of its own; all other questions are public. */
export const groupsOf = ({ design }: Survey): number[] => [...design.groups.keys()];

/** Whether some answers are sent as they are. */
export const hasPublic = ({ questions }: Survey): boolean =>
  questions.some(({ group }) => group === null);

/** The questions that a report answers. */
export const reportedOf = ({ questions, bit }: Survey): readonly Question[] =>
  bit ? [bit.question] : questions;

/** The attributes in the order of a report: that of the questions. */
export const attributesOf = (survey: Survey): string[] =>
  reportedOf(survey).flatMap(({ attributes }) => attributes);

export const questionsOf = ({ questions }: Survey, group: number): Question[] =>
  questions.filter((question) => question.group === group);

/** Whether a group's personal questions are asked. */
export const asksPersonal = (survey: Survey, group: number): boolean =>
  shownOf(survey, group).personal;

/** The questions of one screen: neighbours in one group, and not too many at a time. */
export interface Batch {
  readonly group: number | null;
  readonly questions: readonly Question[];
  /** Whether questions of this group came before: the same throw of a coin covers them all. */
  readonly continued: boolean;
}

const MOST_ON_A_SCREEN = 4;

const sameIf = (one: Question, other: Question) =>
  JSON.stringify(one.if) === JSON.stringify(other.if);

export function batchesOf({ questions }: Survey): Batch[] {
  const batches: { group: number | null; questions: Question[]; continued: boolean }[] = [];
  for (const question of questions) {
    const last = batches.at(-1);
    const alike = last && last.group === question.group && sameIf(last.questions[0], question);
    if (last && alike && last.questions.length < MOST_ON_A_SCREEN) {
      last.questions.push(question);
    } else {
      const { group } = question;
      const continued = group !== null && batches.some((batch) => batch.group === group);
      batches.push({ group, questions: [question], continued });
    }
  }
  return batches;
}
