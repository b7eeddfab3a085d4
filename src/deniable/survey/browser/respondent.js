/*!
The respondent's page of deniable, built from web/src (see docs/reference/bundle.md).
It holds no library: all of it is ours, and uses what browsers have.
*/

// src/hash.ts
async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// src/disguise/reading.ts
function codesOf(attributes, answers) {
  return attributes.map(({ name, values }) => {
    if (!answers.has(name)) throw new Error(`There is no answer for ${quoted(name)}.`);
    const code = values.indexOf(answers.get(name));
    if (code >= 0) return code;
    throw new Error(`The answer for ${quoted(name)} is none of ${values.map(quoted).join(", ")}.`);
  });
}
function chancesOf({ name, values }, given) {
  if (!isObject(given) || Object.keys(given).length !== values.length) {
    throw new Error(`each value of ${quoted(name)} needs a probability.`);
  }
  return values.map((value) => given[value]);
}
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var quoted = (text) => JSON.stringify(text);

// src/disguise/chances.ts
function below(sides, random) {
  if (sides === 1n) return 0n;
  const width = (sides - 1n).toString(2).length;
  const bytes = new Uint8Array(Math.ceil(width / 8));
  for (; ; ) {
    random.getRandomValues(bytes);
    const drawn3 = bytes.reduce((number2, byte) => number2 << 8n | BigInt(byte), 0n);
    const number = BigInt.asUintN(width, drawn3);
    if (number < sides) return number;
  }
}
function fraction(text) {
  const written = /^(\d+)(?:\/(\d+)|(?:\.(\d+))?(?:e-(\d{1,3}))?)$/;
  const found = typeof text === "string" && written.exec(text);
  if (!found) throw new Error(`${quoted(text)} is not a probability, such as "0.7" or "1/3".`);
  const [, whole2, under = "1", decimals = "", shift = "0"] = found;
  const top = BigInt(whole2 + decimals);
  const bottom = BigInt(under) * 10n ** BigInt(decimals.length + Number(shift));
  if (bottom === 0n || top > bottom) throw new Error(`${quoted(text)} is not between 0 and 1.`);
  return [top, bottom];
}
var divisor = (a, b) => b ? divisor(b, a % b) : a;
function sharesOf(chances) {
  const fractions = chances.map(fraction);
  const sides = fractions.reduce((all, [, bottom]) => all / divisor(all, bottom) * bottom, 1n);
  return { sides, shares: fractions.map(([top, bottom]) => top * sides / bottom) };
}
function loadedDie(sides, columns) {
  const ends = columns.map((shares) => {
    let end = 0n;
    const found = shares.map((share) => end += share);
    if (end !== sides) throw new Error("its probabilities do not sum to 1.");
    return found;
  });
  return (random) => {
    const side = below(sides, random);
    return ends.map((column) => column.findIndex((end) => side < end));
  };
}
var fairDice = (sizes) => (random) => sizes.map((size) => Number(below(BigInt(size), random)));
function coin(theta) {
  const { sides, shares } = sharesOf([theta]);
  return (random) => Number(below(sides, random) < shares[0]);
}

// src/disguise/devices.ts
var truthful = () => ({ toss: () => [], apply: (truth) => truth });
function related(attributes, { theta }) {
  const sizes = sizesOf(attributes);
  if (sizes.includes(1)) throw new Error("an attribute with a single value has no other one.");
  const honest = coin(theta);
  const dice = fairDice(sizes.map((size) => size - 1));
  return {
    toss(random) {
      const turned = 1 - honest(random);
      return dice(random).map((move) => turned * (1 + move));
    },
    apply: (truth, moved) => truth.map((code, index) => (code + moved[index]) % sizes[index])
  };
}
function replacing(theta, others) {
  const honest = coin(theta);
  return {
    toss: (random) => [honest(random), ...others(random)],
    apply: (truth, [kept, ...thrown], own = thrown) => kept ? truth : own
  };
}
var keepOrUniform = (attributes, { theta }) => replacing(theta, fairDice(sizesOf(attributes)));
function unrelated(attributes, { theta, personal }) {
  const needed = personal === "unknown";
  const drawn3 = needed ? () => [] : personalDice(attributes, personal);
  return { ...replacing(theta, drawn3), personal: { needed, kept: ([kept]) => kept === 1 } };
}
function personalDice(attributes, personal) {
  const rows = personal?.joint;
  if (!Array.isArray(rows)) {
    const dice = attributes.map((attribute) => {
      const { sides: sides2, shares: shares2 } = sharesOf(chancesOf(attribute, personal?.[attribute.name]));
      return loadedDie(sides2, [shares2]);
    });
    return (random) => dice.flatMap((die2) => die2(random));
  }
  const cells = rows.map((row) => codesOf(attributes, new Map(Object.entries(row))));
  const { sides, shares } = sharesOf(rows.map(({ probability: probability2 }) => probability2));
  const die = loadedDie(sides, [shares]);
  return (random) => cells[die(random)[0]];
}
var tabled = (sides, columns) => ({
  toss: loadedDie(sides, columns),
  apply: ([truth], reports) => [reports[truth]]
});
function matrix(attribute, options) {
  const size = attribute.values.length;
  const columns = attribute.values.map((truth) => chancesOf(attribute, options.matrix?.[truth]));
  const { sides, shares } = sharesOf(columns.flat());
  return tabled(
    sides,
    columns.map((_, truth) => shares.slice(truth * size, (truth + 1) * size))
  );
}
function forced(attribute, options) {
  const { sides, shares } = sharesOf(chancesOf(attribute, options.forced));
  const free = shares.reduce((rest, share) => rest - share, sides);
  if (free < 0n) throw new Error("its probabilities sum to more than 1.");
  const column = (_, truth) => shares.map((share, told2) => share + (told2 === truth ? free : 0n));
  return tabled(sides, shares.map(column));
}
var yesNo = (telling) => (attribute, { theta, red, sensitive }) => {
  const { name, values } = attribute;
  const trait = values.indexOf(sensitive);
  if (values.length !== 2) throw new Error(`${quoted(name)} must have two values.`);
  if (trait < 0) throw new Error(`${quoted(sensitive)} is not a value of ${quoted(name)}.`);
  const { sides, shares } = sharesOf(red ? chancesOf(attribute, red) : [theta, theta]);
  const column = (share, truth) => {
    const told2 = telling(truth === trait, share, sides);
    return trait === 0 ? [told2, sides - told2] : [sides - told2, told2];
  };
  return tabled(sides, shares.map(column));
};
var mangat = yesNo((has, theta, sides) => has ? sides : sides - theta);
var crosswise = yesNo((has, theta, sides) => has ? theta : sides - theta);
var triangular = yesNo((has, theta, sides) => has ? sides : theta);
var kuk = yesNo((_, red) => red);
var alone = (device) => (attributes, options) => {
  if (attributes.length > 1) throw new Error("its channel is for one attribute.");
  return device(attributes[0], options);
};
var sizesOf = (attributes) => attributes.map(({ values }) => values.length);
var CHANNELS = /* @__PURE__ */ new Map([
  ["truthful", [truthful]],
  ["related", [related, "theta"]],
  ["unrelated", [unrelated, "theta", "personal"]],
  ["keep-or-uniform", [keepOrUniform, "theta"]],
  ["forced", [alone(forced), "forced"]],
  ["mangat", [alone(mangat), "theta", "sensitive"]],
  ["kuk", [alone(kuk), "red", "sensitive"]],
  ["crosswise", [alone(crosswise), "theta", "sensitive"]],
  ["triangular", [alone(triangular), "theta", "sensitive"]],
  ["matrix", [alone(matrix), "matrix"]]
]);
function addChannel(name, build, ...options) {
  if (CHANNELS.has(name)) throw new Error(`There is a channel ${quoted(name)} already.`);
  if (typeof build !== "function") throw new Error(`The channel ${quoted(name)} has no device.`);
  CHANNELS.set(name, [build, ...options]);
}
function channelNamed(name) {
  const found = CHANNELS.get(name);
  if (found) return found;
  throw new Error(`there is no channel ${quoted(name)}.`);
}
var channelNames = () => [...CHANNELS.keys()];

// src/texts/writing.ts
var RIGHT_TO_LEFT = new Set(
  "Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi".split(" ")
);
var directionOf = (language) => RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script ?? "") ? "rtl" : "ltr";
var countedAs = (language) => Intl.PluralRules.supportedLocalesOf(language).length > 0 ? language : "en";
var withDigits = (language, text) => {
  const numbers = new Intl.NumberFormat(countedAs(language), { useGrouping: false });
  return text.replace(/\d+/g, (digits) => numbers.format(Number(digits)));
};
var listed = (language, values) => Intl.ListFormat.supportedLocalesOf(language).length > 0 ? new Intl.ListFormat(language).format(values) : values.join(", ");
var [FIRST_STRONG, POP] = ["⁨", "⁩"];
var isolation = (language) => directionOf(language) === "rtl" ? (text) => FIRST_STRONG + text + POP : (text) => text;

// src/texts/said.ts
var FORMS = ["zero", "one", "two", "few", "many", "other", "by"];
var PLACEHOLDER = /\{(\w+)\}/g;
var isSentence = (words) => typeof words === "string" || Object.keys(words).every((key) => FORMS.includes(key));
var takes = (sentence) => typeof sentence === "string" ? sentence.search(PLACEHOLDER) >= 0 : true;
function said(words, whole2, language) {
  const filled2 = filler(language);
  const made = (own, model) => {
    if (!isSentence(model)) {
      const parts = own;
      const each = Object.entries(model).map(([key, part]) => [key, made(parts?.[key], part)]);
      return Object.fromEntries(each);
    }
    const sentence = own ?? model;
    return takes(model) ? (given) => filled2(sentence, given) : sentence;
  };
  return made(words, whole2);
}
function filler(language) {
  const counted = countedAs(language);
  const numbers = new Intl.NumberFormat(counted);
  const rules = new Intl.PluralRules(counted);
  const isolated = isolation(language);
  const written = (value) => {
    if (typeof value === "string") return isolated(value);
    return typeof value === "number" ? isolated(numbers.format(value)) : listed(language, value);
  };
  return function filled2(sentence, given) {
    if (typeof sentence !== "string") {
      const number = given[sentence.by ?? "count"];
      return filled2(sentence[rules.select(number)] ?? sentence.other ?? "", given);
    }
    return sentence.replace(PLACEHOLDER, (_, name) => written(given[name]));
  };
}

