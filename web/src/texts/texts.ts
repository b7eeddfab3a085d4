/** Written by the build: the words that come along, and what each sentence of them is given. */

import en from "../../../src/deniable/survey/words/en.json";
import ar from "../../../src/deniable/survey/words/ar.json";
import de from "../../../src/deniable/survey/words/de.json";
import es from "../../../src/deniable/survey/words/es.json";
import fr from "../../../src/deniable/survey/words/fr.json";
import tr from "../../../src/deniable/survey/words/tr.json";
import type { Said, Whole } from "./said.ts";

export interface Texts {
  readonly name: string;
  readonly language: string;
  readonly quoted: Said<{ value: string }>;
  readonly progress: Said<{ of: number; step: number }>;
  readonly back: string;
  readonly next: string;
  readonly yes: string;
  readonly no: string;
  readonly loading: string;
  readonly tryAgain: string;
  readonly contact: Said<{ contact: string }>;
  readonly checkReceipt: string;
  readonly backToSurvey: string;
  readonly preview: string;
  readonly letters: {
    readonly a: string;
    readonly b: string;
  };
  readonly about: {
    readonly title: string;
    readonly asked: string;
    readonly count: Said<{ count: number }>;
    readonly countMost: Said<{ count: number }>;
    readonly all: string;
    readonly some: string;
    readonly plain: string;
    readonly bit: string;
    readonly next: string;
  };
  readonly consent: {
    readonly title: string;
    readonly lead: string;
    readonly evens: string;
    readonly proof: Said<{ value: string }>;
    readonly proofWhy: string;
    readonly table: string;
    readonly readers: string;
    readonly one: string;
    readonly all: string;
    readonly guess: string;
    readonly right: Said<{ after: number; before: number }>;
    readonly rightMost: Said<{ after: number; before: number }>;
    readonly rightAll: Said<{ after: number; before: number }>;
    readonly rightAllMany: Said<{ after: number }>;
    readonly rightFew: Said<{ after: number }>;
    readonly even: string;
    readonly certain: Said<{ values: readonly string[] }>;
    readonly shared: string;
    readonly sharedGuess: Said<{ after: number }>;
    readonly sharedMore: string;
    readonly second: string;
    readonly open: string;
    readonly openRead: string;
    readonly part: string;
    readonly partInvited: string;
    readonly partOpen: string;
    readonly network: string;
    readonly device: string;
    readonly notDirect: Said<{ of: number; some: number }>;
    readonly stop: string;
    readonly invited: string;
    readonly invitedOnce: string;
    readonly begun: string;
    readonly agree: string;
  };
  readonly plain: {
    readonly title: string;
    readonly lead: string;
    readonly body: string;
  };
  readonly oneBit: {
    readonly title: string;
    readonly lead: string;
    readonly body: string;
    readonly tells: string;
  };
  readonly direct: {
    readonly title: string;
    readonly lead: string;
    readonly body: Said<{ of: number; some: number }>;
    readonly stop: string;
    readonly agree: string;
  };
  readonly how: {
    readonly of: Said<{ count: number }>;
    readonly ofAbout: Said<{ count: number }>;
    readonly ofThose: Said<{ count: number; value: string }>;
    readonly ofThoseAbout: Said<{ count: number; value: string }>;
    readonly asIs: Said<{ count: number }>;
    readonly oneAsIs: Said<{ count: number }>;
    readonly others: {
      readonly opposite: Said<{ count: number }>;
      readonly another: Said<{ count: number }>;
      readonly personal: Said<{ count: number }>;
      readonly drawn: Said<{ count: number }>;
    };
    readonly says: Said<{ count: number; value: string }>;
    readonly saysAnyway: Said<{ count: number; value: string }>;
    readonly these: Said<{ count: number; of: number }>;
    readonly answer: Said<{ number: number }>;
    readonly together: string;
    readonly apart: string;
    readonly readerTitle: string;
    readonly reader: Said<{ having: number; sent: number; theirs: number; value: string }>;
  };
  readonly choose: {
    readonly title: string;
    readonly lead: string;
    readonly legend: string;
    readonly own: string;
    readonly ownHelp: Said<{ tools: readonly string[] }>;
    readonly tools: {
      readonly coin: string;
      readonly die: string;
      readonly dice: string;
      readonly digit: string;
      readonly digits: string;
      readonly coins: string;
    };
    readonly page: string;
    readonly pageHelp: string;
    readonly noStorage: string;
    readonly first: string;
    readonly ownBut: Said<{ count: number }>;
    readonly pageQuick: string;
  };
  readonly practice: {
    readonly title: string;
    readonly lead: string;
    readonly question: string;
    readonly personal: string;
    readonly toss: string;
    readonly done: string;
    readonly wouldSend: Said<{ value: string }>;
    readonly both: string;
    readonly example: Said<{ value: string }>;
    readonly times: Said<{ count: number; of: number }>;
    readonly timesAbout: Said<{ count: number; of: number }>;
    readonly truth: Said<{ value: string }>;
    readonly turned: Said<{ value: string }>;
    readonly drawn: Said<{ value: string }>;
    readonly second: Said<{ value: string }>;
    readonly anySecond: string;
    readonly anyDrawn: string;
    readonly anyway: Said<{ value: string }>;
    readonly onlyThis: string;
    readonly onlyClicked: string;
    readonly first: string;
    readonly needed: string;
  };
  readonly check: {
    readonly title: string;
    readonly lead: string;
    readonly right: string;
    readonly wrong: string;
    readonly first: string;
    readonly report: {
      readonly text: string;
      readonly real: string;
      readonly guess: string;
      readonly why: string;
    };
    readonly rule: {
      readonly text: string;
      readonly change: string;
      readonly real: string;
      readonly why: string;
    };
    readonly throw: {
      readonly text: string;
      readonly real: string;
      readonly follow: string;
      readonly why: string;
    };
  };
  readonly questions: {
    readonly title: string;
    readonly part: Said<{ number: number; of: number }>;
    readonly public: string;
    readonly stays: string;
    readonly disguised: string;
    readonly direct: string;
    readonly pageCoin: string;
    readonly both: string;
    readonly several: string;
    readonly none: string;
    readonly missing: Said<{ count: number }>;
    readonly needed: string;
    readonly all: string;
    readonly skip: string;
    readonly skipToo: Said<{ value: string }>;
  };
  readonly own: {
    readonly title: string;
    readonly tools: {
      readonly coin: string;
      readonly die: string;
      readonly digit: string;
      readonly dice: string;
      readonly digits: string;
      readonly coins: string;
    };
    readonly tosses: Said<{ first: string; second: string }>;
    readonly heads: string;
    readonly tails: string;
    readonly outcome: string;
    readonly todo: string;
    readonly truth: string;
    readonly truths: string;
    readonly opposite: string;
    readonly opposites: string;
    readonly oppositesTicks: string;
    readonly first: string;
    readonly firsts: string;
    readonly second: string;
    readonly seconds: string;
    readonly say: Said<{ value: string }>;
    readonly never: string;
    readonly same: string;
    readonly step: Said<{ count: number }>;
    readonly nth: Said<{ number: number }>;
    readonly round: string;
    readonly each: Said<{ truth: string; value: string }>;
    readonly again: string;
    readonly secondThrow: string;
    readonly secondThrows: string;
  };
  readonly review: {
    readonly title: string;
    readonly question: string;
    readonly sent: string;
    readonly note: string;
    readonly noteOwn: string;
    readonly noteDirect: string;
    readonly noteBit: string;
    readonly literal: string;
    readonly literalNote: Said<{ size: number }>;
    readonly parts: string;
    readonly partsInvited: string;
    readonly partsBit: string;
    readonly partsBitInvited: string;
    readonly send: string;
    readonly ticket: string;
    readonly none: string;
    readonly noteSome: string;
    readonly noteMixed: string;
    readonly notAsked: string;
  };
  readonly sending: {
    readonly title: string;
    readonly waiting: string;
    readonly waitingBit: string;
    readonly open: string;
    readonly keepOpen: string;
  };
  readonly done: {
    readonly title: string;
    readonly lead: string;
    readonly leadBit: string;
    readonly preview: string;
    readonly receipt: string;
    readonly why: string;
    readonly copy: string;
    readonly copied: string;
    readonly print: string;
    readonly kept: string;
    readonly forget: string;
    readonly forgotten: string;
    readonly secret: string;
  };
  readonly receipts: {
    readonly title: string;
    readonly label: string;
    readonly help: Said<{ example: string }>;
    readonly check: string;
    readonly erase: string;
    readonly sure: string;
    readonly reallyErase: string;
    readonly keep: string;
    readonly malformed: string;
    readonly included: string;
    readonly missing: string;
    readonly deleted: string;
    readonly nothing: string;
    readonly unreachable: string;
  };
  readonly trouble: {
    readonly closed: {
      readonly title: string;
      readonly text: string;
    };
    readonly wrongLink: {
      readonly title: string;
      readonly text: string;
    };
    readonly unknownInvitation: {
      readonly title: string;
      readonly text: string;
    };
    readonly usedInvitation: {
      readonly title: string;
      readonly text: string;
    };
    readonly wrongKey: {
      readonly title: string;
      readonly text: string;
    };
    readonly givenUp: {
      readonly title: string;
      readonly text: string;
    };
    readonly noStorage: {
      readonly title: string;
      readonly text: string;
    };
    readonly broken: {
      readonly title: string;
      readonly text: string;
    };
    readonly refusedFull: {
      readonly title: string;
      readonly text: string;
    };
    readonly refused: {
      readonly title: string;
      readonly text: string;
    };
  };
  readonly early: {
    readonly slow: string;
    readonly script: {
      readonly title: string;
      readonly text: string;
    };
    readonly insecure: {
      readonly title: string;
      readonly text: string;
    };
    readonly offline: {
      readonly title: string;
      readonly text: string;
    };
  };
}

export const SHIPPED = { en, ar, de, es, fr, tr } satisfies Record<string, Whole<Texts>>;