// ../src/deniable/survey/words/en.json
var en_default = {
  name: "English",
  language: "Language",
  quoted: "“{value}”",
  progress: "Step {step} of {of}",
  back: "Back",
  next: "Continue",
  yes: "Yes",
  no: "No",
  loading: "One moment …",
  tryAgain: "Try once more",
  contact: "Questions? Write to {contact}",
  checkReceipt: "Check or delete an answer",
  backToSurvey: "Back to the survey",
  preview: "Preview: nothing is kept and nothing is sent.",
  consent: {
    title: "Before you decide",
    table: "Who could learn what",
    who: "Who",
    answer: "Your own answer?",
    disguisedAnswer: "Your own answer, where it is disguised?",
    learns: "What they can learn",
    never: "Never for certain",
    neverBut: "Never for certain, but for {values}",
    share: "The group’s percentage",
    rows: {
      researcher: "The researcher",
      server: "Whoever runs the server",
      thief: "A hacker who steals everything",
      court: "A court that orders it handed over"
    },
    because: "Your answers are disguised on this device, before anything is sent. Nobody can undo the disguise of one person, because nobody else learns what it changed.",
    guess: "From what you send, your answer can only be guessed. If all answers were equally common, the best guess would be right for about {after} of 100 people, and without what they send for about {before}.",
    public: "Questions marked “told as it is” are sent without a disguise.",
    notDirect: {
      by: "some",
      one: "{some} in {of} people is asked directly, for comparison. You are not one of them.",
      other: "{some} in {of} people are asked directly, for comparison. You are not one of them."
    },
    agree: "I agree and begin",
    stop: "Taking part is up to you. You may stop at any time by closing this page; nothing is sent before the last step."
  },
  plain: {
    title: "Before you decide",
    lead: "In this survey the answers are sent as they are.",
    body: "They are sent without your name, but as you give them."
  },
  oneBit: {
    title: "Before you decide",
    lead: "Your answers stay on this device. One yes or no is sent.",
    body: "This device compares your answers with a guess that was made before, for all combinations of answers, and sends whether the guess is right. It sends no answer, and no name. You see that yes or no before it is sent."
  },
  direct: {
    title: "Before you decide",
    lead: "In your case the answers are sent as they are.",
    body: "{some} in {of} people, drawn by lot, answer without the disguise, so that the two ways of asking can be compared. The lot fell on you. Your answers are sent without your name, but as you give them: the researcher and whoever holds the data can read them.",
    stop: "You may stop now, or at any time before the last step, by closing this page. Then nothing is sent, and nobody minds.",
    agree: "I agree to answer as it is"
  },
  how: {
    title: "How your answers are disguised",
    of: "Of {count} people like you:",
    ofAbout: "Of about {count} people like you:",
    ofThose: "Of {count} people whose answer is “{value}”:",
    ofThoseAbout: "Of about {count} people whose answer is “{value}”:",
    asIs: {
      one: "{count} sends their real answers",
      other: "{count} send their real answers"
    },
    oneAsIs: {
      one: "{count} sends the real answer",
      other: "{count} send the real answer"
    },
    others: {
      opposite: {
        one: "{count} sends the opposite",
        other: "{count} send the opposite"
      },
      another: {
        one: "{count} sends another answer, drawn by lot",
        other: "{count} send another answer, drawn by lot"
      },
      personal: {
        one: "{count} sends the answer to a harmless second question",
        other: "{count} send the answer to a harmless second question"
      },
      drawn: {
        one: "{count} sends an answer drawn by lot",
        other: "{count} send an answer drawn by lot"
      }
    },
    says: {
      one: "{count} sends “{value}”",
      other: "{count} send “{value}”"
    },
    saysAnyway: {
      one: "{count} sends “{value}”, whatever their answer",
      other: "{count} send “{value}”, whatever their answer"
    },
    sentences: "A coin decides which of them you are, and nobody else ever sees how it falls. Over many people the coins even out, so the researchers can work out the group’s percentage, but not your answer.",
    together: "One coin decides for all of these questions together.",
    apart: "Each of these questions has a coin of its own.",
    readerTitle: "What could somebody infer from my report?",
    reader: "Take “{question}” and suppose that {having} in 100 people would truly answer “{value}”. Then about {sent} in 100 send “{value}”, and it is the real answer of only about {theirs} of these {sent}.",
    allThatIsRead: "That is all that anybody can read from a sent “{value}”.",
    admission: "A sent “{value}” is not an admission.",
    admissionWhy: "It may be yours, or the disguise. Nobody can tell which.",
    choose: "Which coin shall decide?",
    page: "This page’s coin",
    pageHelp: "Quick. The page tosses it once, on this device, and keeps it to itself. Browsers erase slowly: if somebody may search this device, use your own coin.",
    own: "My own coin or die",
    ownHelp: "You toss it in private; the page tells you what each outcome means and never asks.",
    noStorage: "This browser keeps nothing between visits (perhaps a private window), so this page’s coin could not stay the same. Please use your own coin or die, or open the link in a normal window.",
    chooseFirst: "Please choose a coin."
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
    picked: "The coin picks answer {letter}.",
    wouldSend: "The page would send: {value}",
    onlyThis: "A reader sees only what was sent, not how the coin fell.",
    onlyClicked: "What you clicked is what would be sent. Only you know how your coin fell, and whether this is your answer.",
    first: "Please answer first, then toss."
  },
  check: {
    title: "Two quick questions",
    lead: "To see whether we explained it well. There are no grades: you go on either way.",
    right: "Yes, that’s right.",
    wrong: "Not quite.",
    first: "Please choose an answer to both.",
    report: {
      text: "Somebody reads one sent answer: “Yes”. What do they know for certain about that person?",
      real: "That the real answer is “Yes”",
      nothing: "Nothing for certain",
      why: "It may be the real answer or the disguise; nobody can tell which."
    },
    group: {
      text: "How do the researchers still learn something?",
      undo: "They undo each person’s disguise",
      compute: "They know how often answers are disguised and work out the group’s percentage",
      names: "They ask some people for their names",
      why: "Over many people the disguise evens out; for one person it cannot be undone."
    }
  },
  questions: {
    title: "Your answers",
    part: "Your answers, part {number} of {of}",
    public: "told as it is",
    stays: "stays on this device",
    disguised: "disguised",
    direct: "sent as it is",
    pageCoin: "Answer as it really is. This page’s coin disguises your answers before they are sent.",
    both: "Please answer both A and B. The coin picks which of the two answers is sent; the other never leaves your device.",
    several: "Tick all that apply.",
    none: "None of these",
    missing: {
      one: "One question still needs an answer.",
      other: "{count} questions still need an answer."
    },
    needed: "Please answer this one.",
    all: "All questions need an answer."
  },
  own: {
    title: "Toss in private, then click",
    tools: {
      coin: "Toss a coin.",
      die: "Roll a die.",
      digit: "Start a stopwatch, such as your phone’s, and stop it without looking. Take its last digit.",
      dice: "Roll two dice and add them up.",
      digits: "Start a stopwatch, such as your phone’s, and stop it without looking. Take its last two digits."
    },
    heads: "Heads",
    tails: "Tails",
    outcome: "If it shows",
    todo: "then click",
    truth: "your real answer",
    truths: "your real answers",
    opposite: "the opposite of your real answer",
    opposites: "the opposite of your real answers, in all of these questions",
    oppositesTicks: "the opposite of your real answers, in all of these questions; where you can tick several, tick exactly those that do not apply",
    first: "your real answer to question A",
    firsts: "your real answers to the questions A",
    second: "your real answer to question B",
    seconds: "your real answers to the questions B",
    say: "“{value}”, whatever your answer",
    never: "Do not tell anybody how it fell; this page does not ask. What you click is what is sent.",
    same: "The same throw as before counts here. Do not throw again."
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
    literalNote: "Always {size} characters, whatever you answered; dots fill it up. No name, no time, no address.",
    parts: "It holds the survey’s fingerprint, a random number, which way you were asked, whose coin it was, how many of the two quick questions you got right, and one sign per question.",
    partsInvited: "It holds the survey’s fingerprint, a random number, a blinded ticket that shows you were invited but not who you are, which way you were asked, whose coin it was, how many of the two quick questions you got right, and one sign per question.",
    partsBit: "It holds the survey’s fingerprint, a random number, three settings that are the same for everybody, and one sign: the yes or no.",
    partsBitInvited: "It holds the survey’s fingerprint, a random number, a blinded ticket that shows you were invited but not who you are, three settings that are the same for everybody, and one sign: the yes or no.",
    send: "Send",
    ticket: "Fetching your ticket from the server …",
    none: "none of these"
  },
  sending: {
    title: "Sending …",
    waiting: "Your disguised answers wait on this device and are sent as soon as the network is back.",
    waitingDirect: "Your answers wait on this device and are sent as soon as the network is back.",
    waitingBit: "Your yes or no waits on this device and is sent as soon as the network is back.",
    open: "You may leave this page open, or come back to it later.",
    keepOpen: "Please leave this page open until then: this browser keeps nothing."
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
    forgotten: "This device has forgotten it."
  },
  receipts: {
    title: "Check or delete an answer",
    label: "Receipt",
    help: "Sixteen letters and digits, such as {example}",
    check: "Check",
    erase: "Delete my answer",
    sure: "Delete for good?",
    reallyErase: "Yes, delete it",
    keep: "No, keep it",
    malformed: "This is not a receipt: it has sixteen letters and digits. Please copy it once more.",
    included: "Yes: the answer with this receipt is kept.",
    missing: "There is no answer with this receipt: it has not arrived, or was deleted.",
    deleted: "The answer with this receipt has been deleted.",
    nothing: "There is no answer with this receipt, so nothing was deleted.",
    unreachable: "The server cannot be reached just now. Please try again later."
  },
  trouble: {
    closed: {
      title: "This survey is closed",
      text: "Thank you for your interest. It takes no more answers."
    },
    wrongLink: {
      title: "Please open the link from your invitation",
      text: "This survey is by invitation, and the address in your browser holds none that is complete. Open the link once more, or copy all of it."
    },
    unknownInvitation: {
      title: "This invitation is not known here",
      text: "Perhaps the link was cut short. Open it once more from your invitation, or write to us."
    },
    usedInvitation: {
      title: "This invitation has been used",
      text: "It was opened before, perhaps on another device or in another browser. If that was you, please go on there; if you have answered, there is nothing more to do."
    },
    wrongKey: {
      title: "This page stopped to protect you",
      text: "The server’s key or questions are not those named in your invitation, so your answer might have been recognised. Nothing was sent. Please tell the researchers."
    },
    givenUp: {
      title: "You have finished here",
      text: "Your answer was not taken, and this device has forgotten it. It is not asked for again."
    },
    noStorage: {
      title: "This browser keeps nothing between visits",
      text: "So the coin that disguises your answers could not stay the same, and we would rather not ask you. Please open the link in a normal window, or allow this site to keep data."
    },
    broken: {
      title: "Something is wrong with this survey",
      text: "It cannot be shown. Nothing was sent. Please tell the researchers."
    },
    refusedFull: {
      title: "Your answer was not taken",
      text: "Either this invitation has answered already, or enough people like you have taken part. Thank you all the same."
    },
    refused: {
      title: "Your answer was not taken",
      text: "The server would not accept it. It stays on this device; you can try once more, or write to us."
    }
  },
  early: {
    slow: "Still loading. If nothing happens, please load the page again.",
    script: {
      title: "This page disguises your answers itself",
      text: "To do so it needs JavaScript, which is switched off in this browser. Please switch it on for this page. Nothing has been sent."
    },
    insecure: {
      title: "This connection is not secure",
      text: "Without a secure connection your browser cannot disguise answers. Please open the address with https://."
    },
    offline: {
      title: "No connection yet",
      text: "The survey could not be loaded. This page keeps trying."
    }
  }
};

// ../src/deniable/survey/words/de.json
var de_default = {
  name: "Deutsch",
  language: "Sprache",
  quoted: "„{value}“",
  progress: "Schritt {step} von {of}",
  back: "Zurück",
  next: "Weiter",
  yes: "Ja",
  no: "Nein",
  loading: "Einen Moment …",
  tryAgain: "Noch einmal versuchen",
  contact: "Fragen? Schreiben Sie an {contact}",
  checkReceipt: "Eine Antwort prüfen oder löschen",
  backToSurvey: "Zurück zur Umfrage",
  preview: "Vorschau: Nichts wird gespeichert, nichts wird gesendet.",
  consent: {
    title: "Bevor Sie sich entscheiden",
    table: "Wer könnte was erfahren?",
    who: "Wer",
    answer: "Ihre eigene Antwort?",
    disguisedAnswer: "Ihre eigene Antwort, wo sie verschleiert ist?",
    learns: "Was sie erfahren können",
    never: "Nie mit Sicherheit",
    neverBut: "Nie mit Sicherheit, außer {values}",
    share: "Den Anteil in der Gruppe",
    rows: {
      researcher: "Die Forschenden",
      server: "Wer den Server betreibt",
      thief: "Wer den Server hackt und alles stiehlt",
      court: "Ein Gericht, das die Herausgabe anordnet"
    },
    because: "Ihre Antworten werden auf diesem Gerät verschleiert, bevor etwas gesendet wird. Bei einer einzelnen Person kann das niemand rückgängig machen, denn niemand sonst erfährt, was der Schleier verändert hat.",
    guess: "Aus dem, was Sie senden, lässt sich Ihre Antwort nur erraten. Wären alle Antworten gleich häufig, so läge man bei etwa {after} von 100 Personen richtig, und ohne das Gesendete bei etwa {before}.",
    public: "Fragen mit dem Zeichen „wie gesagt“ werden ohne Schleier gesendet.",
    notDirect: {
      by: "some",
      one: "{some} von {of} Personen wird zum Vergleich direkt gefragt. Sie gehören nicht dazu.",
      other: "{some} von {of} Personen werden zum Vergleich direkt gefragt. Sie gehören nicht dazu."
    },
    agree: "Einverstanden, los geht’s",
    stop: "Die Teilnahme ist freiwillig. Sie können jederzeit aufhören, indem Sie diese Seite schließen; vor dem letzten Schritt wird nichts gesendet."
  },
  plain: {
    title: "Bevor Sie sich entscheiden",
    lead: "In dieser Umfrage werden die Antworten so gesendet, wie sie sind.",
    body: "Sie werden ohne Ihren Namen gesendet, aber so, wie Sie sie geben."
  },
  oneBit: {
    title: "Bevor Sie sich entscheiden",
    lead: "Ihre Antworten bleiben auf diesem Gerät. Gesendet wird ein Ja oder Nein.",
    body: "Dieses Gerät vergleicht Ihre Antworten mit einer Vermutung, die es vorher für alle Kombinationen von Antworten gab, und sendet, ob sie stimmt. Es sendet keine Antwort und keinen Namen. Sie sehen das Ja oder Nein, bevor es gesendet wird."
  },
  direct: {
    title: "Bevor Sie sich entscheiden",
    lead: "In Ihrem Fall werden die Antworten so gesendet, wie sie sind.",
    body: {
      by: "some",
      one: "{some} von {of} Personen, ausgelost, antwortet ohne Schleier, damit sich beide Arten zu fragen vergleichen lassen. Das Los fiel auf Sie. Ihre Antworten werden ohne Ihren Namen gesendet, aber so, wie Sie sie geben: Die Forschenden und wer die Daten hat können sie lesen.",
      other: "{some} von {of} Personen, ausgelost, antworten ohne Schleier, damit sich beide Arten zu fragen vergleichen lassen. Das Los fiel auf Sie. Ihre Antworten werden ohne Ihren Namen gesendet, aber so, wie Sie sie geben: Die Forschenden und wer die Daten hat können sie lesen."
    },
    stop: "Sie können jetzt oder jederzeit vor dem letzten Schritt aufhören, indem Sie diese Seite schließen. Dann wird nichts gesendet, und niemand nimmt es übel.",
    agree: "Einverstanden, ich antworte offen"
  },
  how: {
    title: "Wie Ihre Antworten verschleiert werden",
    of: "Von {count} Personen wie Ihnen:",
    ofAbout: "Von etwa {count} Personen wie Ihnen:",
    ofThose: "Von {count} Personen, deren Antwort „{value}“ ist:",
    ofThoseAbout: "Von etwa {count} Personen, deren Antwort „{value}“ ist:",
    asIs: {
      one: "{count} sendet die wirklichen Antworten",
      other: "{count} senden die wirklichen Antworten"
    },
    oneAsIs: {
      one: "{count} sendet die wirkliche Antwort",
      other: "{count} senden die wirkliche Antwort"
    },
    others: {
      opposite: {
        one: "{count} sendet das Gegenteil",
        other: "{count} senden das Gegenteil"
      },
      another: {
        one: "{count} sendet eine andere, ausgeloste Antwort",
        other: "{count} senden eine andere, ausgeloste Antwort"
      },
      personal: {
        one: "{count} sendet die Antwort auf eine harmlose zweite Frage",
        other: "{count} senden die Antwort auf eine harmlose zweite Frage"
      },
      drawn: {
        one: "{count} sendet eine ausgeloste Antwort",
        other: "{count} senden eine ausgeloste Antwort"
      }
    },
    says: {
      one: "{count} sendet „{value}“",
      other: "{count} senden „{value}“"
    },
    saysAnyway: {
      one: "{count} sendet „{value}“, was auch immer die Antwort ist",
      other: "{count} senden „{value}“, was auch immer die Antwort ist"
    },
    sentences: "Eine Münze entscheidet, zu welchen Sie gehören, und niemand sonst sieht je, wie sie fällt. Über viele Menschen gleichen sich die Münzen aus; so können die Forschenden den Anteil in der Gruppe berechnen, aber nicht Ihre Antwort.",
    together: "Eine einzige Münze entscheidet für alle diese Fragen zusammen.",
    apart: "Jede dieser Fragen hat ihre eigene Münze.",
    readerTitle: "Was könnte jemand aus meiner Meldung schließen?",
    reader: "Nehmen wir „{question}“ und an, {having} von 100 Personen würden wirklich „{value}“ antworten. Dann senden etwa {sent} von 100 ein „{value}“, und nur bei etwa {theirs} von diesen {sent} ist es die wirkliche Antwort.",
    allThatIsRead: "Mehr kann niemand aus einem gesendeten „{value}“ lesen.",
    admission: "Ein gesendetes „{value}“ ist kein Geständnis.",
    admissionWhy: "Es kann Ihre Antwort sein oder der Schleier. Niemand kann das unterscheiden.",
    choose: "Welche Münze soll entscheiden?",
    page: "Die Münze dieser Seite",
    pageHelp: "Schnell. Die Seite wirft sie einmal, auf diesem Gerät, und behält es für sich. Browser löschen langsam: Wenn jemand dieses Gerät durchsuchen könnte, nehmen Sie Ihre eigene Münze.",
    own: "Meine eigene Münze oder mein Würfel",
    ownHelp: "Sie werfen für sich; die Seite sagt, was jedes Ergebnis bedeutet, und fragt nie danach.",
    noStorage: "Dieser Browser behält zwischen zwei Besuchen nichts (vielleicht ein privates Fenster), daher könnte die Münze der Seite nicht dieselbe bleiben. Bitte nehmen Sie Ihre eigene Münze, oder öffnen Sie den Link in einem normalen Fenster.",
    chooseFirst: "Bitte wählen Sie eine Münze."
  },
  practice: {
    title: "Probieren Sie es aus",
    lead: "Eine Übungsfrage. Nichts wird gesendet.",
    question: "Mögen Sie Regentage?",
    personal: "Haben Sie in der ersten Jahreshälfte Geburtstag, von Januar bis Juni?",
    toss: "Münze werfen",
    done: "Zeigen, was gesendet würde",
    kept: "Die Münze sagt: wie gesagt.",
    changed: "Die Münze sagt: verschleiert.",
    picked: "Die Münze wählt Antwort {letter}.",
    wouldSend: "Die Seite würde senden: {value}",
    onlyThis: "Wer mitliest, sieht nur das Gesendete, nicht wie die Münze fiel.",
    onlyClicked: "Was Sie anklicken, würde gesendet. Nur Sie wissen, wie Ihre Münze fiel und ob das Ihre Antwort ist.",
    first: "Bitte erst antworten, dann werfen."
  },
  check: {
    title: "Zwei kurze Fragen",
    lead: "Damit wir sehen, ob wir es gut erklärt haben. Es gibt keine Noten; es geht in jedem Fall weiter.",
    right: "Ja, richtig.",
    wrong: "Nicht ganz.",
    first: "Bitte wählen Sie bei beiden eine Antwort.",
    report: {
      text: "Jemand liest eine gesendete Antwort: „Ja“. Was weiß er sicher über diese Person?",
      real: "Dass die wirkliche Antwort „Ja“ ist",
      nothing: "Nichts sicher",
      why: "Es kann die wirkliche Antwort sein oder der Schleier; niemand kann das unterscheiden."
    },
    group: {
      text: "Wie erfahren die Forschenden trotzdem etwas?",
      undo: "Sie lüften bei jeder Person den Schleier",
      compute: "Sie wissen, wie oft Antworten verschleiert werden, und berechnen den Anteil in der Gruppe",
      names: "Sie fragen einige nach ihrem Namen",
      why: "Über viele Menschen gleicht sich der Schleier aus; bei einer Person lässt er sich nicht lüften."
    }
  },
  questions: {
    title: "Ihre Antworten",
    part: "Ihre Antworten, Teil {number} von {of}",
    public: "wie gesagt",
    stays: "bleibt auf diesem Gerät",
    disguised: "verschleiert",
    direct: "wie gesagt gesendet",
    pageCoin: "Antworten Sie, wie es wirklich ist. Die Münze der Seite verschleiert Ihre Antworten, bevor sie gesendet werden.",
    both: "Bitte beantworten Sie A und B. Die Münze wählt, welche der beiden Antworten gesendet wird; die andere verlässt Ihr Gerät nie.",
    several: "Kreuzen Sie alles Zutreffende an.",
    none: "Nichts davon",
    missing: {
      one: "Eine Frage braucht noch eine Antwort.",
      other: "{count} Fragen brauchen noch eine Antwort."
    },
    needed: "Bitte beantworten Sie diese Frage.",
    all: "Alle Fragen brauchen eine Antwort."
  },
  own: {
    title: "Werfen Sie für sich, dann klicken Sie",
    tools: {
      coin: "Werfen Sie eine Münze.",
      die: "Würfeln Sie.",
      digit: "Starten Sie eine Stoppuhr, etwa die Ihres Telefons, und halten Sie sie blind an. Es zählt ihre letzte Ziffer.",
      dice: "Werfen Sie zwei Würfel und zählen Sie die Augen zusammen.",
      digits: "Starten Sie eine Stoppuhr, etwa die Ihres Telefons, und halten Sie sie blind an. Es zählen ihre letzten zwei Ziffern."
    },
    heads: "Kopf",
    tails: "Zahl",
    outcome: "Zeigt sich",
    todo: "dann klicken Sie",
    truth: "Ihre wirkliche Antwort",
    truths: "Ihre wirklichen Antworten",
    opposite: "das Gegenteil Ihrer wirklichen Antwort",
    opposites: "das Gegenteil Ihrer wirklichen Antworten, bei allen diesen Fragen",
    oppositesTicks: "das Gegenteil Ihrer wirklichen Antworten, bei allen diesen Fragen; wo Sie mehreres ankreuzen können, kreuzen Sie genau das an, was nicht zutrifft",
    first: "Ihre wirkliche Antwort auf Frage A",
    firsts: "Ihre wirklichen Antworten auf die Fragen A",
    second: "Ihre wirkliche Antwort auf Frage B",
    seconds: "Ihre wirklichen Antworten auf die Fragen B",
    say: "„{value}“, was auch immer Ihre Antwort ist",
    never: "Sagen Sie niemandem, was kam; diese Seite fragt nicht danach. Gesendet wird, was Sie anklicken.",
    same: "Hier gilt derselbe Wurf wie zuvor. Werfen Sie nicht noch einmal."
  },
  review: {
    title: "Genau das verlässt Ihr Gerät",
    question: "Frage",
    sent: "Was gesendet wird",
    note: "Die Antworten hier sind verschleiert: Es können Ihre eigenen sein oder nicht.",
    noteOwn: "Gesendet wird, was Sie angeklickt haben. Nur Sie wissen, wie Ihre Münze fiel.",
    noteDirect: "In Ihrem Fall werden die Antworten so gesendet, wie sie sind.",
    noteBit: "Ihre Antworten bleiben hier. Dieses Ja oder Nein ist alles, was über sie gesendet wird.",
    literal: "Die Zeichen selbst",
    literalNote: "Immer {size} Zeichen, was Sie auch antworten; Punkte füllen auf. Kein Name, keine Uhrzeit, keine Adresse.",
    parts: "Darin stehen der Fingerabdruck der Umfrage, eine Zufallszahl, wie Sie gefragt wurden, wessen Münze es war, wie viele der zwei kurzen Fragen Sie richtig hatten, und ein Zeichen je Antwort.",
    partsInvited: "Darin stehen der Fingerabdruck der Umfrage, eine Zufallszahl, ein Beleg, dass Sie eingeladen sind, aber nicht, wer Sie sind, wie Sie gefragt wurden, wessen Münze es war, wie viele der zwei kurzen Fragen Sie richtig hatten, und ein Zeichen je Antwort.",
    partsBit: "Darin stehen der Fingerabdruck der Umfrage, eine Zufallszahl, drei Angaben, die für alle gleich sind, und ein Zeichen: das Ja oder Nein.",
    partsBitInvited: "Darin stehen der Fingerabdruck der Umfrage, eine Zufallszahl, ein Beleg, dass Sie eingeladen sind, aber nicht, wer Sie sind, drei Angaben, die für alle gleich sind, und ein Zeichen: das Ja oder Nein.",
    send: "Senden",
    ticket: "Ihr Einladungsbeleg wird vom Server geholt …",
    none: "nichts davon"
  },
  sending: {
    title: "Wird gesendet …",
    waiting: "Ihre verschleierten Antworten warten auf diesem Gerät und werden gesendet, sobald das Netz wieder da ist.",
    waitingDirect: "Ihre Antworten warten auf diesem Gerät und werden gesendet, sobald das Netz wieder da ist.",
    waitingBit: "Ihr Ja oder Nein wartet auf diesem Gerät und wird gesendet, sobald das Netz wieder da ist.",
    open: "Sie können diese Seite offen lassen oder später wiederkommen.",
    keepOpen: "Bitte lassen Sie diese Seite bis dahin offen: Dieser Browser behält nichts."
  },
  done: {
    title: "Vielen Dank",
    lead: "Ihre Antwort ist angekommen und gespeichert.",
    leadBit: "Ihr Ja oder Nein ist angekommen und gespeichert. Ihre Antworten haben dieses Gerät nie verlassen.",
    preview: "In der wirklichen Umfrage wäre Ihre Antwort jetzt gesendet.",
    receipt: "Ihre Quittung",
    why: "Mit diesem Code können Sie später prüfen, ob Ihre Antwort gezählt wurde, oder sie löschen. Er enthält nichts über Sie; behalten Sie ihn für sich.",
    copy: "Kopieren",
    copied: "Kopiert",
    print: "Drucken",
    kept: "Die Quittung bleibt auch auf diesem Gerät.",
    forget: "Auf diesem Gerät vergessen",
    forgotten: "Dieses Gerät hat sie vergessen."
  },
  receipts: {
    title: "Eine Antwort prüfen oder löschen",
    label: "Quittung",
    help: "Sechzehn Buchstaben und Ziffern, wie {example}",
    check: "Prüfen",
    erase: "Meine Antwort löschen",
    sure: "Endgültig löschen?",
    reallyErase: "Ja, löschen",
    keep: "Nein, behalten",
    malformed: "Das ist keine Quittung: Sie hat sechzehn Buchstaben und Ziffern. Bitte übertragen Sie sie noch einmal.",
    included: "Ja: Die Antwort mit dieser Quittung ist gespeichert.",
    missing: "Es gibt keine Antwort mit dieser Quittung: Sie ist nicht angekommen oder wurde gelöscht.",
    deleted: "Die Antwort mit dieser Quittung ist gelöscht.",
    nothing: "Es gibt keine Antwort mit dieser Quittung; nichts wurde gelöscht.",
    unreachable: "Der Server ist gerade nicht erreichbar. Bitte versuchen Sie es später noch einmal."
  },
  trouble: {
    closed: {
      title: "Diese Umfrage ist geschlossen",
      text: "Vielen Dank für Ihr Interesse. Es werden keine Antworten mehr angenommen."
    },
    wrongLink: {
      title: "Bitte öffnen Sie den Link aus Ihrer Einladung",
      text: "Diese Umfrage geht nur mit Einladung, und die Adresse in Ihrem Browser enthält keine vollständige. Öffnen Sie den Link noch einmal, oder kopieren Sie ihn ganz."
    },
    unknownInvitation: {
      title: "Diese Einladung ist hier nicht bekannt",
      text: "Vielleicht wurde der Link abgeschnitten. Öffnen Sie ihn noch einmal aus Ihrer Einladung, oder schreiben Sie uns."
    },
    usedInvitation: {
      title: "Diese Einladung wurde schon benutzt",
      text: "Sie wurde schon geöffnet, vielleicht auf einem anderen Gerät oder in einem anderen Browser. Wenn Sie das waren, machen Sie bitte dort weiter; wenn Sie geantwortet haben, ist nichts mehr zu tun."
    },
    wrongKey: {
      title: "Diese Seite hat zu Ihrem Schutz angehalten",
      text: "Der Schlüssel oder die Fragen des Servers sind nicht die aus Ihrer Einladung; Ihre Antwort hätte daran erkannt werden können. Nichts wurde gesendet. Bitte sagen Sie den Forschenden Bescheid."
    },
    givenUp: {
      title: "Sie sind hier fertig",
      text: "Ihre Antwort wurde nicht angenommen, und dieses Gerät hat sie vergessen. Sie werden nicht noch einmal gefragt."
    },
    noStorage: {
      title: "Dieser Browser behält zwischen zwei Besuchen nichts",
      text: "Daher könnte die Münze, die Ihre Antworten verschleiert, nicht dieselbe bleiben, und wir fragen lieber nicht. Bitte öffnen Sie den Link in einem normalen Fenster, oder erlauben Sie dieser Seite, Daten zu behalten."
    },
    broken: {
      title: "Mit dieser Umfrage stimmt etwas nicht",
      text: "Sie kann nicht gezeigt werden. Nichts wurde gesendet. Bitte sagen Sie den Forschenden Bescheid."
    },
    refusedFull: {
      title: "Ihre Antwort wurde nicht angenommen",
      text: "Entweder wurde mit dieser Einladung schon geantwortet, oder es haben genug Menschen wie Sie teilgenommen. Trotzdem vielen Dank."
    },
    refused: {
      title: "Ihre Antwort wurde nicht angenommen",
      text: "Der Server nimmt sie nicht an. Sie bleibt auf diesem Gerät; Sie können es noch einmal versuchen oder uns schreiben."
    }
  },
  early: {
    slow: "Lädt noch. Wenn nichts geschieht, laden Sie bitte die Seite neu.",
    script: {
      title: "Diese Seite verschleiert Ihre Antworten selbst",
      text: "Dafür braucht sie JavaScript, das in diesem Browser ausgeschaltet ist. Bitte schalten Sie es für diese Seite ein. Es wurde nichts gesendet."
    },
    insecure: {
      title: "Diese Verbindung ist nicht sicher",
      text: "Ohne sichere Verbindung kann Ihr Browser Antworten nicht verschleiern. Bitte öffnen Sie die Adresse mit https://."
    },
    offline: {
      title: "Noch keine Verbindung",
      text: "Die Umfrage konnte nicht geladen werden. Diese Seite versucht es weiter."
    }
  }
};

// src/texts/texts.ts
var SHIPPED = { en: en_default, de: de_default };

// src/texts/index.ts
var baseOf = (language) => language.split("-")[0];
var shipped = (language) => SHIPPED[baseOf(language)];
function textsFor(language, own) {
  const whole2 = shipped(language);
  const spoken = whole2 ? baseOf(language) : own ? language : "en";
  return said(own ?? {}, whole2 ?? SHIPPED.en, spoken);
}
var earlyLanguage = (wanted) => baseOf(wanted.find(shipped) ?? "en");

// src/survey.ts
function shownOf({ design, shown }, group) {
  channelNamed(design.groups[group].channel);
  if (shown[group]?.law) return shown[group];
  throw new Error(`The survey does not say what to show of group ${group + 1}.`);
}
async function surveyOf(told2) {
  const asked2 = JSON.parse(told2.asked);
  const fingerprint = await sha256(new TextEncoder().encode(told2.asked));
  return { ...told2, ...asked2, fingerprint };
}
var textsOf = ({ words }, language) => textsFor(language, words?.[language]);
var groupsOf = ({ design }) => [...design.groups.keys()];
var reportedOf = ({ questions, bit }) => bit ? [bit.question] : questions;
var attributesOf = (survey) => reportedOf(survey).flatMap(({ attributes }) => attributes);
var questionsOf = ({ questions }, group) => questions.filter((question) => question.group === group);
var asksPersonal = (survey, group) => shownOf(survey, group).personal;
var MOST_ON_A_SCREEN = 4;
function batchesOf({ questions }) {
  const batches = [];
  for (const question of questions) {
    const last = batches.at(-1);
    if (last && last.group === question.group && last.questions.length < MOST_ON_A_SCREEN) {
      last.questions.push(question);
    } else {
      const { group } = question;
      const continued = group !== null && batches.some((batch) => batch.group === group);
      batches.push({ group, questions: [question], continued });
    }
  }
  return batches;
}

// src/protocol.ts
var DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
var BLOCK = 1024;
var sizeOf = (attributes) => BLOCK * Math.ceil((BLOCK + attributes) / BLOCK);
function encode(submission) {
  const { survey, id, token, arm, device, understood, report } = submission;
  const written = (padding) => JSON.stringify({ survey, id, token, arm, device, understood, report, padding });
  return written(".".repeat(sizeOf(report.length) - written("").length));
}
function writeReport(survey, report) {
  const place = (name) => survey.design.attributes[name].indexOf(report[name]);
  return attributesOf(survey).map((name) => DIGITS[place(name)]).join("");
}
var RECEIPT_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
var RECEIPT_BYTES = 10;
var newReceipt = () => crypto.getRandomValues(new Uint8Array(RECEIPT_BYTES));
function writeReceipt(receipt) {
  const number = receipt.reduce((sum2, byte) => sum2 << 8n | BigInt(byte), 0n);
  const digits = Array.from(
    { length: RECEIPT_BYTES * 8 / 5 },
    (_, place) => RECEIPT_DIGITS.charAt(Number(number >> BigInt(75 - 5 * place) & 31n))
  );
  return digits.join("").replace(/.{4}(?=.)/g, "$&-");
}
function readReceipt(text) {
  const plain = text.replace(/[\s-]/g, "").toUpperCase().replace(/O/g, "0").replace(/[IL]/g, "1");
  const codes = [...plain].map((digit) => RECEIPT_DIGITS.indexOf(digit));
  if (codes.length !== RECEIPT_BYTES * 8 / 5 || codes.includes(-1)) return null;
  const number = codes.reduce((sum2, code) => sum2 << 5n | BigInt(code), 0n);
  return Uint8Array.from(
    { length: RECEIPT_BYTES },
    (_, place) => Number(number >> BigInt(8 * (RECEIPT_BYTES - 1 - place)) & 255n)
  );
}
async function receiptId(receipt) {
  const named = new Uint8Array([...new TextEncoder().encode("deniable receipt"), ...receipt]);
  return (await sha256(named)).slice(0, 32);
}

// src/bit.ts
function bitOf(survey, bit, answers) {
  const place = (name) => {
    const found = optionsOf(survey, name).indexOf(answers[name]);
    if (found < 0) throw new Error(`The answer to ${name} is missing.`);
    return found;
  };
  const pattern = bit.features.reduce(
    (sum2, name) => sum2 * optionsOf(survey, name).length + place(name),
    0
  );
  const right = DIGITS.indexOf(bit.predicted[pattern]) === place(bit.target);
  return { [bit.question.name]: right ? "yes" : "no" };
}
function checkBit(survey) {
  const { bit } = survey;
  if (!bit) return;
  const patterns = bit.features.reduce((all, name) => all * optionsOf(survey, name).length, 1);
  const classes = optionsOf(survey, bit.target).length;
  const fits = [...bit.predicted].every((sign) => {
    const place = DIGITS.indexOf(sign);
    return place >= 0 && place < classes;
  });
  const alone2 = Object.keys(survey.design.attributes).join() === bit.question.name;
  if (!fits || !alone2 || bit.predicted.length !== patterns || survey.design.groups.length > 0) {
    throw new Error("The survey's bit does not fit its questions.");
  }
}
function optionsOf({ questions }, name) {
  const question = questions.find((one) => one.name === name && !one.several);
  if (!question) throw new Error(`There is no question ${name}.`);
  return question.options.map(({ value }) => value);
}

// src/disguise/disguise.ts
function disguise(record, design, random = crypto, personal = {}) {
  const devices = read(design);
  return apply(record, devices, toss(devices, random), personal);
}
function toss(devices, random = crypto) {
  return devices.groups.map(({ device }) => device.toss(random));
}
function apply(record, { attributes, groups }, tosses, personal = {}) {
  const answers = onlyKnown(attributes, record);
  const others = onlyKnown(attributes, personal);
  const unfit = () => new Error("These tosses do not belong to this design.");
  if (tosses.length !== groups.length || !tosses.every(isToss)) throw unfit();
  const report = /* @__PURE__ */ new Map();
  groups.forEach((group, place) => {
    const truth = codesOf(group.attributes, answers);
    const reported = group.device.apply(truth, tosses[place], ownAnswers(group, others));
    group.attributes.forEach(({ name, values }, index) => {
      const value = values[reported[index]];
      if (typeof value !== "string") throw unfit();
      report.set(name, value);
    });
  });
  return Object.fromEntries(attributes.map(({ name }) => [name, report.get(name)]));
}
function read(design) {
  if (!isObject(design?.attributes) || !Array.isArray(design.groups)) {
    throw new Error("A design has attributes and a list of groups.");
  }
  const attributes = Object.entries(design.attributes).map(readAttribute);
  const unused = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const groups = design.groups.map((group, index) => {
    try {
      return readGroup(group ?? {}, unused);
    } catch (error) {
      throw new Error(`Group ${index + 1}: ${error.message}`);
    }
  });
  const open = { attributes: [...unused.values()], device: truthful() };
  return { attributes, groups: [...groups, open] };
}
function readAttribute([name, values]) {
  const listed2 = Array.isArray(values) && values.every((value) => typeof value === "string");
  if (!listed2 || values.length === 0 || new Set(values).size < values.length) {
    throw new Error(`${quoted(name)} must list its values, as text, each of them once.`);
  }
  return { name, values };
}
function readGroup({ attributes: names, channel, ...options }, unused) {
  const [build, ...known] = channelNamed(channel);
  const odd = Object.keys(options).find((option) => !known.includes(option));
  if (odd !== void 0) throw new Error(`${channel} has no option ${quoted(odd)}.`);
  if (!Array.isArray(names) || names.length === 0) throw new Error("it lists no attributes.");
  const attributes = names.map((name) => {
    const attribute = unused.get(name);
    if (!attribute) throw new Error(`${quoted(name)} is unknown, or in a group already.`);
    unused.delete(name);
    return attribute;
  });
  const device = build(attributes, options);
  const works = typeof device?.toss === "function" && typeof device.apply === "function";
  if (!works) throw new Error(`the device of ${channel} cannot be tossed and applied.`);
  return { attributes, device };
}
function onlyKnown(attributes, answers) {
  const given = new Map(Object.entries(answers ?? {}));
  const names = attributes.map(({ name }) => name);
  const odd = [...given.keys()].find((name) => !names.includes(name));
  if (odd !== void 0) throw new Error(`The design has no attribute ${quoted(odd)}.`);
  return given;
}
function ownAnswers({ attributes, device }, others) {
  const given = attributes.find(({ name }) => others.has(name));
  if (given && device.personal) return codesOf(attributes, others);
  if (given) throw new Error(`There is no personal question beside ${quoted(given.name)}.`);
  if (!device.personal?.needed) return void 0;
  throw new Error(`The personal question beside ${quoted(attributes[0].name)} needs an answer.`);
}
var isToss = (toss2) => Array.isArray(toss2) && toss2.every((face) => Number.isInteger(face) && face >= 0);

// src/coins.ts
function throwCoins(survey, random = crypto) {
  const arm = coin(survey.direct ?? "0")(random) ? "direct" : "disguised";
  return { arm, tosses: toss(read(survey.design), random) };
}
function keptCoins(survey, keeper) {
  return keeper.alone("coins", async () => {
    const kept = keeper.get("coins");
    if (kept) return kept;
    const thrown = throwCoins(survey);
    keeper.set("coins", thrown);
    return thrown;
  });
}

// src/keeping.ts
function keeperFor(scope, lasting) {
  const storage = lasting ? deviceStorage() : null;
  return storage ? keeperOn(storage, scope, true) : keeperOn(memoryStorage(), scope, false);
}
function keeperOn(storage, scope, lasting) {
  const prefix = `deniable:${scope}:`;
  return {
    lasting,
    get(name) {
      const text = storage.getItem(prefix + name);
      try {
        return text === null ? void 0 : JSON.parse(text);
      } catch {
        return void 0;
      }
    },
    set: (name, value) => storage.setItem(prefix + name, JSON.stringify(value)),
    remove: (name) => storage.removeItem(prefix + name),
    forget() {
      for (const name of NAMES) storage.removeItem(prefix + name);
    },
    alone: (name, task) => lasting && navigator.locks ? navigator.locks.request(prefix + name, task) : task()
  };
}
var NAMES = ["coins", "blinding", "token", "pending", "sent", "givenUp"];
function deviceStorage() {
  try {
    const probe = "deniable:probe";
    localStorage.setItem(probe, "");
    localStorage.removeItem(probe);
    return localStorage;
  } catch {
    return null;
  }
}
function memoryStorage() {
  const items = /* @__PURE__ */ new Map();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key)
  };
}

// src/network.ts
var Refused = class extends Error {
  constructor(status) {
    super(`The server answered ${status}.`);
    this.status = status;
  }
  status;
};
var PATIENCE = 2e4;
var FIRST_PAUSE = 1e3;
var LONGEST_PAUSE = 6e4;
var post = (path, body) => request(path, { method: "POST", body, headers: { "Content-Type": "application/json" } });
var get = (path) => request(path, {});
async function request(path, options) {
  const unreached = () => {
    throw new Unreached();
  };
  const response = await fetch(path, {
    ...options,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(PATIENCE)
  }).catch(unreached);
  const { ok, status, headers } = response;
  if (ok) return response.json().catch(unreached);
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new Refused(status);
  throw new Unreached(Number(headers.get("Retry-After")) * 1e3 || 0);
}
var Unreached = class extends Error {
  constructor(pause = 0) {
    super("The server cannot be reached.");
    this.pause = pause;
  }
  pause;
};
async function persistently(task, onWaiting) {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      onWaiting();
      await waited(Math.max(pause, error.pause));
    }
  }
}
var waited = (pause) => new Promise((resolve) => {
  const done2 = () => {
    clearTimeout(timer);
    removeEventListener("online", done2);
    resolve();
  };
  const timer = setTimeout(done2, pause);
  addEventListener("online", done2);
});

// src/dom.ts
function h(tag, given = {}, ...children) {
  return filled(document.createElement(tag), given, children);
}
function svg(tag, given = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), given, children);
}
function filled(element, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child instanceof Node || typeof child === "string"));
  return element;
}
var SPOT = "￼";
function around(say, child) {
  const [before, after] = say(SPOT).split(SPOT);
  return [before, child, after];
}
var paragraphs = (text) => text.trim().split(/\n\s*\n/).map((part) => h("p", {}, part));

// src/page.ts
var Page = class {
  constructor(root2, survey, language, banner, session = null) {
    this.root = root2;
    this.survey = survey;
    this.banner = banner;
    this.session = session;
    this.language = language;
  }
  root;
  survey;
  banner;
  session;
  language;
  place = 0;
  furthest = 0;
  steps = [];
  shown = null;
  last = null;
  said = /* @__PURE__ */ new Map();
  /** Whether there is no way back into the questions. */
  get ended() {
    return this.last !== null;
  }
  /** Whether there is anything but receipts to go back to. */
  get started() {
    return this.ended || this.session !== null;
  }
  /** What the page itself says in the language chosen. */
  get texts() {
    return this.textsIn(this.language);
  }
  textsIn(language) {
    const made = this.said.get(language);
    if (made) return made;
    const texts = this.survey ? textsOf(this.survey, language) : textsFor(language);
    this.said.set(language, texts);
    return texts;
  }
  /** A text of the survey in the language chosen. */
  say(text) {
    return text[this.language] ?? Object.values(text)[0] ?? "";
  }
  /** Begins a flow; each step is a place in the browser's history, which holds its number only. */
  begin(steps) {
    this.steps = steps;
    this.last = null;
    this.furthest = this.place = 0;
    history.replaceState({ step: 0 }, "");
    this.show(steps[0]);
  }
  /** Goes one step on. */
  forward() {
    this.place = Math.min(this.place + 1, this.steps.length - 1);
    this.furthest = Math.max(this.furthest, this.place);
    history.pushState({ step: this.place }, "");
    this.show(this.steps[this.place]);
  }
  /** Goes to a place of the flow that has been reached before. */
  goTo(place) {
    if (this.last) return this.show(this.last);
    const wanted = typeof place === "number" && place <= this.furthest ? place : this.place;
    this.place = wanted;
    this.show(this.steps[wanted]);
  }
  /** Leaves the flow: there is no way back to it. */
  end(step) {
    this.steps = [];
    this.last = step;
    this.show(step);
  }
  /** Shows a step anew if it is still the one shown. */
  update(step) {
    if (this.shown === step) this.show(step, false);
  }
  /** Shows a step beside the flow, or again. */
  show(step, focus = true) {
    this.shown = step;
    const screen = step(this);
    const title = this.survey ? this.say(this.survey.title) : "";
    document.documentElement.lang = this.language;
    document.documentElement.dir = directionOf(this.language);
    document.title = title ? `${screen.title} · ${title}` : screen.title;
    const heading = h("h1", { tabindex: -1, class: "heading" }, screen.title);
    this.root.replaceChildren(
      this.header(title),
      h("main", { id: "main" }, this.progress(), heading, this.form(screen)),
      this.footer()
    );
    if (!focus) return;
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }
  /** Shows the same step again, such as in another language. */
  again() {
    if (this.shown) this.show(this.shown);
  }
  /** Empties the page: nothing of it may outlive its visit. */
  clear() {
    this.root.replaceChildren();
  }
  form(screen) {
    const { next, submit } = screen;
    const submitted = (event) => {
      event.preventDefault();
      submit?.();
      if (next && next.act?.() !== false) this.forward();
    };
    const canReturn = this.steps.includes(this.shown) && this.place > 0 && !screen.ending;
    return h(
      "form",
      { submit: submitted, autocomplete: "off", novalidate: true },
      ...screen.content,
      (next || canReturn) && h(
        "div",
        { class: "ways" },
        next && h("button", { type: "submit", class: "primary" }, next.label),
        canReturn && h("button", { type: "button", click: () => history.back() }, this.texts.back)
      )
    );
  }
  progress() {
    if (!this.steps.includes(this.shown)) return null;
    const [step, of] = [this.place + 1, this.steps.length];
    const label = this.texts.progress({ step, of });
    return h(
      "p",
      { class: "progress" },
      h("progress", { max: of, value: step, "aria-hidden": "true" }),
      h("span", {}, label)
    );
  }
  header(title) {
    return h(
      "header",
      {},
      this.banner && h("p", { class: "banner" }, this.texts.preview),
      h("div", { class: "bar" }, h("p", { class: "survey" }, title), this.languages())
    );
  }
  languages() {
    const languages = this.survey?.languages ?? [];
    if (languages.length < 2) return null;
    const chosen = (language) => () => {
      this.language = language;
      this.again();
    };
    return h(
      "nav",
      { "aria-label": this.texts.language, class: "languages" },
      ...languages.map(
        (language) => h(
          "button",
          {
            type: "button",
            lang: language,
            dir: directionOf(language),
            "aria-pressed": String(language === this.language),
            click: chosen(language)
          },
          this.textsIn(language).name
        )
      )
    );
  }
  footer() {
    const { texts, survey } = this;
    const atReceipts = location.hash === "#receipt";
    return h(
      "footer",
      {},
      survey?.contact && h("p", {}, ...around((contact) => texts.contact({ contact }), contactLink(survey.contact))),
      survey && !atReceipts && h("p", {}, h("a", { href: "#receipt" }, texts.checkReceipt))
    );
  }
};
var contactLink = (contact) => {
  const isAddress = /^\S+@\S+$/.test(contact);
  return h("bdi", {}, isAddress ? h("a", { href: `mailto:${contact}` }, contact) : contact);
};

// src/controls.ts
function control(page, asked2) {
  const { question, prefix, answers } = asked2;
  const name = `${prefix}-${question.attributes[0]}`;
  const error = h("p", { class: "error", id: `${name}-error` });
  const help = asked2.help.length > 0 && h("div", { class: "help", id: `${name}-help` }, ...asked2.help);
  const element = h(
    "fieldset",
    { "aria-describedby": help ? `${name}-help ${name}-error` : `${name}-error` },
    h("legend", {}, ...asked2.legend),
    help,
    error,
    ...question.several ? boxes(page, asked2, name) : radios(page, asked2, name)
  );
  element.addEventListener("change", () => {
    error.textContent = "";
    element.classList.remove("wanting");
  });
  return {
    element,
    answered: () => question.attributes.every((attribute) => answers.has(attribute)),
    complain(sentence) {
      error.textContent = sentence;
      element.classList.add("wanting");
    }
  };
}
var labelled = (input, text) => h("label", { class: "option" }, input, h("span", {}, text));
function radios(page, { question, answers }, name) {
  const [attribute] = question.attributes;
  return question.options.map(
    ({ value, text }) => labelled(
      h("input", {
        type: "radio",
        name,
        value,
        autocomplete: "off",
        checked: answers.get(attribute) === value,
        change: () => answers.set(attribute, value)
      }),
      page.say(text)
    )
  );
}
function boxes(page, { question, answers }, name) {
  const { attributes } = question;
  const box = (value, checked) => h("input", { type: "checkbox", name, value, checked, autocomplete: "off" });
  const ticks = question.options.map(
    ({ value }, place) => box(value, answers.get(attributes[place]) === "yes")
  );
  const given = attributes.every((attribute) => answers.has(attribute));
  const none = box("", given && ticks.every(({ checked }) => !checked));
  const changed = () => {
    const answered = none.checked || ticks.some(({ checked }) => checked);
    attributes.forEach((attribute, place) => {
      if (answered) answers.set(attribute, ticks[place].checked ? "yes" : "no");
      else answers.delete(attribute);
    });
  };
  none.addEventListener("change", () => {
    if (none.checked) for (const tick of ticks) tick.checked = false;
    changed();
  });
  for (const tick of ticks) {
    tick.addEventListener("change", () => {
      if (tick.checked) none.checked = false;
      changed();
    });
  }
  const labels = question.options.map(({ text }) => page.say(text));
  return [
    ...ticks.map((tick, place) => labelled(tick, labels[place])),
    labelled(none, page.texts.questions.none)
  ];
}

// src/steps/check.ts
var QUESTIONS = [
  ({ report }) => ({
    ...report,
    options: [report.real, report.nothing],
    right: 1
  }),
  ({ group }) => ({
    ...group,
    options: [group.undo, group.compute, group.names],
    right: 1
  })
];
var check = (session) => (page) => {
  const texts = page.texts.check;
  const answers = /* @__PURE__ */ new Map();
  const error = h("p", { class: "error", role: "alert" });
  const here = (text) => ({ [page.language]: text });
  const asked2 = QUESTIONS.map((ask, place) => {
    const { text, options, right, why } = ask(texts);
    const name = `check${place}`;
    const feedback = h("p", { class: "feedback", role: "status" });
    const question = {
      several: false,
      attributes: [name],
      options: options.map((option, code) => ({ value: String(code), text: here(option) }))
    };
    const shown = control(page, { question, prefix: "q", legend: [text], help: [], answers });
    const judge = () => {
      const good = answers.get(name) === String(right);
      feedback.classList.toggle("right", good);
      feedback.textContent = `${good ? texts.right : texts.wrong} ${why}`;
      return good;
    };
    shown.element.append(feedback);
    return { control: shown, judge };
  });
  let judged = false;
  return {
    title: texts.title,
    content: [
      h("p", { class: "lead" }, texts.lead),
      ...asked2.map((one) => one.control.element),
      error
    ],
    next: {
      label: page.texts.next,
      act() {
        if (judged || session.checked) return true;
        if (!allAnswered(asked2.map((one) => one.control))) {
          error.textContent = texts.first;
          return false;
        }
        error.textContent = "";
        session.understood = asked2.map(({ judge }) => judge()).filter(Boolean).length;
        session.checked = judged = true;
        return false;
      }
    }
  };
};
var allAnswered = (controls) => controls.every(({ answered }) => answered());

// src/law.ts
var probability = (text) => {
  const [top, bottom] = fraction(text);
  return Number(top) / Number(bottom);
};
var lawOf = (survey, group) => shownOf(survey, group).law.map((reports) => reports.map(probability));
function crowdOf(shares) {
  for (const people of [10, 6, 12, 20, 100]) {
    const counts = shares.map((share) => Math.round(share * people));
    const whole2 = shares.every((share, place) => Math.abs(share * people - counts[place]) < 1e-9);
    if (whole2) return { people, counts, exact: true };
  }
  return { people: 100, counts: rounded(shares, 100), exact: false };
}
function rounded(shares, people) {
  const counts = shares.map((share) => Math.floor(share * people));
  const places = shares.map((_, place) => place);
  const remainder = (place) => shares[place] * people - counts[place];
  places.sort((one, other) => remainder(other) - remainder(one));
  for (const place of places.slice(0, people - sum(counts))) counts[place] += 1;
  return counts;
}
function inference(law, value, having = 10) {
  const others = (100 - having) / (law.length - 1);
  const sent3 = sum(law.map((row, truth) => (truth === value ? having : others) * row[value]));
  const theirs = having * law[value][value];
  return { having, sent: Math.round(sent3), theirs: Math.round(theirs) };
}
function guessesOf({ guesses }) {
  const found = guesses.map((guess) => [probability(guess.after), probability(guess.before)]);
  const [after, before] = found.reduce((best, each) => each[0] > best[0] ? each : best);
  return { before: whole(before), after: whole(after) };
}
var whole = (share) => share < 1 ? Math.min(Math.round(100 * share), 99) : 100;
var sum = (numbers) => numbers.reduce((total, next) => total + next, 0);

// src/byhand.ts
var byHand = (survey, group) => shownOf(survey, group).byHand;
function unknownPart(part) {
  throw new Error(`There are no words for ${JSON.stringify(part)}.`);
}

// src/picture.ts
function pictureOf(page, survey, group) {
  return h("div", { class: "picture" }, ...rowsOf(page, survey, group).map(drawn));
}
function drawn({ title, crowd, parts }) {
  const size = crowd.people > 20 ? "crowd many" : crowd.people > 10 ? "crowd more" : "crowd";
  const sorted = [...parts].sort((one, other) => Number(other.real) - Number(one.real));
  const bodies = sorted.flatMap(
    ({ count, real }) => Array.from({ length: count }, () => person(real))
  );
  const legend = sorted.map(({ real, words }) => h("li", {}, person(real), words));
  return h(
    "figure",
    {},
    h("figcaption", {}, title),
    h("div", { class: size, "aria-hidden": "true" }, ...bodies),
    h("ul", { class: "legend" }, ...legend)
  );
}
function person(real) {
  const body = "M4 22v-5a6 6 0 0 1 12 0v5z";
  const given = { viewBox: "0 0 20 24", class: real ? "person real" : "person disguised" };
  const mask = svg("path", { d: "M6.6 5.6h6.8", class: "mask" });
  return svg(
    "svg",
    { ...given, "aria-hidden": "true", focusable: "false" },
    svg("circle", { cx: 10, cy: 6, r: 4.2 }),
    svg("path", { d: body }),
    !real && mask
  );
}
function rowsOf(page, survey, place) {
  const texts = page.texts.how;
  const group = survey.design.groups[place];
  const question = questionsOf(survey, place)[0];
  const shown = shownOf(survey, place);
  const label = (value) => labelOf(page, question, value);
  const words = (part, count) => {
    switch (part.do) {
      case "truth":
        return group.attributes.length > 1 ? texts.asIs({ count }) : texts.oneAsIs({ count });
      case "personal":
        return shown.personal ? texts.others.personal({ count }) : texts.others.drawn({ count });
      case "opposite":
      case "another":
      case "drawn":
        return texts.others[part.do]({ count });
      case "say":
        return texts.saysAnyway({ count, value: label(part.value) });
      default:
        return unknownPart(part);
    }
  };
  if (shown.outcomes.length > 0) {
    const crowd = crowdOf(shown.outcomes.map(({ chance }) => probability(chance)));
    const parts = shown.outcomes.map((part, index) => {
      const count = crowd.counts[index];
      return { count, real: part.do === "truth", words: words(part, count) };
    });
    const title = (crowd.exact ? texts.of : texts.ofAbout)({ count: crowd.people });
    return [{ title, crowd, parts: parts.filter(some) }];
  }
  const values = survey.design.attributes[question.attributes[0]];
  return lawOf(survey, place).map((shares, truth) => {
    const crowd = crowdOf(shares);
    const parts = crowd.counts.map((count, told2) => ({
      count,
      real: told2 === truth,
      words: texts.says({ count, value: label(values[told2]) })
    }));
    const those = crowd.exact ? texts.ofThose : texts.ofThoseAbout;
    const title = those({ count: crowd.people, value: label(values[truth]) });
    return { title, crowd, parts: parts.filter(some) };
  });
}
var some = ({ count }) => count > 0;
function labelOf(page, question, value) {
  if (question.several) return value === "yes" ? page.texts.yes : page.texts.no;
  const option = question.options.find((one) => one.value === value);
  return option ? page.say(option.text) : value;
}

// src/steps/consent.ts
var consent = (session, agreed) => (page) => {
  const texts = page.texts.consent;
  const { survey } = session;
  return {
    title: texts.title,
    content: [
      consequences(page, survey),
      h("p", {}, texts.because),
      h("p", {}, texts.guess(guessesOf(survey))),
      hasPublic(survey) && h("p", {}, texts.public),
      survey.direct && h("p", {}, texts.notDirect(inPeople(survey.direct))),
      h("section", { class: "words" }, ...paragraphs(page.say(survey.consent))),
      h("p", { class: "quiet" }, texts.stop)
    ],
    next: { label: texts.agree, act: agreed }
  };
};
var directConsent = (session, agreed) => (page) => {
  const texts = page.texts.direct;
  const { survey } = session;
  return {
    title: texts.title,
    content: [
      h("p", { class: "lead callout" }, texts.lead),
      h("p", {}, texts.body(inPeople(survey.direct ?? "0"))),
      h("section", { class: "words" }, ...paragraphs(page.say(survey.consent))),
      h("p", {}, texts.stop)
    ],
    next: { label: texts.agree, act: agreed }
  };
};
var plainConsent = (session, agreed) => (page) => {
  const { consent: texts } = page.texts;
  const plain = session.survey.bit ? page.texts.oneBit : page.texts.plain;
  return {
    title: plain.title,
    content: [
      h("p", { class: "lead callout" }, plain.lead),
      h("p", {}, plain.body),
      h("section", { class: "words" }, ...paragraphs(page.say(session.survey.consent))),
      h("p", { class: "quiet" }, texts.stop)
    ],
    next: { label: texts.agree, act: agreed }
  };
};
var hasPublic = ({ questions }) => questions.some(({ group }) => group === null);
function certainOf(page, survey) {
  const labels = groupsOf(survey).flatMap((group) => {
    const { certain } = survey.guesses[group];
    const [question] = questionsOf(survey, group);
    const values = survey.design.attributes[question.attributes[0]];
    return certain === null ? [] : [labelOf(page, question, values[certain])];
  });
  return [...new Set(labels)];
}
function consequences(page, survey) {
  const texts = page.texts.consent;
  const certain = certainOf(page, survey);
  const values = certain.map((value) => page.texts.quoted({ value }));
  const never = values.length > 0 ? texts.neverBut({ values }) : texts.never;
  const row = (who) => h(
    "tr",
    {},
    h("th", { scope: "row" }, who),
    h("td", { class: "never" }, never),
    h("td", {}, texts.share)
  );
  const answer = hasPublic(survey) ? texts.disguisedAnswer : texts.answer;
  const head = [texts.who, answer, texts.learns];
  return h(
    "table",
    { class: "consequences" },
    h("caption", {}, texts.table),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...Object.values(texts.rows).map(row))
  );
}
function inPeople(share) {
  const [top, bottom] = fraction(share).map(Number);
  const divisor2 = (a, b) => b ? divisor2(b, a % b) : a;
  const common = divisor2(top, bottom);
  return { some: top / common, of: bottom / common };
}

// src/steps/done.ts
var done = (receipt, keeper, preview = false) => (page) => {
  const texts = page.texts.done;
  const lead = page.survey?.bit ? texts.leadBit : texts.lead;
  const status = h("p", { class: "quiet", role: "status" });
  const code = h("output", { class: "receipt", dir: "ltr" }, receipt);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(receipt);
      status.textContent = texts.copied;
    } catch {
      getSelection()?.selectAllChildren(code);
    }
  };
  const forget = () => {
    keeper.forget();
    status.textContent = texts.forgotten;
  };
  const button = (label, click) => h("button", { type: "button", click }, label);
  return {
    title: texts.title,
    content: [
      h("p", { class: "lead" }, preview ? texts.preview : lead),
      h(
        "section",
        { class: "card", "aria-label": texts.receipt },
        h("h2", {}, texts.receipt),
        h("p", {}, code),
        h(
          "p",
          { class: "ways" },
          button(texts.copy, () => void copy()),
          button(texts.print, () => print())
        ),
        h("p", {}, texts.why)
      ),
      keeper.lasting && h("p", { class: "quiet" }, texts.kept),
      keeper.lasting && h("p", { class: "ways" }, button(texts.forget, forget)),
      status
    ],
    ending: true
  };
};

// src/steps/how.ts
var how = (session) => (page) => {
  const texts = page.texts.how;
  const groups = groupsOf(session.survey);
  const alike = groupedAlike(session.survey);
  const error = h("p", { class: "error", role: "alert", id: "device-error" });
  return {
    title: texts.title,
    content: [
      ...alike.map((some2) => explained(page, session.survey, some2, alike.length > 1)),
      h("p", {}, texts.sentences),
      h(
        "div",
        { class: "callout" },
        h("p", { class: "lead" }, texts.admission({ value: sensitiveLabel(page, session, groups[0]) })),
        h("p", {}, texts.admissionWhy)
      ),
      h(
        "details",
        {},
        h("summary", {}, texts.readerTitle),
        ...alike.map(([group]) => inferred(page, session, group))
      ),
      choice(page, session),
      error
    ],
    next: {
      label: page.texts.next,
      act() {
        if (session.device) return true;
        error.textContent = texts.chooseFirst;
        return false;
      }
    }
  };
};
function groupedAlike(survey) {
  const { groups, attributes } = survey.design;
  const alike = /* @__PURE__ */ new Map();
  for (const place of groupsOf(survey)) {
    const { attributes: names, personal, ...device } = groups[place];
    const values = names.map((name) => attributes[name]);
    const asked2 = personal && asksPersonal(survey, place);
    const key = JSON.stringify([device, asked2, values, names.length > 1 && place]);
    alike.set(key, [...alike.get(key) ?? [], place]);
  }
  return [...alike.values()];
}
function explained(page, survey, groups, named) {
  const texts = page.texts.how;
  const questions = groups.flatMap((group) => questionsOf(survey, group));
  const together = survey.design.groups[groups[0]].attributes.length > 1;
  const apart = groups.length > 1;
  return h(
    "section",
    { class: "card" },
    named && h("ul", { class: "asked" }, ...questions.map(({ text }) => h("li", {}, page.say(text)))),
    pictureOf(page, survey, groups[0]),
    together && h("p", { class: "quiet" }, texts.together),
    apart && h("p", { class: "quiet" }, texts.apart)
  );
}
function sensitiveLabel(page, session, group) {
  const { survey } = session;
  const [question] = questionsOf(survey, group);
  const values = survey.design.attributes[question.attributes[0]];
  return labelOf(page, question, values[shownOf(survey, group).sensitive]);
}
function inferred(page, session, group) {
  const { survey } = session;
  const [question] = questionsOf(survey, group);
  const { sensitive } = shownOf(survey, group);
  const guess = inference(lawOf(survey, group), sensitive);
  const asked2 = question.several ? `${page.say(question.text)} ${page.say(question.options[0].text)}` : page.say(question.text);
  const value = sensitiveLabel(page, session, group);
  const reader = page.texts.how.reader({ question: asked2, value, ...guess });
  const alone2 = survey.design.groups[group].attributes.length === 1;
  return h("p", {}, reader, ...alone2 ? [` ${page.texts.how.allThatIsRead({ value })}`] : []);
}
function devicesOf({ survey, keeper, preview }) {
  const hands = groupsOf(survey).every((place) => byHand(survey, place));
  return survey.devices.filter((device) => device === "own" ? hands : keeper.lasting || preview);
}
function choice(page, session) {
  const texts = page.texts.how;
  const devices = devicesOf(session);
  const words = {
    page: [texts.page, texts.pageHelp],
    own: [texts.own, texts.ownHelp]
  };
  const chosen = (device) => () => {
    if (session.device === device) return;
    session.device = device;
    session.answers.clear();
    session.personal.clear();
  };
  const option = (device) => h(
    "label",
    { class: "option" },
    h("input", {
      type: "radio",
      name: "device",
      value: device,
      checked: session.device === device,
      autocomplete: "off",
      change: chosen(device)
    }),
    h(
      "span",
      {},
      h("strong", {}, words[device][0]),
      h("span", { class: "help" }, words[device][1])
    )
  );
  return h(
    "fieldset",
    { "aria-describedby": "device-error" },
    h("legend", {}, texts.choose),
    ...devices.map(option),
    session.survey.devices.length > devices.length && devices[0] === "own" && h("p", { class: "quiet" }, texts.noStorage)
  );
}

// src/steps/notice.ts
var notice = (trouble, ways) => ({ texts }) => {
  const { title, text } = { ...texts.early, ...texts.trouble }[trouble];
  return {
    title,
    content: [
      h("p", { class: "lead" }, text),
      ways && h(
        "p",
        { class: "ways" },
        h("button", { type: "button", class: "primary", click: ways.again }, texts.tryAgain),
        h("button", { type: "button", click: ways.forget }, texts.done.forget)
      )
    ],
    ending: true
  };
};

// src/instructions.ts
function instructions(page, hand, questions, continued) {
  const texts = page.texts.own;
  const many = questions.length > 1;
  const ticks = questions.some(({ several }) => several);
  const paired = hand.parts.some((part) => part.do === "personal");
  const todo = (part) => {
    switch (part.do) {
      case "truth":
        if (paired) return many ? texts.firsts : texts.first;
        return many ? texts.truths : texts.truth;
      case "say":
        return texts.say({ value: labelOf(page, questions[0], part.value) });
      case "personal":
        return many ? texts.seconds : texts.second;
      case "opposite":
        if (ticks) return texts.oppositesTicks;
        return many ? texts.opposites : texts.opposite;
      case "another":
      case "drawn":
        throw new Error("Nobody draws evenly by hand.");
      default:
        return unknownPart(part);
    }
  };
  const coin2 = [texts.heads, texts.tails];
  const shown = (outcome, place) => hand.tool === "coin" && hand.parts.length > 1 ? coin2[place] : withDigits(page.language, outcome);
  const rows = hand.parts.map(
    (part, place) => h(
      "tr",
      {},
      h("th", { scope: "row" }, h("bdi", {}, shown(hand.outcomes[place], place))),
      h("td", {}, todo(part))
    )
  );
  const head = [texts.outcome, texts.todo];
  return h(
    "section",
    { class: "card byhand", "aria-label": texts.title },
    h("h2", {}, texts.title),
    h("p", {}, continued ? texts.same : texts.tools[hand.tool]),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...rows)
    ),
    h("p", { class: "quiet" }, texts.never)
  );
}

// src/steps/practice.ts
var practice = (session, survey) => (page) => {
  const texts = page.texts.practice;
  const [question] = survey.questions;
  const { name } = question;
  const hand = session.device === "own" ? byHand(survey, 0) : null;
  const both = asksPersonal(survey, 0);
  const answers = /* @__PURE__ */ new Map();
  const personal = /* @__PURE__ */ new Map();
  const result = h("div", { class: "result", role: "status" });
  const line = (letter, text) => h("span", { class: "line" }, h("span", { class: "letter" }, letter), page.say(text));
  const asked2 = (prefix, into, ...legend) => control(page, { question, prefix, legend, help: [], answers: into });
  const second = both && question.personal ? [line("B", question.personal.text)] : [];
  const first = both ? line("A", question.text) : page.say(question.text);
  const controls = hand ? [asked2("practice", answers, first, ...second)] : [
    asked2("practice", answers, first),
    ...second.map((text) => asked2("practice-personal", personal, text))
  ];
  const show = (...content) => result.replaceChildren(...content);
  const label = (value) => value === "yes" ? page.texts.yes : page.texts.no;
  const tossed = () => {
    if (!controls.every(({ answered }) => answered())) {
      return show(h("p", { class: "error" }, texts.first));
    }
    const truth = answers.get(name);
    if (hand) {
      return show(sent(texts.wouldSend({ value: label(truth) })), h("p", {}, texts.onlyClicked));
    }
    const devices = read(survey.design);
    const tosses = toss(devices);
    const report = apply({ [name]: truth }, devices, tosses, Object.fromEntries(personal))[name];
    const beside = both ? devices.groups[0].device.personal : void 0;
    const changed = report === truth ? texts.kept : texts.changed;
    show(
      h("p", {}, beside ? texts.picked({ letter: beside.kept(tosses[0]) ? "A" : "B" }) : changed),
      sent(texts.wouldSend({ value: label(report) })),
      h("p", {}, texts.onlyThis)
    );
  };
  return {
    title: texts.title,
    content: [
      h("p", { class: "lead" }, texts.lead),
      hand && instructions(page, hand, survey.questions, false),
      ...controls.map(({ element }) => element),
      h(
        "p",
        { class: "ways" },
        h("button", { type: "button", click: tossed }, hand ? texts.done : texts.toss)
      ),
      result
    ],
    next: { label: page.texts.next }
  };
};
var sent = (text) => h("p", { class: "sent" }, text);
function practiceSurvey(survey) {
  if (!survey.practice) return null;
  const { group, shown } = survey.practice;
  const [name] = group.attributes;
  const each = (text) => Object.fromEntries(survey.languages.map((language) => [language, text(language)]));
  const question = {
    name,
    several: false,
    text: each((language) => textsOf(survey, language).practice.question),
    help: null,
    options: [
      { value: "no", text: each((language) => textsOf(survey, language).no) },
      { value: "yes", text: each((language) => textsOf(survey, language).yes) }
    ],
    attributes: [name],
    group: 0,
    personal: shown.personal ? { text: each((language) => textsOf(survey, language).practice.personal), source: "" } : null
  };
  const design = { attributes: { [name]: ["no", "yes"] }, groups: [group] };
  return { ...survey, questions: [question], design, shown: [shown] };
}

// src/steps/questions.ts
var questionSteps = (session) => batchesOf(session.survey).map(
  (batch, place, all) => (page) => asking(page, session, batch, place + 1, all.length)
);
function asking(page, session, batch, number, of) {
  const texts = page.texts.questions;
  const { group, questions, continued } = batch;
  const disguised = session.arm === "disguised" && group !== null;
  const hand = disguised && session.device === "own" ? byHand(session.survey, group) : null;
  const both = disguised && asksPersonal(session.survey, group);
  const controls = questions.flatMap((question) => asked(page, session, question, both, !!hand));
  const summary = h("p", { class: "error", role: "alert" });
  for (const { element } of controls) {
    element.addEventListener("change", () => summary.replaceChildren());
  }
  return {
    title: of === 1 ? texts.title : texts.part({ number, of }),
    content: [
      h("p", { class: "quiet" }, texts.all),
      hand && instructions(page, hand, questions, continued),
      disguised && !hand && h("p", {}, texts.pageCoin),
      both && !hand && h("p", {}, texts.both),
      summary,
      ...controls.map(({ element }) => element)
    ],
    next: {
      label: page.texts.next,
      act() {
        const missing = controls.filter(({ answered }) => !answered());
        for (const one of missing) one.complain(texts.needed);
        summary.textContent = missing.length > 0 ? texts.missing({ count: missing.length }) : "";
        missing[0]?.element.querySelector("input")?.focus();
        return missing.length === 0;
      }
    }
  };
}
function asked(page, session, question, both, hand) {
  const texts = page.texts.questions;
  const kind = session.survey.bit ? h("span", { class: "badge" }, texts.stays) : question.group === null ? h("span", { class: "badge open" }, texts.public) : session.arm === "direct" ? h("span", { class: "badge open" }, texts.direct) : h("span", { class: "badge" }, texts.disguised);
  const letter = (text2) => h("span", { class: "letter" }, text2);
  const help = () => [
    question.help && h("p", {}, page.say(question.help)),
    !question.help && question.several && h("p", {}, texts.several)
  ];
  const one = (prefix, legend, answers) => control(page, { question, prefix, legend, help: help().filter(Boolean), answers });
  const text = page.say(question.text);
  if (!both || !question.personal) return [one("a", [kind, text], session.answers)];
  const second = page.say(question.personal.text);
  if (hand) {
    const legend = [kind, h("span", { class: "line" }, letter("A"), text)];
    legend.push(h("span", { class: "line" }, letter("B"), second));
    return [one("a", legend, session.answers)];
  }
  return [
    one("a", [kind, h("span", { class: "line" }, letter("A"), text)], session.answers),
    one("b", [h("span", { class: "line" }, letter("B"), second)], session.personal)
  ];
}
function firstOpen(session) {
  const { survey, arm, device, answers, personal } = session;
  const answered = ({ attributes, group }) => {
    const drawn3 = arm === "disguised" && device === "page" && group !== null;
    const both = drawn3 && asksPersonal(survey, group);
    return attributes.every((name) => answers.has(name) && (!both || personal.has(name)));
  };
  return batchesOf(survey).findIndex(({ questions }) => !questions.every(answered));
}

// src/steps/receipts.ts
var receipts = (page) => {
  const texts = page.texts.receipts;
  const said2 = h("p", { class: "lead", role: "status", id: "receipt-said" });
  const input = h("input", {
    type: "text",
    id: "receipt",
    class: "receipt",
    maxlength: 40,
    size: 22,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    dir: "ltr",
    "aria-describedby": "receipt-help receipt-said"
  });
  const confirm = h("div", { class: "confirm" });
  const ask = async (task) => {
    confirm.replaceChildren();
    const receipt = readReceipt(input.value);
    if (!receipt) {
      said2.textContent = texts.malformed;
      input.focus();
      return;
    }
    said2.textContent = page.texts.loading;
    said2.textContent = await task(receipt).catch(() => texts.unreachable);
  };
  const check2 = async (receipt) => {
    const body = JSON.stringify({ id: await receiptId(receipt) });
    const { included } = await post("api/receipts/check", body);
    return included ? texts.included : texts.missing;
  };
  const erase = async (receipt) => {
    const body = JSON.stringify({ receipt: writeReceipt(receipt).replaceAll("-", "") });
    const { deleted } = await post("api/receipts/delete", body);
    return deleted ? texts.deleted : texts.nothing;
  };
  const button = (label, click, look = "") => h("button", { type: "button", class: look, click }, label);
  const confirmed = () => {
    said2.textContent = "";
    const yes = button(texts.reallyErase, () => void ask(erase), "danger");
    const no = button(texts.keep, () => confirm.replaceChildren());
    confirm.replaceChildren(
      h("p", { class: "lead" }, texts.sure),
      h("p", { class: "ways" }, yes, no)
    );
    no.focus();
  };
  const leave = (event) => {
    if (!page.started) return;
    event.preventDefault();
    history.back();
  };
  return {
    title: texts.title,
    content: [
      h("p", {}, h("label", { for: "receipt" }, texts.label)),
      h(
        "p",
        { class: "help", id: "receipt-help" },
        ...around(
          (example) => texts.help({ example }),
          h("bdi", { class: "example" }, "K7QF-2M0P-X4TD-9RWB")
        )
      ),
      h("p", {}, input),
      h(
        "p",
        { class: "ways" },
        h("button", { type: "submit", class: "primary" }, texts.check),
        button(texts.erase, confirmed)
      ),
      confirm,
      said2,
      h("p", {}, h("a", { href: "#", click: leave }, page.texts.backToSurvey))
    ],
    submit: () => void ask(check2),
    ending: true
  };
};

// src/report.ts
function reportOf(session) {
  const { survey, keeper, arm, device, answers, personal } = session;
  const record = Object.fromEntries(answers);
  if (survey.bit) return bitOf(survey, survey.bit, record);
  if (arm === "direct" || device === "own") return record;
  const { tosses } = keeper.get("coins") ?? session.coins;
  return apply(record, read(survey.design), tosses, Object.fromEntries(personal));
}
async function bodyOf(session, report, token) {
  const { survey, arm, device, understood } = session;
  session.receipt ??= newReceipt();
  return encode({
    survey: survey.fingerprint,
    id: await receiptId(session.receipt),
    token,
    arm,
    device: device ?? "page",
    understood,
    report: writeReport(survey, report)
  });
}

// src/steps/review.ts
var review = (session, send) => (page) => {
  const texts = page.texts.review;
  const report = reportOf(session);
  const note = session.survey.bit ? texts.noteBit : session.arm === "direct" ? texts.noteDirect : session.device === "own" ? texts.noteOwn : texts.note;
  const status = h("p", { class: "quiet", role: "status" });
  const literal = h("pre", { tabindex: 0, dir: "ltr", "aria-label": texts.literal });
  const literalNote = h("p", { class: "quiet" });
  let body = null;
  if (session.token) status.textContent = texts.ticket;
  const shown = async () => {
    body = await bodyOf(session, report, await session.token ?? "");
    status.textContent = "";
    literal.textContent = body;
    literalNote.textContent = texts.literalNote({ size: body.length });
  };
  shown().catch(() => {
  });
  return {
    title: texts.title,
    content: [
      h("p", { class: "callout" }, note),
      inWords(page, session, report),
      h("details", {}, h("summary", {}, texts.literal), literalNote, literal),
      h("p", { class: "quiet" }, partsOf(page, session)),
      status
    ],
    next: {
      label: texts.send,
      act() {
        if (body !== null) send(body);
        return false;
      }
    }
  };
};
function partsOf({ texts }, { survey, token }) {
  const { parts, partsInvited, partsBit, partsBitInvited } = texts.review;
  if (survey.bit) return token ? partsBitInvited : partsBit;
  return token ? partsInvited : parts;
}
function inWords(page, session, report) {
  const texts = page.texts.review;
  const row = (question) => {
    const open = question.group === null || session.arm === "direct";
    const kinds = page.texts.questions;
    const badge = session.arm === "direct" ? kinds.direct : open ? kinds.public : kinds.disguised;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, page.say(question.text)),
      h(
        "td",
        {},
        h("strong", {}, told(page, question, report)),
        h("span", { class: open ? "badge open" : "badge" }, badge)
      )
    );
  };
  const head = [texts.question, texts.sent];
  return h(
    "table",
    { class: "report" },
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...reportedOf(session.survey).map(row))
  );
}
function told(page, question, report) {
  if (!question.several) return labelOf(page, question, report[question.attributes[0]]);
  const ticked = question.options.filter(
    (_, place) => report[question.attributes[place]] === "yes"
  );
  if (ticked.length === 0) return page.texts.review.none;
  return listed(page.language, ticked.map(({ text }) => page.say(text)));
}

// src/steps/sending.ts
async function deliver(page, keeper, pending) {
  let waiting = false;
  const sending = () => ({
    title: page.texts.sending.title,
    content: [
      h(
        "p",
        { class: "lead", role: "status" },
        waiting ? page.texts.sending[waitingFor(page, pending)] : page.texts.loading
      ),
      waiting && h("p", {}, page.texts.sending[keeper.lasting ? "open" : "keepOpen"])
    ],
    ending: true
  });
  page.end(sending);
  try {
    await persistently(
      () => acknowledged(pending.body),
      () => {
        waiting = true;
        page.update(sending);
      }
    );
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const again = () => void deliver(page, keeper, pending);
    const forget = () => {
      keeper.forget();
      keeper.set("givenUp", true);
      location.reload();
    };
    return page.end(notice(troubleOf(error.status), { again, forget }));
  }
  keeper.set("sent", { receipt: pending.receipt });
  keeper.remove("pending");
  page.end(done(pending.receipt, keeper));
}
function waitingFor({ survey }, { arm }) {
  if (survey?.bit) return "waitingBit";
  return arm === "direct" ? "waitingDirect" : "waiting";
}
async function acknowledged(body) {
  const answer = await post("api/answers", body);
  if (answer?.kept !== true) throw new Unreached();
}
function troubleOf(status) {
  if (status === 410) return "closed";
  return status === 409 ? "refusedFull" : "refused";
}

// src/base64.ts
var toBase64 = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
var fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

// src/blinding.ts
var KEY_BITS = 3072;
var EXPONENT = "AQAB";
var HASH = "SHA-384";
var HASH_BYTES = 48;
var PREFIX_BYTES = 32;
var SALT_BYTES = 48;
function publicKey(jwk, bits = KEY_BITS) {
  const { kty, alg, e } = jwk;
  const modulus = fromBase64(jwk.n);
  const n = fromBytes(modulus);
  const whole2 = modulus.length === bits / 8 && toBase64(modulus) === jwk.n;
  const fits = whole2 && n >> BigInt(bits - 1) === 1n && n % 2n === 1n;
  if (kty !== "RSA" || alg !== "PS384" || e !== EXPONENT || !fits) {
    throw new Error("The survey's key is not one that signs invitations.");
  }
  return { n, size: modulus.length, jwk };
}
function prepare(message, random = crypto) {
  return joined(drawn2(PREFIX_BYTES, random), message);
}
async function blind(key, prepared, random = crypto) {
  const salt = drawn2(SALT_BYTES, random);
  for (; ; ) {
    const r = 1n + below(key.n - 1n, random);
    if (inverseOf(r, key.n) !== null) return blindBy(key, prepared, salt, toBytes(r, key.size));
  }
}
async function blindBy({ n, size }, prepared, salt, number) {
  const r = fromBytes(number);
  const inverse = inverseOf(r, n);
  const m = fromBytes(await encodePss(prepared, n.toString(2).length - 1, salt));
  if (inverse === null || inverseOf(m, n) === null) throw new Error("This cannot be blinded.");
  return { blinded: toBytes(m * raised(r, n) % n, size), inverse: toBytes(inverse, size) };
}
async function finalize({ n, size, jwk }, prepared, signed, inverse, saltLength = SALT_BYTES) {
  const signature = toBytes(fromBytes(signed) * fromBytes(inverse) % n, size);
  const algorithm = { name: "RSA-PSS", hash: HASH };
  const key = await crypto.subtle.importKey("jwk", { ...jwk }, algorithm, false, ["verify"]);
  const whose = { name: "RSA-PSS", saltLength };
  const right = await crypto.subtle.verify(whose, key, signature, prepared);
  if (signed.length !== size || !right) throw new Error("The signature does not fit the key.");
  return signature;
}
async function encodePss(message, bits, salt) {
  const length = Math.ceil(bits / 8);
  const h2 = await hashed(joined(new Uint8Array(8), await hashed(message), salt));
  const padding = new Uint8Array(length - salt.length - HASH_BYTES - 2);
  const db = joined(padding, new Uint8Array([1]), salt);
  const mask = await mgf1(h2, db.length);
  const masked = db.map((byte, place) => byte ^ mask[place]);
  masked[0] &= 255 >> 8 * length - bits;
  return joined(masked, h2, new Uint8Array([188]));
}
async function mgf1(seed, length) {
  const blocks = [];
  for (let i = 0; i < Math.ceil(length / HASH_BYTES); i += 1) {
    const counter = new Uint8Array([i >>> 24, i >>> 16, i >>> 8, i]);
    blocks.push(await hashed(joined(seed, counter)));
  }
  return joined(...blocks).slice(0, length);
}
var hashed = async (bytes) => new Uint8Array(await crypto.subtle.digest(HASH, bytes));
function raised(r, n) {
  let power = r;
  for (let i = 0; i < 16; i += 1) power = power * power % n;
  return power * r % n;
}
function inverseOf(number, n) {
  let [rest, next] = [n, number % n];
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const times = rest / next;
    [rest, next] = [next, rest - times * next];
    [factor, nextFactor] = [nextFactor, factor - times * nextFactor];
  }
  if (rest !== 1n) return null;
  return factor < 0n ? factor + n : factor;
}
var drawn2 = (length, random) => {
  const bytes = new Uint8Array(length);
  random.getRandomValues(bytes);
  return bytes;
};
function fromBytes(bytes) {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  return BigInt(`0x0${digits.join("")}`);
}
function toBytes(number, length) {
  const digits = number.toString(16).padStart(2 * length, "0");
  return Uint8Array.from(
    { length },
    (_, place) => Number.parseInt(digits.slice(2 * place, 2 * place + 2), 16)
  );
}
function joined(...parts) {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

// src/token.ts
var MESSAGE_BYTES = 16;
function readInvitation(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const [code, print2] = [parts.get("i"), parts.get("k")];
  const whole2 = code && print2 && /^[a-z2-7]{26}$/.test(code) && /^[0-9a-f]{64}$/.test(print2);
  return whole2 ? { code, print: print2 } : null;
}
async function isNamedBy({ print: print2 }, { key, asked: asked2 }) {
  try {
    if (!key || !publicKey(key)) return false;
  } catch {
    return false;
  }
  const named = new Uint8Array([...fromBase64(key.n), ...new TextEncoder().encode(asked2)]);
  return await sha256(named) === print2;
}
function keptToken({ code }, key, keeper, ask) {
  return keeper.alone("token", async () => {
    const kept = keeper.get("token");
    if (kept) return kept;
    const signer = publicKey(key);
    let blinding = keeper.get("blinding");
    if (!blinding) {
      const message = crypto.getRandomValues(new Uint8Array(MESSAGE_BYTES));
      const prepared2 = prepare(message);
      const { blinded: blinded2, inverse: inverse2 } = await blind(signer, prepared2);
      blinding = {
        prepared: toBase64(prepared2),
        inverse: toBase64(inverse2),
        blinded: toBase64(blinded2)
      };
      keeper.set("blinding", blinding);
    }
    const { blinded } = blinding;
    const answer = await ask(JSON.stringify({ invitation: code, blinded }));
    const [prepared, inverse] = [fromBase64(blinding.prepared), fromBase64(blinding.inverse)];
    const signed = fromBase64(answer.signature);
    const signature = await finalize(signer, prepared, signed, inverse);
    const token = toBase64(new Uint8Array([...prepared, ...signature]));
    keeper.set("token", token);
    keeper.remove("blinding");
    return token;
  });
}

// src/flow.ts
async function start(root2) {
  const fragment = location.hash;
  const preview = fragment === "#preview";
  const early = new Page(root2, null, earlyLanguage(navigator.languages), preview);
  if (!globalThis.crypto?.subtle) return early.end(notice("insecure"));
  let survey;
  try {
    const offline = () => early.end(notice("offline"));
    survey = await surveyOf(await persistently(() => get("api/survey"), offline));
    read(survey.design);
    for (const group of groupsOf(survey)) shownOf(survey, group);
    checkBit(survey);
    const harmless = practiceSurvey(survey);
    if (harmless) read(harmless.design);
  } catch {
    return early.end(notice("broken"));
  }
  const page = new Page(root2, survey, languageFor(survey), preview);
  route(page);
  if (fragment === "#receipt") return page.show(receipts);
  const invitation = readInvitation(fragment);
  const trouble = preview ? null : await troubleWith(survey, invitation);
  if (trouble) return page.end(notice(trouble));
  const scope = invitation ? (await sha256(new TextEncoder().encode(invitation.code))).slice(0, 8) : "open";
  const keeper = keeperFor(`${survey.fingerprint}:${scope}`, !preview);
  if (resumed(page, keeper)) return;
  if (!survey.open && !preview) return page.end(notice("closed"));
  const session = await opened(survey, keeper, invitation, preview);
  if (!session.device && devicesOf(session).length === 0) return page.end(notice("noStorage"));
  page.session = session;
  page.begin(stepsOf(page, session));
  guard(page, session);
}
var languageFor = ({ languages }) => {
  const known = (language) => languages.find((one) => one === language) ?? languages.find((one) => one.split("-")[0] === language.split("-")[0]);
  return navigator.languages.map(known).find(Boolean) ?? languages[0];
};
async function troubleWith(survey, invitation) {
  if (invitation) return await isNamedBy(invitation, survey) ? null : "wrongKey";
  if (!survey.invitations) return null;
  return survey.open ? "wrongLink" : "closed";
}
function resumed(page, keeper) {
  const sent3 = keeper.get("sent");
  const pending = keeper.get("pending");
  const givenUp = keeper.get("givenUp");
  if (sent3) page.end(done(sent3.receipt, keeper));
  else if (pending) void deliver(page, keeper, pending);
  else if (givenUp) page.end(notice("givenUp"));
  return !!(sent3 ?? pending ?? givenUp);
}
async function opened(survey, keeper, invitation, preview) {
  const coins = await keptCoins(survey, keeper);
  const session = {
    survey,
    keeper,
    coins,
    // Without a place to keep it, the lot would be drawn anew at every visit.
    arm: keeper.lasting ? coins.arm : "disguised",
    invitation,
    preview,
    device: null,
    understood: 0,
    checked: false,
    answers: /* @__PURE__ */ new Map(),
    personal: /* @__PURE__ */ new Map(),
    receipt: null,
    token: null
  };
  const devices = devicesOf(session);
  const asIs = session.arm === "direct" || groupsOf(survey).length === 0;
  session.device = asIs ? survey.devices[0] : devices.length === 1 ? devices[0] : null;
  return session;
}
function stepsOf(page, session) {
  const agreed = () => {
    session.token ??= ticket(page, session);
  };
  const send = (body) => void sent2(page, session, body);
  const questions = questionSteps(session);
  const last = (at) => {
    const open = firstOpen(session);
    return open < 0 ? review(session, send)(at) : questions[open](at);
  };
  if (session.arm === "direct") return [directConsent(session, agreed), ...questions, last];
  if (groupsOf(session.survey).length === 0) {
    return [plainConsent(session, agreed), ...questions, last];
  }
  const harmless = practiceSurvey(session.survey);
  return [
    consent(session, agreed),
    how(session),
    ...harmless ? [practice(session, harmless)] : [],
    check(session),
    ...questions,
    last
  ];
}
function ticket(page, { survey, keeper, invitation, preview }) {
  const { key } = survey;
  if (!invitation || !key || preview) return null;
  const ask = (body) => post("api/token", body);
  const waiting = () => {
  };
  const token = persistently(() => keptToken(invitation, key, keeper, ask), waiting);
  token.catch((error) => {
    const status = error instanceof Refused ? error.status : 0;
    const troubles = {
      403: "unknownInvitation",
      409: "usedInvitation",
      410: "closed"
    };
    page.end(notice(troubles[status] ?? "broken"));
  });
  return token;
}
async function sent2(page, session, body) {
  const { keeper, arm, preview } = session;
  const receipt = writeReceipt(session.receipt);
  if (preview) return page.end(done(receipt, keeper, true));
  await keeper.alone("send", async () => {
    if (resumed(page, keeper)) return;
    const pending = { body, receipt, arm };
    keeper.set("pending", pending);
    for (const name of ["coins", "blinding", "token"]) keeper.remove(name);
    forgetAnswers(session);
    void deliver(page, keeper, pending);
  });
}
function forgetAnswers(session) {
  session.answers.clear();
  session.personal.clear();
}
function route(page) {
  const follow = () => {
    if (location.hash === "#receipt") page.show(receipts);
    else if (page.started) page.goTo(history.state?.step);
    else location.reload();
  };
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
}
function guard(page, session) {
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

// src/main.ts
var root = typeof document === "undefined" ? null : document.getElementById("app");
if (root) void start(root);
export {
  addChannel,
  apply,
  bitOf,
  blind,
  blindBy,
  byHand,
  channelNames,
  checkBit,
  disguise,
  encode,
  finalize,
  guessesOf,
  keeperFor,
  keptCoins,
  lawOf,
  practiceSurvey,
  prepare,
  publicKey,
  read,
  readReceipt,
  receiptId,
  rowsOf,
  textsFor,
  throwCoins,
  toss,
  writeReceipt
};
