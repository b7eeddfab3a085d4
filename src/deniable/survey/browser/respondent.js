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
  checkReceipt: "Check or delete your answers",
  backToSurvey: "Back to the survey",
  preview: "Preview: nothing is kept and nothing is sent.",
  letters: {
    a: "A",
    b: "B"
  },
  about: {
    title: "About this survey",
    asked: "What we will ask",
    count: {
      one: "We ask {count} question.",
      other: "We ask {count} questions."
    },
    countMost: "We ask up to {count} questions.",
    all: "Your answers are disguised before they leave this device.",
    some: "Some answers are disguised before they leave this device. Others are sent as you give them. Each question says which.",
    plain: "Your answers are sent as you give them.",
    bit: "Your answers stay on this device.",
    next: "On the next page you can read how this works. Then you decide if you want to take part."
  },
  consent: {
    title: "How your answers are protected",
    lead: "Before an answer leaves this device, chance decides what is sent.",
    evens: "Nobody else sees what chance decided for you. With many people it evens out. So the researchers can work out how common an answer is in the group.",
    proof: "A sent “{value}” proves nothing.",
    proofWhy: "It may be your answer, or it may come from chance.",
    table: "What others can learn about you",
    readers: "“Others” are the researchers, whoever runs the server, a hacker who steals everything, and a court.",
    one: "One disguised answer",
    all: "All your disguised answers at once",
    guess: "Only a guess",
    right: "The guess is right for about {after} of 100 people. Without what you send, it is right for about {before}.",
    rightMost: "The answer that is easiest to guess is guessed right for about {after} of 100 people. Without what you send, for about {before}.",
    rightAll: "All of them are guessed right for about {after} of 100 people. Without what you send, for about {before}.",
    rightAllMany: "All of them are guessed right for about {after} of 100 people.",
    rightFew: "All of them are guessed right for fewer than {after} of 100 people.",
    even: "We count as if all answers were equally common. Somebody who knows you, or knows that an answer is rare, can guess better.",
    certain: "Only this is sure: whoever sends {values} really has that answer.",
    shared: "Some questions share one draw. Somebody who knows your real answer to one of them can tell the others.",
    sharedGuess: "Some questions share one draw. Somebody who knows your real answer to one of them guesses all of them right for about {after} of 100 people.",
    sharedMore: "Some questions share one draw. Somebody who knows your real answer to one of them can guess the others better.",
    second: "Some questions come with a second one, which is harmless. Somebody who knows your answer to the second one can sometimes tell the first.",
    open: "Answers marked “sent as it is”",
    openRead: "They can read them.",
    part: "That you took part",
    partInvited: "The researchers can see that your invitation was used. The server does not store which answers came with it.",
    partOpen: "The server stores no names, no addresses and no times.",
    network: "Your network, for example at work, can see that you opened this page. It cannot see what you answer.",
    device: "Until you send, and maybe longer, this device keeps what chance decided. If somebody might search it, open the survey on another device.",
    notDirect: {
      by: "some",
      one: "{some} in {of} people is asked without the disguise. We use this to compare. You are not one of them.",
      other: "{some} in {of} people are asked without the disguise. We use this to compare. You are not one of them."
    },
    stop: "Taking part is up to you. You can stop at any time: just close this page. No answer is sent before you press “Send”.",
    invited: "If you agree, this page sends your invitation to the server. From then on it counts as used. You can still stop, and go on later in this browser.",
    invitedOnce: "If you agree, this page sends your invitation to the server. From then on it counts as used. This browser keeps nothing. If you close the page before you send, you need a new invitation.",
    begun: "You began here before. Your invitation still works in this browser. Answers you gave then were not kept.",
    agree: "I agree to take part"
  },
  plain: {
    title: "Before you decide",
    lead: "In this survey your answers are sent as you give them.",
    body: "Your name is not sent. But the researchers can read the answers, and so can whoever else gets the data."
  },
  oneBit: {
    title: "Before you decide",
    lead: "Your answers stay on this device. One yes or no is sent.",
    body: "This page makes a guess about you. It checks the guess with your answers, here on this device. Then it sends if the guess was right: yes or no. It does not send the answers or your name. You see the yes or no before it is sent.",
    tells: "Others can read the yes or no. It tells them a little about your answers."
  },
  direct: {
    title: "Before you decide",
    lead: "In your case the answers are sent as you give them.",
    body: {
      by: "some",
      one: "{some} in {of} people answers without the disguise. We use this to compare two ways of asking. Chance has picked you. Your name is not sent. But the researchers can read your answers, and so can whoever else gets the data.",
      other: "{some} in {of} people answer without the disguise. We use this to compare two ways of asking. Chance has picked you. Your name is not sent. But the researchers can read your answers, and so can whoever else gets the data."
    },
    stop: "You can stop now or at any time: just close this page. No answer is sent before you press “Send”. Nobody minds if you stop.",
    agree: "I agree to answer openly"
  },
  how: {
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
        one: "{count} sends another answer, picked by chance",
        other: "{count} send another answer, picked by chance"
      },
      personal: {
        one: "{count} sends the answer to a harmless second question",
        other: "{count} send the answer to a harmless second question"
      },
      drawn: {
        one: "{count} sends an answer picked by chance",
        other: "{count} send an answer picked by chance"
      }
    },
    says: {
      one: "{count} sends “{value}”",
      other: "{count} send “{value}”"
    },
    saysAnyway: {
      one: "{count} sends “{value}”, whatever the answer",
      other: "{count} send “{value}”, whatever the answer"
    },
    these: {
      one: "{count} of the {of} questions",
      other: "{count} of the {of} questions"
    },
    answer: "answer {number}",
    together: "One draw decides for all of these questions together.",
    apart: "Each of these questions has its own draw.",
    readerTitle: "An example with numbers",
    reader: "Say that {having} of 100 people would really answer “{value}”. Then about {sent} of 100 send “{value}”. For about {theirs} of these {sent} it is the real answer."
  },
  choose: {
    title: "Who makes the draw?",
    lead: "You can throw for yourself, or this page can do it for you.",
    legend: "Your choice",
    own: "I throw for myself",
    ownHelp: "You need {tools}. The page says what each result means. It never asks what you threw.",
    tools: {
      coin: "a coin",
      die: "a die",
      dice: "two dice",
      digit: "a banknote or a stopwatch",
      digits: "a banknote or a stopwatch",
      coins: "a coin"
    },
    page: "This page draws for me",
    pageHelp: "This is quick. Until you send, and maybe longer, this device keeps the result. If somebody might search it, throw for yourself.",
    noStorage: "This browser keeps nothing between visits. Maybe this is a private window. So the page cannot draw for you here. You throw for yourself, or you open the link in a normal window.",
    first: "Please choose one.",
    ownBut: {
      one: "For one question this is too hard. There, the page draws.",
      other: "For {count} questions this is too hard. There, the page draws."
    },
    pageQuick: "This is quick."
  },
  practice: {
    title: "Try it out",
    lead: "This is only practice. Nothing is sent.",
    question: "Do you like rainy days?",
    personal: "Were you born in the first half of a year, January to June?",
    toss: "Draw",
    done: "Show what would be sent",
    wouldSend: "This time the page would send: {value}",
    both: "With your answer, this can happen:",
    example: "Say your real answer is “{value}”. Then you click:",
    times: "{count} of {of} times",
    timesAbout: "about {count} of {of} times",
    truth: "“{value}”: your answer",
    turned: "“{value}”: not your answer",
    drawn: "“{value}”: picked by chance",
    second: "“{value}”: your answer to B",
    anySecond: "your answer to B",
    anyDrawn: "“Yes” or “No”, picked by chance",
    anyway: "“{value}”, whatever your answer",
    onlyThis: "Others see only what was sent. They do not see why.",
    onlyClicked: "Others see only what you clicked. They do not see what you threw.",
    first: "Please answer first.",
    needed: "Please try it once before you go on."
  },
  check: {
    title: "Two quick questions",
    lead: "They show us if we explained it well. You go on either way.",
    right: "Yes, that’s right.",
    wrong: "Not quite.",
    first: "Please choose an answer to both.",
    report: {
      text: "A stranger sees that you sent “Yes”. What can they know?",
      real: "That my real answer is “Yes”",
      guess: "They can guess, but not be sure",
      why: "A “Yes” can be the real answer, or it can come from chance. So it is a guess."
    },
    rule: {
      text: "How should you answer the questions that follow?",
      change: "I change some answers myself",
      real: "As it really is",
      why: "The page does the rest. If you change answers yourself, the results come out wrong."
    },
    throw: {
      text: "Your throw says that you should not click your real answer. What do you do?",
      real: "I click my real answer all the same",
      follow: "I click what the page says for this throw",
      why: "Only then are you protected, and only then do the results come out right."
    }
  },
  questions: {
    title: "Your answers",
    part: "Your answers, part {number} of {of}",
    public: "sent as it is",
    stays: "stays on this device",
    disguised: "disguised",
    direct: "sent as it is",
    pageCoin: "Answer as it really is. The page disguises your answers before they are sent.",
    both: "Please answer both A and B. Chance picks which of the two answers is sent. The other one stays on this device.",
    several: "Tick all that apply.",
    none: "None of these",
    missing: {
      one: "One question still needs an answer.",
      other: "{count} questions still need an answer."
    },
    needed: "Please answer this one.",
    all: "All questions need an answer.",
    skip: "I would rather not say",
    skipToo: "You can also choose “{value}”. That is disguised like the other answers. Others can only guess who chose it."
  },
  own: {
    title: "Throw for yourself, then click",
    tools: {
      coin: "Toss a coin.",
      die: "Roll a die.",
      digit: "Take a banknote, a different one each time, and look at its number. Use the last digit but one. No banknote? Start a stopwatch, stop it without looking, and use its last digit.",
      dice: "Roll two dice and add them up.",
      digits: "Take a banknote, a different one each time, and look at its number. Use the two digits before the last one. No banknote? Start a stopwatch, stop it without looking, and use its last two digits.",
      coins: "Toss a coin twice."
    },
    tosses: "{first}, {second}",
    heads: "Heads",
    tails: "Tails",
    outcome: "If it shows",
    todo: "then click",
    truth: "your real answer",
    truths: "your real answers",
    opposite: "the opposite of your real answer",
    opposites: "the opposite of your real answers, in all of these questions",
    oppositesTicks: "the opposite of your real answers, in all of these questions. Where you can tick several, tick exactly those that do not apply",
    first: "your real answer to question A",
    firsts: "your real answers to the questions A",
    second: "your real answer to question B",
    seconds: "your real answers to the questions B",
    say: "“{value}”, whatever your answer",
    never: "Do not tell anybody what you threw. This page does not ask. It sends what you click.",
    same: "The throw from before counts here, too. Do not throw again.",
    step: {
      one: "the next answer in the list",
      other: "the answer {count} places further down the list"
    },
    nth: "answer number {number} in the list",
    round: "Count from your real answer. After the last one comes the first.",
    each: "if your real answer is “{truth}”: “{value}”",
    again: "nothing yet: throw a second time, see below",
    secondThrow: "The second throw",
    secondThrows: "The second throw: a new one for each question"
  },
  review: {
    title: "This is what will be sent",
    question: "Question",
    sent: "What is sent",
    note: "Some of these answers may not be your own. That is the disguise.",
    noteOwn: "The page sends what you clicked. Only you know what you threw.",
    noteDirect: "Your answers are sent as you gave them.",
    noteBit: "Your answers stay here. This yes or no is all that is sent about them.",
    literal: "Show the message itself",
    literalNote: "The message always has {size} characters, whatever you answer. Dots fill it up. It holds no name, no time and no address.",
    parts: "The message names the survey by a code, its fingerprint. It holds a random number. It says how you were asked, who made the draw, and how many of the two quick questions you got right. Then comes one sign for each answer.",
    partsInvited: "The message names the survey by a code, its fingerprint. It holds a random number. It holds a ticket: somebody was invited, but it does not say who. It says how you were asked, who made the draw, and how many of the two quick questions you got right. Then comes one sign for each answer.",
    partsBit: "The message names the survey by a code, its fingerprint. It holds a random number. Three settings are the same for everybody. Then comes one sign: the yes or no.",
    partsBitInvited: "The message names the survey by a code, its fingerprint. It holds a random number. It holds a ticket: somebody was invited, but it does not say who. Three settings are the same for everybody. Then comes one sign: the yes or no.",
    send: "Send",
    ticket: "The server is checking your invitation …",
    none: "none of these",
    noteSome: "Answers marked “disguised” may not be your own. The others are sent as you gave them.",
    noteMixed: "Where you threw, the page sends what you clicked. Only you know what you threw. For the other disguised answers, the page made the draw.",
    notAsked: "not asked"
  },
  sending: {
    title: "Sending …",
    waiting: "Your answers wait on this device, as you just saw them. They are sent as soon as the network is back.",
    waitingBit: "Your yes or no waits on this device. It is sent as soon as the network is back.",
    open: "You can leave this page open or come back later.",
    keepOpen: "Please leave this page open until then. This browser keeps nothing."
  },
  done: {
    title: "Thank you",
    lead: "Your answers have arrived and are stored.",
    leadBit: "Your yes or no has arrived and is stored. Your answers never left this device.",
    preview: "In the real survey your answers would now be sent.",
    receipt: "Your receipt",
    why: "With this code you can check later if your answers are stored, or delete them. It is a random number.",
    copy: "Copy",
    copied: "Copied",
    print: "Print",
    kept: "This browser keeps the receipt, too.",
    forget: "Forget it on this device",
    forgotten: "This device has forgotten it.",
    secret: "Keep it to yourself. Whoever has it can do the same. Whoever also gets the survey’s data can find what you sent."
  },
  receipts: {
    title: "Check or delete your answers",
    label: "Receipt",
    help: "Sixteen letters and digits, such as {example}",
    check: "Check",
    erase: "Delete my answers",
    sure: "Delete for good?",
    reallyErase: "Yes, delete it",
    keep: "No, keep it",
    malformed: "This is not a receipt. A receipt has sixteen letters and digits. Please copy it once more.",
    included: "Yes: the answers with this receipt are stored.",
    missing: "No answers with this receipt are stored. They have not arrived, or they were deleted.",
    deleted: "The answers with this receipt have been deleted.",
    nothing: "No answers with this receipt are stored, so nothing was deleted.",
    unreachable: "The server cannot be reached right now. Please try again later."
  },
  trouble: {
    closed: {
      title: "This survey is closed",
      text: "Thank you for your interest. It takes no more answers."
    },
    wrongLink: {
      title: "Please open the link from your invitation",
      text: "You need an invitation for this survey. The address in your browser has none, or only a part of one. Open the link once more, or copy all of it."
    },
    unknownInvitation: {
      title: "This invitation is not known here",
      text: "Maybe the link was cut short. Open it once more from your invitation, or write to us."
    },
    usedInvitation: {
      title: "This invitation has been used",
      text: "Maybe you began on another device or in another browser. Then please go on there. If you cannot, write to us and we send you a new link. If you have a newer link, use that one. If you have answered, you are done."
    },
    wrongKey: {
      title: "This page stopped to protect you",
      text: "The server’s key or questions are not the ones from your invitation. Somebody could have recognised your answers. Nothing was sent. Please tell the researchers."
    },
    givenUp: {
      title: "You are done here",
      text: "Your answers were not taken, and this device has forgotten them. You are not asked again."
    },
    noStorage: {
      title: "This browser keeps nothing between visits",
      text: "So chance would decide anew at each visit, and that would protect you less. Please open the link in a normal window, or allow this page to keep data."
    },
    broken: {
      title: "Something is wrong with this survey",
      text: "It cannot be shown. No answer was sent. Please tell the researchers."
    },
    refusedFull: {
      title: "Your answers were not taken",
      text: "Maybe this invitation has answered before. Or enough people like you have taken part. Thank you all the same."
    },
    refused: {
      title: "Your answers were not taken",
      text: "The server does not accept them. They stay on this device. You can try once more, or write to us."
    }
  },
  early: {
    slow: "Still loading. If nothing happens, please load the page again.",
    script: {
      title: "This page disguises your answers itself",
      text: "To do so it needs JavaScript. That is switched off in this browser. Please switch it on for this page. No answer has been sent."
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

// ../src/deniable/survey/words/ar.json
var ar_default = {
  needs: "a native reader",
  name: "العربية",
  language: "اللغة",
  quoted: "«{value}»",
  progress: "الخطوة {step} من {of}",
  back: "رجوع",
  next: "متابعة",
  yes: "نعم",
  no: "لا",
  loading: "لحظة من فضلك …",
  tryAgain: "محاولة أخرى",
  contact: "هل لديك أسئلة؟ يمكنك الكتابة إلى {contact}",
  checkReceipt: "التحقق من إجاباتك أو حذفها",
  backToSurvey: "العودة إلى الاستبيان",
  preview: "معاينة: لا يُحفظ شيء ولا يُرسل شيء.",
  letters: {
    a: "أ",
    b: "ب"
  },
  about: {
    title: "عن هذا الاستبيان",
    asked: "ما الذي سنسأل عنه",
    count: {
      zero: "لا نطرح أي سؤال.",
      one: "نطرح سؤالًا واحدًا.",
      two: "نطرح سؤالين.",
      few: "نطرح {count} أسئلة.",
      many: "نطرح {count} سؤالًا.",
      other: "نطرح {count} سؤال."
    },
    countMost: {
      zero: "لا نطرح أي سؤال.",
      one: "نطرح سؤالًا واحدًا على الأكثر.",
      two: "نطرح سؤالين على الأكثر.",
      few: "نطرح {count} أسئلة على الأكثر.",
      many: "نطرح {count} سؤالًا على الأكثر.",
      other: "نطرح {count} سؤال على الأكثر."
    },
    all: "تُموَّه إجاباتك قبل أن تخرج من هذا الجهاز.",
    some: "تُموَّه بعض الإجابات قبل أن تخرج من هذا الجهاز. وتُرسل الإجابات الأخرى كما هي. ويُذكر ذلك عند كل سؤال.",
    plain: "تُرسل إجاباتك كما هي.",
    bit: "تبقى إجاباتك على هذا الجهاز.",
    next: "في الصفحة التالية شرح لطريقة العمل. وبعد ذلك يعود القرار إليك في المشاركة."
  },
  consent: {
    title: "كيف تُحمى إجاباتك",
    lead: "قبل أن تخرج أي إجابة من هذا الجهاز، تقرر الصدفة ما الذي يُرسل.",
    evens: "لا أحد غيرك يرى ما قررته الصدفة لك. ومع كثرة الناس تتوازن الصدفة. لذلك يستطيع الباحثون أن يحسبوا مدى انتشار إجابة ما في المجموعة.",
    proof: "إرسال «{value}» لا يثبت شيئًا.",
    proofWhy: "قد تكون هذه إجابتك، وقد تكون من الصدفة.",
    table: "ما الذي يمكن أن يعرفه الآخرون عنك",
    readers: "«الآخرون» هم الباحثون، ومن يدير الخادم، وقرصان يسرق كل شيء، والمحكمة.",
    one: "إجابة واحدة مموَّهة",
    all: "كل إجاباتك المموَّهة معًا",
    guess: "مجرد تخمين",
    right: "يصيب التخمين لدى نحو {after} من كل 100 شخص. ومن دون ما ترسله يصيب لدى نحو {before}.",
    rightMost: "أسهل إجابة في التخمين تُعرف لدى نحو {after} من كل 100 شخص. ومن دون ما ترسله لدى نحو {before}.",
    rightAll: "تُخمَّن كلها معًا بشكل صحيح لدى نحو {after} من كل 100 شخص. ومن دون ما ترسله لدى نحو {before}.",
    rightAllMany: "تُخمَّن كلها معًا بشكل صحيح لدى نحو {after} من كل 100 شخص.",
    rightFew: "تُخمَّن كلها معًا بشكل صحيح لدى أقل من {after} من كل 100 شخص.",
    even: "نحسب كما لو أن كل الإجابات شائعة بالقدر نفسه. ومن يعرفك، أو يعرف أن إجابة ما نادرة، يستطيع أن يخمّن أفضل.",
    certain: "أمر واحد فقط مؤكد: من يرسل {values} فهذه إجابته فعلًا.",
    shared: "لبعض الأسئلة قرعة مشتركة. ومن يعرف إجابتك الحقيقية عن أحدها يستطيع أن يعرف البقية.",
    sharedGuess: "لبعض الأسئلة قرعة مشتركة. ومن يعرف إجابتك الحقيقية عن أحدها يخمّنها كلها بشكل صحيح لدى نحو {after} من كل 100 شخص.",
    sharedMore: "لبعض الأسئلة قرعة مشتركة. ومن يعرف إجابتك الحقيقية عن أحدها يستطيع أن يخمّن البقية أفضل.",
    second: "مع بعض الأسئلة سؤال ثانٍ لا ضرر منه. ومن يعرف إجابتك عن السؤال الثاني يستطيع أحيانًا أن يعرف الأول.",
    open: "الإجابات التي عليها علامة «تُرسل كما هي»",
    openRead: "يستطيعون قراءتها.",
    part: "أنك شاركت",
    partInvited: "يستطيع الباحثون أن يروا أن دعوتك استُخدمت. ولا يحفظ الخادم أي إجابات جاءت معها.",
    partOpen: "لا يحفظ الخادم أسماء ولا عناوين ولا أوقاتًا.",
    network: "الشبكة التي تستخدمها، في العمل مثلًا، يمكن أن ترى أن هذه الصفحة فُتحت عندك. لكنها لا ترى إجاباتك.",
    device: "إلى أن ترسل، وربما مدة أطول، يحفظ هذا الجهاز ما قررته الصدفة. إذا كان من الممكن أن يفتشه أحد، فالأفضل فتح الاستبيان على جهاز آخر.",
    notDirect: "يُسأل بعض الناس دون تمويه: {some} من كل {of}. الهدف هو المقارنة. ولم يقع الاختيار عليك.",
    stop: "المشاركة أمر يعود إليك. يمكنك التوقف في أي وقت: يكفي إغلاق هذه الصفحة. لا تُرسل أي إجابة قبل الضغط على «إرسال».",
    invited: "عند الموافقة ترسل هذه الصفحة دعوتك إلى الخادم. ومنذ ذلك الوقت تُعد الدعوة مستخدمة. ومع ذلك يمكنك التوقف، والمتابعة لاحقًا في هذا المتصفح.",
    invitedOnce: "عند الموافقة ترسل هذه الصفحة دعوتك إلى الخادم. ومنذ ذلك الوقت تُعد الدعوة مستخدمة. هذا المتصفح لا يحفظ شيئًا. إذا أُغلقت الصفحة قبل الإرسال، فستلزمك دعوة جديدة.",
    begun: "سبق أن بدأت هنا. ما زالت دعوتك صالحة في هذا المتصفح. ولم تُحفظ الإجابات السابقة.",
    agree: "أوافق على المشاركة"
  },
  plain: {
    title: "قبل أن تقرر",
    lead: "في هذا الاستبيان تُرسل إجاباتك كما هي.",
    body: "لا يُرسل اسمك. لكن الباحثين يستطيعون قراءة الإجابات، وكذلك كل من يحصل على البيانات."
  },
  oneBit: {
    title: "قبل أن تقرر",
    lead: "تبقى إجاباتك على هذا الجهاز. ويُرسل «نعم» أو «لا» مرة واحدة فقط.",
    body: "تحاول هذه الصفحة أن تخمّن شيئًا عنك. وتقارن التخمين بإجاباتك هنا على هذا الجهاز. ثم ترسل هل أصاب التخمين: نعم أو لا. وهي لا ترسل إجاباتك ولا اسمك. وسترى «نعم» أو «لا» قبل الإرسال.",
    tells: "يستطيع الآخرون قراءة «نعم» أو «لا». وهذا يخبرهم بالقليل عن إجاباتك."
  },
  direct: {
    title: "قبل أن تقرر",
    lead: "في حالتك تُرسل الإجابات كما هي.",
    body: "يجيب بعض الناس دون تمويه: {some} من كل {of}. الهدف هو المقارنة بين طريقتين في السؤال. وقد اختارتك الصدفة. لا يُرسل اسمك. لكن الباحثين يستطيعون قراءة إجاباتك، وكذلك كل من يحصل على البيانات.",
    stop: "يمكنك التوقف الآن أو في أي وقت: يكفي إغلاق هذه الصفحة. لا تُرسل أي إجابة قبل الضغط على «إرسال». ولن يلومك أحد إذا توقفت.",
    agree: "أوافق على الإجابة بصراحة"
  },
  how: {
    of: {
      zero: "من بين {count} شخص مثلك:",
      one: "من بين شخص واحد مثلك:",
      two: "من بين شخصين مثلك:",
      few: "من بين {count} أشخاص مثلك:",
      many: "من بين {count} شخصًا مثلك:",
      other: "من بين {count} شخص مثلك:"
    },
    ofAbout: {
      zero: "من بين نحو {count} شخص مثلك:",
      one: "من بين نحو شخص واحد مثلك:",
      two: "من بين نحو شخصين مثلك:",
      few: "من بين نحو {count} أشخاص مثلك:",
      many: "من بين نحو {count} شخصًا مثلك:",
      other: "من بين نحو {count} شخص مثلك:"
    },
    ofThose: {
      zero: "من بين {count} شخص إجابتهم «{value}»:",
      one: "من بين شخص واحد إجابتهم «{value}»:",
      two: "من بين شخصين إجابتهم «{value}»:",
      few: "من بين {count} أشخاص إجابتهم «{value}»:",
      many: "من بين {count} شخصًا إجابتهم «{value}»:",
      other: "من بين {count} شخص إجابتهم «{value}»:"
    },
    ofThoseAbout: {
      zero: "من بين نحو {count} شخص إجابتهم «{value}»:",
      one: "من بين نحو شخص واحد إجابتهم «{value}»:",
      two: "من بين نحو شخصين إجابتهم «{value}»:",
      few: "من بين نحو {count} أشخاص إجابتهم «{value}»:",
      many: "من بين نحو {count} شخصًا إجابتهم «{value}»:",
      other: "من بين نحو {count} شخص إجابتهم «{value}»:"
    },
    asIs: {
      zero: "لا أحد يرسل إجاباته الحقيقية",
      one: "شخص واحد يرسل إجاباته الحقيقية",
      two: "شخصان يرسلان إجاباتهما الحقيقية",
      few: "{count} أشخاص يرسلون إجاباتهم الحقيقية",
      many: "{count} شخصًا يرسلون إجاباتهم الحقيقية",
      other: "{count} شخص يرسلون إجاباتهم الحقيقية"
    },
    oneAsIs: {
      zero: "لا أحد يرسل الإجابة الحقيقية",
      one: "شخص واحد يرسل الإجابة الحقيقية",
      two: "شخصان يرسلان الإجابة الحقيقية",
      few: "{count} أشخاص يرسلون الإجابة الحقيقية",
      many: "{count} شخصًا يرسلون الإجابة الحقيقية",
      other: "{count} شخص يرسلون الإجابة الحقيقية"
    },
    others: {
      opposite: {
        zero: "لا أحد يرسل العكس",
        one: "شخص واحد يرسل العكس",
        two: "شخصان يرسلان العكس",
        few: "{count} أشخاص يرسلون العكس",
        many: "{count} شخصًا يرسلون العكس",
        other: "{count} شخص يرسلون العكس"
      },
      another: {
        zero: "لا أحد يرسل إجابة أخرى تختارها الصدفة",
        one: "شخص واحد يرسل إجابة أخرى تختارها الصدفة",
        two: "شخصان يرسلان إجابة أخرى تختارها الصدفة",
        few: "{count} أشخاص يرسلون إجابة أخرى تختارها الصدفة",
        many: "{count} شخصًا يرسلون إجابة أخرى تختارها الصدفة",
        other: "{count} شخص يرسلون إجابة أخرى تختارها الصدفة"
      },
      personal: {
        zero: "لا أحد يرسل الإجابة عن سؤال ثانٍ لا ضرر منه",
        one: "شخص واحد يرسل الإجابة عن سؤال ثانٍ لا ضرر منه",
        two: "شخصان يرسلان الإجابة عن سؤال ثانٍ لا ضرر منه",
        few: "{count} أشخاص يرسلون الإجابة عن سؤال ثانٍ لا ضرر منه",
        many: "{count} شخصًا يرسلون الإجابة عن سؤال ثانٍ لا ضرر منه",
        other: "{count} شخص يرسلون الإجابة عن سؤال ثانٍ لا ضرر منه"
      },
      drawn: {
        zero: "لا أحد يرسل إجابة تختارها الصدفة",
        one: "شخص واحد يرسل إجابة تختارها الصدفة",
        two: "شخصان يرسلان إجابة تختارها الصدفة",
        few: "{count} أشخاص يرسلون إجابة تختارها الصدفة",
        many: "{count} شخصًا يرسلون إجابة تختارها الصدفة",
        other: "{count} شخص يرسلون إجابة تختارها الصدفة"
      }
    },
    says: {
      zero: "لا أحد يرسل «{value}»",
      one: "شخص واحد يرسل «{value}»",
      two: "شخصان يرسلان «{value}»",
      few: "{count} أشخاص يرسلون «{value}»",
      many: "{count} شخصًا يرسلون «{value}»",
      other: "{count} شخص يرسلون «{value}»"
    },
    saysAnyway: {
      zero: "لا أحد يرسل «{value}» أيًّا كانت الإجابة",
      one: "شخص واحد يرسل «{value}» أيًّا كانت الإجابة",
      two: "شخصان يرسلان «{value}» أيًّا كانت الإجابة",
      few: "{count} أشخاص يرسلون «{value}» أيًّا كانت الإجابة",
      many: "{count} شخصًا يرسلون «{value}» أيًّا كانت الإجابة",
      other: "{count} شخص يرسلون «{value}» أيًّا كانت الإجابة"
    },
    these: "{count} من الأسئلة وعددها {of}",
    answer: "الإجابة {number}",
    together: "قرعة واحدة تقرر لكل هذه الأسئلة معًا.",
    apart: "لكل سؤال من هذه الأسئلة قرعة خاصة به.",
    readerTitle: "مثال بالأرقام",
    reader: "لنفترض أن الإجابة الحقيقية لدى {having} من كل 100 شخص هي «{value}». عندئذ يرسل نحو {sent} من كل 100 شخص «{value}». ولدى نحو {theirs} من هؤلاء الـ{sent} تكون هي الإجابة الحقيقية."
  },
  choose: {
    title: "من يجري القرعة؟",
    lead: "يمكنك أن ترمي بنفسك، أو تجري هذه الصفحة القرعة عنك.",
    legend: "اختيارك",
    own: "أرمي بنفسي",
    ownHelp: "يلزمك {tools}. وتقول الصفحة ما معنى كل نتيجة. وهي لا تسأل أبدًا عمّا ظهر لك.",
    tools: {
      coin: "قطعة نقود معدنية",
      die: "حجر نرد",
      dice: "حجرا نرد",
      digit: "ورقة نقدية أو ساعة إيقاف",
      digits: "ورقة نقدية أو ساعة إيقاف",
      coins: "قطعة نقود معدنية"
    },
    page: "هذه الصفحة تجري القرعة عني",
    pageHelp: "هذا سريع. إلى أن ترسل، وربما مدة أطول، يحفظ هذا الجهاز النتيجة. إذا كان من الممكن أن يفتشه أحد، فالأفضل أن ترمي بنفسك.",
    noStorage: "هذا المتصفح لا يحفظ شيئًا بين زيارة وأخرى. ربما هذه نافذة خاصة. لذلك لا تستطيع الصفحة إجراء القرعة عنك هنا. يمكنك أن ترمي بنفسك، أو أن تفتح الرابط في نافذة عادية.",
    first: "يرجى اختيار واحد منهما.",
    ownBut: {
      zero: "تجري الصفحة القرعة حيث يكون هذا صعبًا.",
      one: "في سؤال واحد يكون هذا صعبًا جدًّا. هناك تجري الصفحة القرعة.",
      two: "في سؤالين يكون هذا صعبًا جدًّا. هناك تجري الصفحة القرعة.",
      few: "في {count} أسئلة يكون هذا صعبًا جدًّا. هناك تجري الصفحة القرعة.",
      many: "في {count} سؤالًا يكون هذا صعبًا جدًّا. هناك تجري الصفحة القرعة.",
      other: "في {count} سؤال يكون هذا صعبًا جدًّا. هناك تجري الصفحة القرعة."
    },
    pageQuick: "هذا سريع."
  },
  practice: {
    title: "تجربة",
    lead: "هذا تدريب فقط. لا يُرسل شيء.",
    question: "هل تحب الأيام الممطرة؟",
    personal: "هل وُلدت في النصف الأول من السنة، من يناير إلى يونيو؟",
    toss: "إجراء القرعة",
    done: "عرض ما كان سيُرسل",
    wouldSend: "هذه المرة كانت الصفحة سترسل: {value}",
    both: "مع إجابتك يمكن أن يحدث ما يلي:",
    example: "لنفترض أن إجابتك الحقيقية «{value}». عندئذ تضغط على:",
    times: "{count} من كل {of}",
    timesAbout: "نحو {count} من كل {of}",
    truth: "«{value}»: إجابتك",
    turned: "«{value}»: ليست إجابتك",
    drawn: "«{value}»: اختارتها الصدفة",
    second: "«{value}»: إجابتك عن ب",
    anySecond: "إجابتك عن ب",
    anyDrawn: "«نعم» أو «لا» تختارها الصدفة",
    anyway: "«{value}» أيًّا كانت إجابتك",
    onlyThis: "لا يرى الآخرون إلا ما أُرسل. ولا يرون السبب.",
    onlyClicked: "لا يرى الآخرون إلا ما ضغطت عليه. ولا يرون ما ظهر لك.",
    first: "يرجى الإجابة أولًا.",
    needed: "يرجى التجربة مرة واحدة قبل المتابعة."
  },
  check: {
    title: "سؤالان سريعان",
    lead: "يبيّنان لنا هل كان شرحنا واضحًا. وستتابع في كل الأحوال.",
    right: "نعم، هذا صحيح.",
    wrong: "ليس تمامًا.",
    first: "يرجى اختيار إجابة عن السؤالين.",
    report: {
      text: "شخص غريب يرى أنك أرسلت «نعم». ما الذي يمكن أن يعرفه؟",
      real: "أن إجابتي الحقيقية «نعم»",
      guess: "يمكنه أن يخمّن، لكن دون تأكد",
      why: "قد تكون «نعم» هي الإجابة الحقيقية، وقد تكون من الصدفة. لذلك هي تخمين."
    },
    rule: {
      text: "كيف ينبغي أن تجيب عن الأسئلة التالية؟",
      change: "أغيّر بعض الإجابات بنفسي",
      real: "كما هو الأمر في الحقيقة",
      why: "الصفحة تفعل الباقي. وإذا غيّرت الإجابات بنفسك، فلن تكون النتائج صحيحة."
    },
    throw: {
      text: "تقول رميتك ألا تضغط على إجابتك الحقيقية. ماذا تفعل؟",
      real: "أضغط على إجابتي الحقيقية مع ذلك",
      follow: "أضغط على ما تقوله الصفحة لهذه الرمية",
      why: "بهذا فقط تكون محميًّا، وبهذا فقط تكون النتائج صحيحة."
    }
  },
  questions: {
    title: "إجاباتك",
    part: "إجاباتك، الجزء {number} من {of}",
    public: "تُرسل كما هي",
    stays: "تبقى على هذا الجهاز",
    disguised: "مموَّهة",
    direct: "تُرسل كما هي",
    pageCoin: "يرجى الإجابة كما هو الأمر في الحقيقة. تموّه الصفحة إجاباتك قبل إرسالها.",
    both: "يرجى الإجابة عن أ وعن ب. وتختار الصدفة أي الإجابتين تُرسل. وتبقى الأخرى على هذا الجهاز.",
    several: "يمكن اختيار كل ما ينطبق.",
    none: "لا شيء من هذا",
    missing: {
      zero: "لا ينقص شيء.",
      one: "ما زالت الإجابة عن سؤال واحد ناقصة.",
      two: "ما زالت الإجابة عن سؤالين ناقصة.",
      few: "ما زالت الإجابة عن {count} أسئلة ناقصة.",
      many: "ما زالت الإجابة عن {count} سؤالًا ناقصة.",
      other: "ما زالت الإجابة عن {count} سؤال ناقصة."
    },
    needed: "يرجى الإجابة عن هذا السؤال.",
    all: "كل الأسئلة تحتاج إلى إجابة.",
    skip: "أفضّل ألا أقول",
    skipToo: "يمكنك أيضًا اختيار «{value}». هذه تُموَّه مثل الإجابات الأخرى. ولا يستطيع الآخرون إلا أن يخمّنوا من اختارها."
  },
  own: {
    title: "الرمي أولًا ثم الضغط",
    tools: {
      coin: "يرجى رمي قطعة النقود.",
      die: "يرجى رمي حجر النرد.",
      digit: "يرجى أخذ ورقة نقدية، غيرها في كل مرة، والنظر إلى رقمها. المطلوب هو الرقم قبل الأخير. لا توجد ورقة نقدية؟ يمكن تشغيل ساعة إيقاف وإيقافها دون النظر إليها، والمطلوب هو رقمها الأخير.",
      dice: "يرجى رمي حجري النرد وجمع العددين.",
      digits: "يرجى أخذ ورقة نقدية، غيرها في كل مرة، والنظر إلى رقمها. المطلوب هو الرقمان اللذان قبل الأخير. لا توجد ورقة نقدية؟ يمكن تشغيل ساعة إيقاف وإيقافها دون النظر إليها، والمطلوب هو رقماها الأخيران.",
      coins: "يرجى رمي قطعة النقود مرتين."
    },
    tosses: "{first} ثم {second}",
    heads: "صورة",
    tails: "كتابة",
    outcome: "إذا ظهر",
    todo: "فالضغط على",
    truth: "إجابتك الحقيقية",
    truths: "إجاباتك الحقيقية",
    opposite: "عكس إجابتك الحقيقية",
    opposites: "عكس إجاباتك الحقيقية، في كل هذه الأسئلة",
    oppositesTicks: "عكس إجاباتك الحقيقية، في كل هذه الأسئلة. وحيث يمكن اختيار أكثر من إجابة، يُختار بالضبط ما لا ينطبق",
    first: "إجابتك الحقيقية عن السؤال أ",
    firsts: "إجاباتك الحقيقية عن الأسئلة أ",
    second: "إجابتك الحقيقية عن السؤال ب",
    seconds: "إجاباتك الحقيقية عن الأسئلة ب",
    say: "«{value}» أيًّا كانت إجابتك",
    never: "يرجى عدم إخبار أحد بما ظهر لك. هذه الصفحة لا تسأل عنه. وهي ترسل ما تضغط عليه.",
    same: "الرمية السابقة صالحة هنا أيضًا. لا داعي لرمية جديدة.",
    step: {
      zero: "الإجابة نفسها",
      one: "الإجابة التالية في القائمة",
      two: "الإجابة التي تأتي بعد موضعين في القائمة",
      few: "الإجابة التي تأتي بعد {count} مواضع في القائمة",
      many: "الإجابة التي تأتي بعد {count} موضعًا في القائمة",
      other: "الإجابة التي تأتي بعد {count} موضع في القائمة"
    },
    nth: "الإجابة رقم {number} في القائمة",
    round: "يبدأ العدّ من إجابتك الحقيقية. وبعد الأخيرة تأتي الأولى.",
    each: "إذا كانت إجابتك الحقيقية «{truth}»: «{value}»",
    again: "لا شيء بعد: تلزم رمية ثانية، انظر أدناه",
    secondThrow: "الرمية الثانية",
    secondThrows: "الرمية الثانية: رمية جديدة لكل سؤال"
  },
  review: {
    title: "هذا ما سيُرسل",
    question: "السؤال",
    sent: "ما يُرسل",
    note: "قد لا تكون بعض هذه الإجابات إجاباتك. هذا هو التمويه.",
    noteOwn: "ترسل الصفحة ما ضغطت عليه. أنت وحدك تعرف ما ظهر لك.",
    noteDirect: "تُرسل إجاباتك كما هي.",
    noteBit: "تبقى إجاباتك هنا. و«نعم» أو «لا» هذه هي كل ما يُرسل عنها.",
    literal: "عرض الرسالة نفسها",
    literalNote: "طول الرسالة دائمًا {size} من الرموز، أيًّا كانت إجاباتك. وتكملها نقاط. وليس فيها اسم ولا وقت ولا عنوان.",
    parts: "تسمّي الرسالة الاستبيان برمز هو بصمته. وفيها عدد عشوائي. وتقول كيف سُئلت، ومن أجرى القرعة، وعن كم من السؤالين السريعين أجبت بشكل صحيح. ثم تأتي علامة واحدة لكل إجابة.",
    partsInvited: "تسمّي الرسالة الاستبيان برمز هو بصمته. وفيها عدد عشوائي. وفيها تذكرة: تقول إن شخصًا ما دُعي، ولا تقول من هو. وتقول كيف سُئلت، ومن أجرى القرعة، وعن كم من السؤالين السريعين أجبت بشكل صحيح. ثم تأتي علامة واحدة لكل إجابة.",
    partsBit: "تسمّي الرسالة الاستبيان برمز هو بصمته. وفيها عدد عشوائي. وفيها ثلاثة أمور هي نفسها للجميع. ثم تأتي علامة واحدة: نعم أو لا.",
    partsBitInvited: "تسمّي الرسالة الاستبيان برمز هو بصمته. وفيها عدد عشوائي. وفيها تذكرة: تقول إن شخصًا ما دُعي، ولا تقول من هو. وفيها ثلاثة أمور هي نفسها للجميع. ثم تأتي علامة واحدة: نعم أو لا.",
    send: "إرسال",
    ticket: "يتحقق الخادم من دعوتك …",
    none: "لا شيء من هذا",
    noteSome: "الإجابات التي عليها علامة «مموَّهة» قد لا تكون إجاباتك. وتُرسل الأخرى كما هي.",
    noteMixed: "حيث رميت بنفسك، ترسل الصفحة ما ضغطت عليه. أنت وحدك تعرف ما ظهر لك. أما في الإجابات المموَّهة الأخرى فقد أجرت الصفحة القرعة.",
    notAsked: "لم يُسأل عنه"
  },
  sending: {
    title: "جارٍ الإرسال …",
    waiting: "تنتظر إجاباتك على هذا الجهاز كما رأيتها قبل قليل. وستُرسل عندما تعود الشبكة.",
    waitingBit: "تنتظر «نعم» أو «لا» على هذا الجهاز. وستُرسل عندما تعود الشبكة.",
    open: "يمكنك ترك هذه الصفحة مفتوحة أو العودة لاحقًا.",
    keepOpen: "يرجى ترك هذه الصفحة مفتوحة حتى ذلك الوقت. هذا المتصفح لا يحفظ شيئًا."
  },
  done: {
    title: "شكرًا لك",
    lead: "وصلت إجاباتك وحُفظت.",
    leadBit: "وصلت «نعم» أو «لا» وحُفظت. ولم تخرج إجاباتك من هذا الجهاز أبدًا.",
    preview: "في الاستبيان الحقيقي كانت إجاباتك ستُرسل الآن.",
    receipt: "إيصالك",
    why: "بهذا الرمز يمكنك لاحقًا التحقق من أن إجاباتك محفوظة، أو حذفها. وهو عدد عشوائي.",
    copy: "نسخ",
    copied: "تم النسخ",
    print: "طباعة",
    kept: "يحفظ هذا المتصفح الإيصال أيضًا.",
    forget: "نسيانه على هذا الجهاز",
    forgotten: "لقد نسيه هذا الجهاز.",
    secret: "يرجى الاحتفاظ به لنفسك. فمن يملكه يستطيع أن يفعل الشيء نفسه. ومن يحصل أيضًا على بيانات الاستبيان يستطيع أن يجد ما أرسلته."
  },
  receipts: {
    title: "التحقق من إجاباتك أو حذفها",
    label: "الإيصال",
    help: "ستة عشر من الحروف والأرقام، مثل {example}",
    check: "تحقق",
    erase: "حذف إجاباتي",
    sure: "حذف نهائي؟",
    reallyErase: "نعم، حذف",
    keep: "لا، تبقى",
    malformed: "هذا ليس إيصالًا. في الإيصال ستة عشر من الحروف والأرقام. يرجى نسخه مرة أخرى.",
    included: "نعم: الإجابات الخاصة بهذا الإيصال محفوظة.",
    missing: "لا توجد إجابات محفوظة بهذا الإيصال. إما أنها لم تصل، أو أنها حُذفت.",
    deleted: "حُذفت الإجابات الخاصة بهذا الإيصال.",
    nothing: "لا توجد إجابات محفوظة بهذا الإيصال، لذلك لم يُحذف شيء.",
    unreachable: "لا يمكن الوصول إلى الخادم الآن. يرجى المحاولة لاحقًا."
  },
  trouble: {
    closed: {
      title: "هذا الاستبيان مغلق",
      text: "شكرًا لاهتمامك. لم يعد يقبل إجابات."
    },
    wrongLink: {
      title: "يرجى فتح الرابط من دعوتك",
      text: "تلزم دعوة لهذا الاستبيان. وليس في العنوان الظاهر في متصفحك دعوة، أو فيه جزء منها فقط. يرجى فتح الرابط مرة أخرى، أو نسخه كاملًا."
    },
    unknownInvitation: {
      title: "هذه الدعوة غير معروفة هنا",
      text: "ربما قُطع الرابط. يرجى فتحه مرة أخرى من دعوتك، أو الكتابة إلينا."
    },
    usedInvitation: {
      title: "استُخدمت هذه الدعوة من قبل",
      text: "ربما كانت البداية على جهاز آخر أو في متصفح آخر. عندئذ يرجى المتابعة هناك. وإذا تعذّر ذلك، فيمكنك الكتابة إلينا ونرسل إليك رابطًا جديدًا. وإذا كان لديك رابط أحدث، فيرجى استخدامه. وإذا سبق أن أجبت، فقد انتهى الأمر."
    },
    wrongKey: {
      title: "توقفت هذه الصفحة لحمايتك",
      text: "مفتاح الخادم أو أسئلته ليست هي المذكورة في دعوتك. وكان يمكن أن يتعرّف أحد على إجاباتك. لم يُرسل شيء. يرجى إبلاغ الباحثين."
    },
    givenUp: {
      title: "انتهى الأمر هنا",
      text: "لم تُقبل إجاباتك، وقد نسيها هذا الجهاز. ولن تُسأل مرة أخرى."
    },
    noStorage: {
      title: "هذا المتصفح لا يحفظ شيئًا بين زيارة وأخرى",
      text: "لذلك كانت الصدفة ستقرر من جديد في كل زيارة، وهذا يحميك أقل. يرجى فتح الرابط في نافذة عادية، أو السماح لهذه الصفحة بحفظ البيانات."
    },
    broken: {
      title: "في هذا الاستبيان خلل",
      text: "لا يمكن عرضه. لم تُرسل أي إجابة. يرجى إبلاغ الباحثين."
    },
    refusedFull: {
      title: "لم تُقبل إجاباتك",
      text: "ربما سبقت الإجابة بهذه الدعوة. أو شارك عدد كافٍ من أمثالك. شكرًا لك على كل حال."
    },
    refused: {
      title: "لم تُقبل إجاباتك",
      text: "الخادم لا يقبلها. وهي تبقى على هذا الجهاز. يمكنك المحاولة مرة أخرى، أو الكتابة إلينا."
    }
  },
  early: {
    slow: "ما زال التحميل جاريًا. إذا لم يحدث شيء، يرجى تحميل الصفحة من جديد.",
    script: {
      title: "هذه الصفحة تموّه إجاباتك بنفسها",
      text: "لذلك تحتاج إلى JavaScript. وهي متوقفة في هذا المتصفح. يرجى تشغيلها لهذه الصفحة. لم تُرسل أي إجابة."
    },
    insecure: {
      title: "هذا الاتصال غير آمن",
      text: "من دون اتصال آمن لا يستطيع متصفحك تمويه الإجابات. يرجى فتح العنوان بـ https://."
    },
    offline: {
      title: "لا يوجد اتصال بعد",
      text: "تعذّر تحميل الاستبيان. وتواصل هذه الصفحة المحاولة."
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
  checkReceipt: "Antworten prüfen oder löschen",
  backToSurvey: "Zurück zur Umfrage",
  preview: "Vorschau: Nichts wird gespeichert, nichts wird gesendet.",
  letters: {
    a: "A",
    b: "B"
  },
  about: {
    title: "Über diese Umfrage",
    asked: "Was wir fragen",
    count: {
      one: "Wir stellen {count} Frage.",
      other: "Wir stellen {count} Fragen."
    },
    countMost: "Wir stellen höchstens {count} Fragen.",
    all: "Diese Seite schützt Ihre Antworten, bevor sie etwas sendet.",
    some: "Manche Antworten schützt diese Seite, bevor sie etwas sendet. Andere sendet sie unverändert. Bei jeder Frage steht, was gilt.",
    plain: "Ihre Antworten werden so gesendet, wie Sie sie geben.",
    bit: "Ihre Antworten bleiben auf diesem Gerät.",
    next: "Auf der nächsten Seite lesen Sie, wie das geht. Dann entscheiden Sie, ob Sie mitmachen."
  },
  consent: {
    title: "So werden Ihre Antworten geschützt",
    lead: "Bevor eine Antwort dieses Gerät verlässt, entscheidet der Zufall, was gesendet wird.",
    evens: "Niemand sonst sieht, wie der Zufall bei Ihnen entschieden hat. Bei vielen Menschen gleicht er sich aus. So lässt sich ausrechnen, wie häufig eine Antwort in der Gruppe ist.",
    proof: "Ein gesendetes „{value}“ beweist nichts.",
    proofWhy: "Es kann Ihre Antwort sein, oder es kommt vom Zufall.",
    table: "Was andere über Sie erfahren können",
    readers: "„Andere“ sind die Forschenden, wer den Server betreibt, ein Hacker, der alles stiehlt, und ein Gericht.",
    one: "Eine geschützte Antwort",
    all: "Alle geschützten Antworten zusammen",
    guess: "Nur eine Vermutung",
    right: "Sie raten bei etwa {after} von 100 Personen richtig. Ohne das, was Sie senden, bei etwa {before}.",
    rightMost: "Bei der leichtesten Frage raten sie bei etwa {after} von 100 Personen richtig. Ohne das, was Sie senden, bei etwa {before}.",
    rightAll: "Alle zugleich raten sie bei etwa {after} von 100 Personen richtig. Ohne das, was Sie senden, bei etwa {before}.",
    rightAllMany: "Alle zugleich raten sie bei etwa {after} von 100 Personen richtig.",
    rightFew: "Alle zugleich raten sie bei weniger als {after} von 100 Personen richtig.",
    even: "Wir rechnen so, als wären alle Antworten gleich häufig. Wer Sie kennt oder weiß, dass eine Antwort selten ist, kann besser raten.",
    certain: "Sicher ist nur: Wer {values} sendet, hat wirklich diese Antwort.",
    shared: "Bei manchen Fragen zieht der Zufall einmal für alle. Wer Ihre wirkliche Antwort auf eine kennt, kennt dann auch die anderen.",
    sharedGuess: "Bei manchen Fragen zieht der Zufall einmal für alle. Wer Ihre wirkliche Antwort auf eine kennt, rät alle bei etwa {after} von 100 Personen richtig.",
    sharedMore: "Bei manchen Fragen zieht der Zufall einmal für alle. Wer Ihre wirkliche Antwort auf eine kennt, kann die anderen besser raten.",
    second: "Zu manchen Fragen gehört eine zweite, harmlose Frage. Wer Ihre Antwort auf die zweite kennt, kann manchmal auf die erste schließen.",
    open: "Antworten mit dem Zeichen „unverändert“",
    openRead: "Sie können sie lesen.",
    part: "Dass Sie mitgemacht haben",
    partInvited: "Die Forschenden können sehen, dass Ihre Einladung benutzt wurde. Der Server speichert nicht, welche Antworten dazu gehören.",
    partOpen: "Der Server speichert keine Namen, keine Adressen und keine Uhrzeiten.",
    network: "Ihr Netz, zum Beispiel in der Firma, kann sehen, dass Sie diese Seite geöffnet haben. Was Sie antworten, sieht es nicht.",
    device: "Bis Sie senden, und vielleicht länger, steht auf diesem Gerät, wie der Zufall entschieden hat. Wenn jemand es durchsuchen könnte, öffnen Sie die Umfrage auf einem anderen.",
    notDirect: {
      by: "some",
      one: "{some} von {of} Personen wird ohne diesen Schutz gefragt, zum Vergleich. Sie gehören nicht dazu.",
      other: "{some} von {of} Personen werden ohne diesen Schutz gefragt, zum Vergleich. Sie gehören nicht dazu."
    },
    stop: "Sie entscheiden, ob Sie mitmachen. Sie können jederzeit aufhören: Schließen Sie einfach diese Seite. Keine Antwort wird gesendet, bevor Sie auf „Senden“ drücken.",
    invited: "Wenn Sie zustimmen, schickt diese Seite Ihre Einladung an den Server. Ab dann gilt sie als benutzt. Sie können trotzdem aufhören und später in diesem Browser weitermachen.",
    invitedOnce: "Wenn Sie zustimmen, schickt diese Seite Ihre Einladung an den Server. Ab dann gilt sie als benutzt. Dieser Browser behält nichts. Wenn Sie die Seite vor dem Senden schließen, brauchen Sie eine neue Einladung.",
    begun: "Sie haben hier schon begonnen. Ihre Einladung gilt in diesem Browser noch. Was Sie damals geantwortet haben, wurde nicht behalten.",
    agree: "Ich mache mit"
  },
  plain: {
    title: "Bevor Sie sich entscheiden",
    lead: "In dieser Umfrage werden Ihre Antworten so gesendet, wie Sie sie geben.",
    body: "Ihr Name wird nicht gesendet. Aber die Forschenden können die Antworten lesen, und auch wer sonst an die Daten kommt."
  },
  oneBit: {
    title: "Bevor Sie sich entscheiden",
    lead: "Ihre Antworten bleiben auf diesem Gerät. Gesendet wird ein Ja oder Nein.",
    body: "Diese Seite stellt eine Vermutung über Sie an. Sie prüft sie mit Ihren Antworten, hier auf diesem Gerät. Dann sendet sie, ob die Vermutung stimmt: ja oder nein. Die Antworten und Ihr Name werden nicht gesendet. Sie sehen das Ja oder Nein vorher.",
    tells: "Andere können das Ja oder Nein lesen. Es verrät ein wenig über Ihre Antworten."
  },
  direct: {
    title: "Bevor Sie sich entscheiden",
    lead: "In Ihrem Fall werden die Antworten so gesendet, wie Sie sie geben.",
    body: {
      by: "some",
      one: "{some} von {of} Personen antwortet ohne Schutz. So vergleichen wir zwei Arten zu fragen. Der Zufall hat Sie ausgewählt. Ihr Name wird nicht gesendet. Aber die Forschenden können Ihre Antworten lesen, und auch wer sonst an die Daten kommt.",
      other: "{some} von {of} Personen antworten ohne Schutz. So vergleichen wir zwei Arten zu fragen. Der Zufall hat Sie ausgewählt. Ihr Name wird nicht gesendet. Aber die Forschenden können Ihre Antworten lesen, und auch wer sonst an die Daten kommt."
    },
    stop: "Sie können jetzt oder jederzeit aufhören: Schließen Sie einfach diese Seite. Keine Antwort wird gesendet, bevor Sie auf „Senden“ drücken. Niemand nimmt es Ihnen übel.",
    agree: "Ich mache mit und antworte offen"
  },
  how: {
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
        one: "{count} sendet eine andere Antwort, die der Zufall aussucht",
        other: "{count} senden eine andere Antwort, die der Zufall aussucht"
      },
      personal: {
        one: "{count} sendet die Antwort auf eine harmlose zweite Frage",
        other: "{count} senden die Antwort auf eine harmlose zweite Frage"
      },
      drawn: {
        one: "{count} sendet eine Antwort, die der Zufall aussucht",
        other: "{count} senden eine Antwort, die der Zufall aussucht"
      }
    },
    says: {
      one: "{count} sendet „{value}“",
      other: "{count} senden „{value}“"
    },
    saysAnyway: {
      one: "{count} sendet „{value}“, egal was die Antwort ist",
      other: "{count} senden „{value}“, egal was die Antwort ist"
    },
    these: {
      one: "{count} der {of} Fragen",
      other: "{count} der {of} Fragen"
    },
    answer: "Antwort {number}",
    together: "Der Zufall zieht einmal für alle diese Fragen zusammen.",
    apart: "Der Zufall zieht für jede dieser Fragen neu.",
    readerTitle: "Ein Beispiel mit Zahlen",
    reader: "Angenommen, {having} von 100 Personen würden wirklich „{value}“ antworten. Dann senden etwa {sent} von 100 ein „{value}“. Bei etwa {theirs} von diesen {sent} ist es die wirkliche Antwort."
  },
  choose: {
    title: "Wer lässt den Zufall entscheiden?",
    lead: "Sie können selbst werfen, oder diese Seite zieht für Sie.",
    legend: "Ihre Wahl",
    own: "Ich werfe selbst",
    ownHelp: "Sie brauchen {tools}. Die Seite sagt, was jedes Ergebnis bedeutet. Sie fragt nie, was Sie geworfen haben.",
    tools: {
      coin: "eine Münze",
      die: "einen Würfel",
      dice: "zwei Würfel",
      digit: "einen Geldschein oder eine Stoppuhr",
      digits: "einen Geldschein oder eine Stoppuhr",
      coins: "eine Münze"
    },
    page: "Diese Seite zieht für mich",
    pageHelp: "Das geht schnell. Bis Sie senden, und vielleicht länger, steht das Ergebnis auf diesem Gerät. Wenn jemand es durchsuchen könnte, werfen Sie selbst.",
    noStorage: "Dieser Browser behält nichts zwischen zwei Besuchen. Vielleicht ist das ein privates Fenster. Darum kann die Seite hier nicht für Sie ziehen. Sie werfen selbst, oder Sie öffnen den Link in einem normalen Fenster.",
    first: "Bitte wählen Sie eines.",
    ownBut: {
      one: "Bei einer Frage ist das zu schwer. Dort zieht die Seite.",
      other: "Bei {count} Fragen ist das zu schwer. Dort zieht die Seite."
    },
    pageQuick: "Das geht schnell."
  },
  practice: {
    title: "Probieren Sie es aus",
    lead: "Das ist nur eine Übung. Nichts wird gesendet.",
    question: "Mögen Sie Regentage?",
    personal: "Sind Sie in der ersten Hälfte eines Jahres geboren, von Januar bis Juni?",
    toss: "Ziehen",
    done: "Zeigen, was gesendet würde",
    wouldSend: "Diesmal würde die Seite senden: {value}",
    both: "Mit Ihrer Antwort kann das geschehen:",
    example: "Angenommen, Ihre wirkliche Antwort ist „{value}“. Dann klicken Sie:",
    times: "{count} von {of} Mal",
    timesAbout: "etwa {count} von {of} Mal",
    truth: "„{value}“: Ihre Antwort",
    turned: "„{value}“: nicht Ihre Antwort",
    drawn: "„{value}“: vom Zufall ausgesucht",
    second: "„{value}“: Ihre Antwort auf B",
    anySecond: "Ihre Antwort auf B",
    anyDrawn: "„Ja“ oder „Nein“, vom Zufall ausgesucht",
    anyway: "„{value}“, egal was Ihre Antwort ist",
    onlyThis: "Andere sehen nur, was gesendet wurde. Warum, sehen sie nicht.",
    onlyClicked: "Andere sehen nur, was Sie angeklickt haben. Was Sie geworfen haben, sehen sie nicht.",
    first: "Bitte antworten Sie zuerst.",
    needed: "Bitte probieren Sie es einmal aus, bevor es weitergeht."
  },
  check: {
    title: "Zwei kurze Fragen",
    lead: "Sie zeigen uns, ob wir es gut erklärt haben. Es geht in jedem Fall weiter.",
    right: "Ja, richtig.",
    wrong: "Nicht ganz.",
    first: "Bitte wählen Sie bei beiden eine Antwort.",
    report: {
      text: "Ein Fremder sieht, dass Sie „Ja“ gesendet haben. Was kann er wissen?",
      real: "Dass meine wirkliche Antwort „Ja“ ist",
      guess: "Er kann raten, aber nicht sicher sein",
      why: "Ein „Ja“ kann die wirkliche Antwort sein, oder es kommt vom Zufall. Also kann er nur raten."
    },
    rule: {
      text: "Wie beantworten Sie die folgenden Fragen?",
      change: "Ich ändere manche Antworten selbst",
      real: "So, wie es wirklich ist",
      why: "Den Rest macht die Seite. Wenn Sie selbst etwas ändern, werden die Ergebnisse falsch."
    },
    throw: {
      text: "Ihr Wurf sagt, dass Sie nicht Ihre wirkliche Antwort anklicken sollen. Was tun Sie?",
      real: "Ich klicke trotzdem meine wirkliche Antwort an",
      follow: "Ich klicke an, was die Seite für diesen Wurf sagt",
      why: "Nur dann sind Sie geschützt, und nur dann stimmen die Ergebnisse."
    }
  },
  questions: {
    title: "Ihre Antworten",
    part: "Ihre Antworten, Teil {number} von {of}",
    public: "unverändert",
    stays: "bleibt auf diesem Gerät",
    disguised: "geschützt",
    direct: "unverändert",
    pageCoin: "Antworten Sie, wie es wirklich ist. Die Seite schützt Ihre Antworten, bevor sie gesendet werden.",
    both: "Bitte beantworten Sie A und B. Der Zufall entscheidet, welche der beiden Antworten gesendet wird. Die andere bleibt auf diesem Gerät.",
    several: "Kreuzen Sie alles Zutreffende an.",
    none: "Nichts davon",
    missing: {
      one: "Eine Frage braucht noch eine Antwort.",
      other: "{count} Fragen brauchen noch eine Antwort."
    },
    needed: "Bitte beantworten Sie diese Frage.",
    all: "Alle Fragen brauchen eine Antwort.",
    skip: "Das möchte ich nicht sagen",
    skipToo: "Sie können auch „{value}“ wählen. Das wird geschützt wie die anderen Antworten. Andere können nur raten, wer das gewählt hat."
  },
  own: {
    title: "Werfen Sie selbst, dann klicken Sie",
    tools: {
      coin: "Werfen Sie eine Münze.",
      die: "Würfeln Sie.",
      digit: "Nehmen Sie einen Geldschein, jedes Mal einen anderen, und schauen Sie auf die Nummer. Es zählt die vorletzte Ziffer. Kein Geldschein da? Starten Sie eine Stoppuhr und halten Sie sie blind an. Dann zählt ihre letzte Ziffer.",
      dice: "Werfen Sie zwei Würfel und zählen Sie zusammen.",
      digits: "Nehmen Sie einen Geldschein, jedes Mal einen anderen, und schauen Sie auf die Nummer. Es zählen die zwei Ziffern vor der letzten. Kein Geldschein da? Starten Sie eine Stoppuhr und halten Sie sie blind an. Dann zählen ihre letzten zwei Ziffern.",
      coins: "Werfen Sie eine Münze zweimal."
    },
    tosses: "{first}, {second}",
    heads: "Kopf",
    tails: "Zahl",
    outcome: "Zeigt sich",
    todo: "dann klicken Sie",
    truth: "Ihre wirkliche Antwort",
    truths: "Ihre wirklichen Antworten",
    opposite: "das Gegenteil Ihrer wirklichen Antwort",
    opposites: "das Gegenteil Ihrer wirklichen Antworten, bei allen diesen Fragen",
    oppositesTicks: "das Gegenteil Ihrer wirklichen Antworten, bei allen diesen Fragen. Wo Sie mehreres ankreuzen können, kreuzen Sie genau das an, was nicht zutrifft",
    first: "Ihre wirkliche Antwort auf Frage A",
    firsts: "Ihre wirklichen Antworten auf die Fragen A",
    second: "Ihre wirkliche Antwort auf Frage B",
    seconds: "Ihre wirklichen Antworten auf die Fragen B",
    say: "„{value}“, egal was Ihre Antwort ist",
    never: "Sagen Sie niemandem, was Sie geworfen haben. Diese Seite fragt nicht danach. Sie sendet, was Sie anklicken.",
    same: "Hier gilt derselbe Wurf wie vorher. Werfen Sie nicht noch einmal.",
    step: {
      one: "die nächste Antwort in der Liste",
      other: "die Antwort {count} Plätze weiter unten in der Liste"
    },
    nth: "die Antwort Nummer {number} in der Liste",
    round: "Zählen Sie ab Ihrer wirklichen Antwort. Nach der letzten kommt die erste.",
    each: "wenn Ihre wirkliche Antwort „{truth}“ ist: „{value}“",
    again: "noch nichts: Werfen Sie ein zweites Mal, siehe unten",
    secondThrow: "Der zweite Wurf",
    secondThrows: "Der zweite Wurf: für jede Frage neu"
  },
  review: {
    title: "Das wird gesendet",
    question: "Frage",
    sent: "Was gesendet wird",
    note: "Manche dieser Antworten sind vielleicht nicht Ihre eigenen. Das ist der Schutz.",
    noteOwn: "Die Seite sendet, was Sie angeklickt haben. Nur Sie wissen, was Sie geworfen haben.",
    noteDirect: "Ihre Antworten werden so gesendet, wie Sie sie gegeben haben.",
    noteBit: "Ihre Antworten bleiben hier. Über sie wird nur dieses Ja oder Nein gesendet.",
    literal: "Die Nachricht selbst zeigen",
    literalNote: "Die Nachricht hat immer {size} Zeichen, was Sie auch antworten. Punkte füllen sie auf. Sie enthält keinen Namen, keine Uhrzeit und keine Adresse.",
    parts: "Die Nachricht nennt die Umfrage mit einem Code, ihrem Fingerabdruck. Sie enthält eine Zufallszahl. Sie sagt, wie Sie gefragt wurden, wer gezogen hat und wie viele der zwei kurzen Fragen Sie richtig hatten. Dann kommt ein Zeichen für jede Antwort.",
    partsInvited: "Die Nachricht nennt die Umfrage mit einem Code, ihrem Fingerabdruck. Sie enthält eine Zufallszahl. Sie enthält einen Beleg: Jemand war eingeladen, aber nicht wer. Sie sagt, wie Sie gefragt wurden, wer gezogen hat und wie viele der zwei kurzen Fragen Sie richtig hatten. Dann kommt ein Zeichen für jede Antwort.",
    partsBit: "Die Nachricht nennt die Umfrage mit einem Code, ihrem Fingerabdruck. Sie enthält eine Zufallszahl. Drei Angaben sind für alle gleich. Dann kommt ein Zeichen: das Ja oder Nein.",
    partsBitInvited: "Die Nachricht nennt die Umfrage mit einem Code, ihrem Fingerabdruck. Sie enthält eine Zufallszahl. Sie enthält einen Beleg: Jemand war eingeladen, aber nicht wer. Drei Angaben sind für alle gleich. Dann kommt ein Zeichen: das Ja oder Nein.",
    send: "Senden",
    ticket: "Der Server prüft Ihre Einladung …",
    none: "nichts davon",
    noteSome: "Wo „geschützt“ steht, ist es vielleicht nicht Ihre eigene Antwort. Alles andere wird unverändert gesendet.",
    noteMixed: "Wo Sie geworfen haben, sendet die Seite, was Sie angeklickt haben. Nur Sie wissen, was Sie geworfen haben. Bei den anderen geschützten Antworten hat die Seite gezogen.",
    notAsked: "nicht gefragt"
  },
  sending: {
    title: "Wird gesendet …",
    waiting: "Ihre Antworten warten auf diesem Gerät, so wie Sie sie eben gesehen haben. Sie werden gesendet, sobald das Netz wieder da ist.",
    waitingBit: "Ihr Ja oder Nein wartet auf diesem Gerät. Es wird gesendet, sobald das Netz wieder da ist.",
    open: "Sie können diese Seite offen lassen oder später wiederkommen.",
    keepOpen: "Bitte lassen Sie diese Seite bis dahin offen. Dieser Browser behält nichts."
  },
  done: {
    title: "Vielen Dank",
    lead: "Ihre Antworten sind da und gespeichert.",
    leadBit: "Ihr Ja oder Nein ist da und gespeichert. Ihre Antworten haben dieses Gerät nie verlassen.",
    preview: "In der wirklichen Umfrage wären Ihre Antworten jetzt gesendet.",
    receipt: "Ihre Quittung",
    why: "Mit diesem Code können Sie später prüfen, ob Ihre Antworten gespeichert sind, oder sie löschen. Er ist eine Zufallszahl.",
    copy: "Kopieren",
    copied: "Kopiert",
    print: "Drucken",
    kept: "Auch dieser Browser behält die Quittung.",
    forget: "Auf diesem Gerät vergessen",
    forgotten: "Dieses Gerät hat sie vergessen.",
    secret: "Behalten Sie ihn für sich. Wer ihn hat, kann das auch. Wer außerdem an die Daten der Umfrage kommt, kann finden, was Sie gesendet haben."
  },
  receipts: {
    title: "Antworten prüfen oder löschen",
    label: "Quittung",
    help: "Sechzehn Buchstaben und Ziffern, wie {example}",
    check: "Prüfen",
    erase: "Meine Antworten löschen",
    sure: "Endgültig löschen?",
    reallyErase: "Ja, löschen",
    keep: "Nein, behalten",
    malformed: "Das ist keine Quittung. Eine Quittung hat sechzehn Buchstaben und Ziffern. Bitte übertragen Sie sie noch einmal.",
    included: "Ja: Was zu dieser Quittung gehört, ist gespeichert.",
    missing: "Zu dieser Quittung ist nichts gespeichert. Es ist nie angekommen, oder es wurde gelöscht.",
    deleted: "Was zu dieser Quittung gehört, ist gelöscht.",
    nothing: "Zu dieser Quittung ist nichts gespeichert. Es wurde nichts gelöscht.",
    unreachable: "Der Server ist gerade nicht erreichbar. Bitte versuchen Sie es später noch einmal."
  },
  trouble: {
    closed: {
      title: "Diese Umfrage ist geschlossen",
      text: "Vielen Dank für Ihr Interesse. Es werden keine Antworten mehr angenommen."
    },
    wrongLink: {
      title: "Bitte öffnen Sie den Link aus Ihrer Einladung",
      text: "Für diese Umfrage brauchen Sie eine Einladung. In der Adresse in Ihrem Browser fehlt sie ganz oder zum Teil. Öffnen Sie den Link noch einmal, oder kopieren Sie ihn ganz."
    },
    unknownInvitation: {
      title: "Diese Einladung ist hier nicht bekannt",
      text: "Vielleicht fehlt ein Stück des Links. Öffnen Sie ihn noch einmal aus Ihrer Einladung, oder schreiben Sie uns."
    },
    usedInvitation: {
      title: "Diese Einladung wurde schon benutzt",
      text: "Vielleicht haben Sie auf einem anderen Gerät oder in einem anderen Browser begonnen. Dann machen Sie bitte dort weiter. Wenn das nicht geht, schreiben Sie uns: Sie bekommen einen neuen Link. Wenn Sie einen neueren Link haben, nehmen Sie den. Wenn Sie schon geantwortet haben, sind Sie fertig."
    },
    wrongKey: {
      title: "Diese Seite hat zu Ihrem Schutz angehalten",
      text: "Der Schlüssel oder die Fragen des Servers sind nicht die aus Ihrer Einladung. Man hätte Ihre Antworten daran erkennen können. Nichts wurde gesendet. Bitte sagen Sie den Forschenden Bescheid."
    },
    givenUp: {
      title: "Sie sind hier fertig",
      text: "Ihre Antworten wurden nicht angenommen, und dieses Gerät hat sie vergessen. Sie werden nicht noch einmal gefragt."
    },
    noStorage: {
      title: "Dieser Browser behält nichts zwischen zwei Besuchen",
      text: "Darum würde der Zufall bei jedem Besuch neu entscheiden, und das schützt Sie schlechter. Bitte öffnen Sie den Link in einem normalen Fenster, oder erlauben Sie dieser Seite, Daten zu behalten."
    },
    broken: {
      title: "Mit dieser Umfrage stimmt etwas nicht",
      text: "Sie kann nicht gezeigt werden. Keine Antwort wurde gesendet. Bitte sagen Sie den Forschenden Bescheid."
    },
    refusedFull: {
      title: "Ihre Antworten wurden nicht angenommen",
      text: "Vielleicht wurde mit dieser Einladung schon geantwortet. Oder es haben genug Menschen wie Sie mitgemacht. Trotzdem vielen Dank."
    },
    refused: {
      title: "Ihre Antworten wurden nicht angenommen",
      text: "Der Server nimmt sie nicht an. Sie bleiben auf diesem Gerät. Sie können es noch einmal versuchen oder uns schreiben."
    }
  },
  early: {
    slow: "Lädt noch. Wenn nichts geschieht, laden Sie bitte die Seite neu.",
    script: {
      title: "Diese Seite schützt Ihre Antworten selbst",
      text: "Dafür braucht sie JavaScript. Das ist in diesem Browser ausgeschaltet. Bitte schalten Sie es für diese Seite ein. Keine Antwort wurde gesendet."
    },
    insecure: {
      title: "Diese Verbindung ist nicht sicher",
      text: "Ohne sichere Verbindung kann Ihr Browser Antworten nicht schützen. Bitte öffnen Sie die Adresse mit https://."
    },
    offline: {
      title: "Noch keine Verbindung",
      text: "Die Umfrage konnte nicht geladen werden. Diese Seite versucht es weiter."
    }
  }
};

// ../src/deniable/survey/words/es.json
var es_default = {
  needs: "a native reader",
  name: "Español",
  language: "Idioma",
  quoted: "«{value}»",
  progress: "Paso {step} de {of}",
  back: "Atrás",
  next: "Continuar",
  yes: "Sí",
  no: "No",
  loading: "Un momento …",
  tryAgain: "Intentar otra vez",
  contact: "¿Preguntas? Escriba a {contact}",
  checkReceipt: "Comprobar o borrar sus respuestas",
  backToSurvey: "Volver a la encuesta",
  preview: "Vista previa: no se guarda ni se envía nada.",
  letters: {
    a: "A",
    b: "B"
  },
  about: {
    title: "Sobre esta encuesta",
    asked: "Qué vamos a preguntar",
    count: {
      one: "Hacemos {count} pregunta.",
      other: "Hacemos {count} preguntas."
    },
    countMost: "Hacemos como mucho {count} preguntas.",
    all: "Sus respuestas se camuflan antes de salir de este dispositivo.",
    some: "Algunas respuestas se camuflan antes de salir de este dispositivo. Las demás se envían tal como usted las da. Cada pregunta dice cuál es el caso.",
    plain: "Sus respuestas se envían tal como usted las da.",
    bit: "Sus respuestas se quedan en este dispositivo.",
    next: "En la página siguiente puede leer cómo funciona. Después usted decide si quiere participar."
  },
  consent: {
    title: "Cómo se protegen sus respuestas",
    lead: "Antes de que una respuesta salga de este dispositivo, el azar decide qué se envía.",
    evens: "Nadie más ve lo que el azar decidió para usted. Con muchas personas, el azar se compensa. Así los investigadores pueden calcular si una respuesta es frecuente en el grupo.",
    proof: "Un «{value}» enviado no prueba nada.",
    proofWhy: "Puede ser su respuesta, o puede venir del azar.",
    table: "Qué pueden saber otros de usted",
    readers: "«Otros» son los investigadores, quien lleva el servidor, un pirata informático que lo roba todo, y un tribunal.",
    one: "Una respuesta camuflada",
    all: "Todas sus respuestas camufladas a la vez",
    guess: "Solo adivinar",
    right: "Aciertan con unas {after} de cada 100 personas. Sin lo que usted envía, aciertan con unas {before}.",
    rightMost: "La respuesta más fácil de adivinar se acierta con unas {after} de cada 100 personas. Sin lo que usted envía, con unas {before}.",
    rightAll: "Las aciertan todas con unas {after} de cada 100 personas. Sin lo que usted envía, con unas {before}.",
    rightAllMany: "Las aciertan todas con unas {after} de cada 100 personas.",
    rightFew: "Las aciertan todas con menos de {after} de cada 100 personas.",
    even: "Calculamos como si todas las respuestas fueran igual de frecuentes. Quien le conoce, o sabe que una respuesta es rara, puede adivinar mejor.",
    certain: "Solo una cosa es segura: quien envía {values} tiene de verdad esa respuesta.",
    shared: "Algunas preguntas comparten un mismo sorteo. Quien conoce su respuesta real a una de ellas puede saber las demás.",
    sharedGuess: "Algunas preguntas comparten un mismo sorteo. Quien conoce su respuesta real a una de ellas las acierta todas con unas {after} de cada 100 personas.",
    sharedMore: "Algunas preguntas comparten un mismo sorteo. Quien conoce su respuesta real a una de ellas puede adivinar mejor las demás.",
    second: "Junto a algunas preguntas hay otra, que no compromete. Quien conoce su respuesta a la segunda puede a veces saber la primera.",
    open: "Las respuestas marcadas «se envía tal cual»",
    openRead: "Las pueden leer.",
    part: "Que usted participó",
    partInvited: "Los investigadores pueden ver que su invitación se usó. El servidor no guarda qué respuestas llegaron con ella.",
    partOpen: "El servidor no guarda nombres, direcciones ni horas.",
    network: "Su red, por ejemplo en el trabajo, puede ver que abrió esta página. No puede ver lo que responde.",
    device: "Hasta que envíe, y quizá por más tiempo, este dispositivo guarda lo que decidió el azar. Si alguien pudiera revisarlo, abra la encuesta en otro dispositivo.",
    notDirect: {
      by: "some",
      one: "A {some} de cada {of} personas se le pregunta sin camuflaje. Nos sirve para comparar. Usted no es una de ellas.",
      other: "A {some} de cada {of} personas se les pregunta sin camuflaje. Nos sirve para comparar. Usted no es una de ellas."
    },
    stop: "Participar es cosa suya. Puede dejarlo en cualquier momento: basta con cerrar esta página. No se envía ninguna respuesta antes de que pulse «Enviar».",
    invited: "Si acepta, esta página envía su invitación al servidor. Desde entonces cuenta como usada. Aun así puede dejarlo, y seguir más tarde en este navegador.",
    invitedOnce: "Si acepta, esta página envía su invitación al servidor. Desde entonces cuenta como usada. Este navegador no guarda nada. Si cierra la página antes de enviar, necesita otra invitación.",
    begun: "Usted ya empezó aquí. Su invitación todavía funciona en este navegador. Las respuestas que dio entonces no se guardaron.",
    agree: "Acepto participar"
  },
  plain: {
    title: "Antes de decidir",
    lead: "En esta encuesta, sus respuestas se envían tal como usted las da.",
    body: "Su nombre no se envía. Pero los investigadores pueden leer las respuestas, y también cualquiera que consiga los datos."
  },
  oneBit: {
    title: "Antes de decidir",
    lead: "Sus respuestas se quedan en este dispositivo. Solo se envía un sí o un no.",
    body: "Esta página intenta adivinar algo sobre usted. Lo comprueba con sus respuestas, aquí, en este dispositivo. Después envía si acertó: sí o no. No envía las respuestas ni su nombre. Usted ve el sí o el no antes de que se envíe.",
    tells: "Otros pueden leer el sí o el no. Les dice un poco sobre sus respuestas."
  },
  direct: {
    title: "Antes de decidir",
    lead: "En su caso, las respuestas se envían tal como usted las da.",
    body: {
      by: "some",
      one: "{some} de cada {of} personas responde sin camuflaje. Nos sirve para comparar dos formas de preguntar. El azar le ha elegido a usted. Su nombre no se envía. Pero los investigadores pueden leer sus respuestas, y también cualquiera que consiga los datos.",
      other: "{some} de cada {of} personas responden sin camuflaje. Nos sirve para comparar dos formas de preguntar. El azar le ha elegido a usted. Su nombre no se envía. Pero los investigadores pueden leer sus respuestas, y también cualquiera que consiga los datos."
    },
    stop: "Puede dejarlo ahora o en cualquier momento: basta con cerrar esta página. No se envía ninguna respuesta antes de que pulse «Enviar». A nadie le molesta si lo deja.",
    agree: "Acepto responder abiertamente"
  },
  how: {
    of: "De {count} personas como usted:",
    ofAbout: "De unas {count} personas como usted:",
    ofThose: "De {count} personas cuya respuesta es «{value}»:",
    ofThoseAbout: "De unas {count} personas cuya respuesta es «{value}»:",
    asIs: {
      one: "{count} envía sus respuestas reales",
      other: "{count} envían sus respuestas reales"
    },
    oneAsIs: {
      one: "{count} envía la respuesta real",
      other: "{count} envían la respuesta real"
    },
    others: {
      opposite: {
        one: "{count} envía lo contrario",
        other: "{count} envían lo contrario"
      },
      another: {
        one: "{count} envía otra respuesta, elegida por el azar",
        other: "{count} envían otra respuesta, elegida por el azar"
      },
      personal: {
        one: "{count} envía la respuesta a otra pregunta, que no compromete",
        other: "{count} envían la respuesta a otra pregunta, que no compromete"
      },
      drawn: {
        one: "{count} envía una respuesta elegida por el azar",
        other: "{count} envían una respuesta elegida por el azar"
      }
    },
    says: {
      one: "{count} envía «{value}»",
      other: "{count} envían «{value}»"
    },
    saysAnyway: {
      one: "{count} envía «{value}», sea cual sea la respuesta",
      other: "{count} envían «{value}», sea cual sea la respuesta"
    },
    these: {
      one: "{count} de las {of} preguntas",
      other: "{count} de las {of} preguntas"
    },
    answer: "respuesta {number}",
    together: "Un solo sorteo decide para todas estas preguntas juntas.",
    apart: "Cada una de estas preguntas tiene su propio sorteo.",
    readerTitle: "Un ejemplo con números",
    reader: "Supongamos que {having} de cada 100 personas responderían de verdad «{value}». Entonces unas {sent} de cada 100 envían «{value}». En unas {theirs} de esas {sent} es la respuesta real."
  },
  choose: {
    title: "¿Quién hace el sorteo?",
    lead: "Puede lanzar usted mismo, o esta página puede hacerlo por usted.",
    legend: "Su elección",
    own: "Lanzo yo",
    ownHelp: "Necesita {tools}. La página dice qué significa cada resultado. Nunca pregunta qué le ha salido.",
    tools: {
      coin: "una moneda",
      die: "un dado",
      dice: "dos dados",
      digit: "un billete o un cronómetro",
      digits: "un billete o un cronómetro",
      coins: "una moneda"
    },
    page: "Esta página sortea por mí",
    pageHelp: "Es rápido. Hasta que envíe, y quizá por más tiempo, este dispositivo guarda el resultado. Si alguien pudiera revisarlo, lance usted.",
    noStorage: "Este navegador no guarda nada entre visitas. Quizá es una ventana privada. Por eso la página no puede sortear por usted aquí. Lance usted, o abra el enlace en una ventana normal.",
    first: "Por favor, elija una de las dos.",
    ownBut: {
      one: "En una pregunta esto es demasiado difícil. Ahí sortea la página.",
      other: "En {count} preguntas esto es demasiado difícil. Ahí sortea la página."
    },
    pageQuick: "Es rápido."
  },
  practice: {
    title: "Pruébelo",
    lead: "Es solo una prueba. No se envía nada.",
    question: "¿Le gustan los días de lluvia?",
    personal: "¿Nació usted en la primera mitad de un año, de enero a junio?",
    toss: "Sortear",
    done: "Mostrar qué se enviaría",
    wouldSend: "Esta vez la página enviaría: {value}",
    both: "Con su respuesta, puede pasar esto:",
    example: "Supongamos que su respuesta real es «{value}». Entonces pulsa:",
    times: "{count} de {of} veces",
    timesAbout: "unas {count} de {of} veces",
    truth: "«{value}»: su respuesta",
    turned: "«{value}»: no es su respuesta",
    drawn: "«{value}»: elegido por el azar",
    second: "«{value}»: su respuesta a B",
    anySecond: "su respuesta a B",
    anyDrawn: "«Sí» o «No», elegido por el azar",
    anyway: "«{value}», sea cual sea su respuesta",
    onlyThis: "Los demás solo ven lo que se envió. No ven por qué.",
    onlyClicked: "Los demás solo ven lo que usted pulsó. No ven qué le salió.",
    first: "Por favor, responda primero.",
    needed: "Por favor, pruébelo una vez antes de seguir."
  },
  check: {
    title: "Dos preguntas rápidas",
    lead: "Nos muestran si lo explicamos bien. Usted sigue en cualquier caso.",
    right: "Sí, correcto.",
    wrong: "No del todo.",
    first: "Por favor, elija una respuesta en las dos.",
    report: {
      text: "Un desconocido ve que usted envió «Sí». ¿Qué puede saber?",
      real: "Que mi respuesta real es «Sí»",
      guess: "Puede adivinar, pero no estar seguro",
      why: "Un «Sí» puede ser la respuesta real, o puede venir del azar. Así que solo se puede adivinar."
    },
    rule: {
      text: "¿Cómo debe responder a las preguntas que siguen?",
      change: "Cambio yo algunas respuestas",
      real: "Como es de verdad",
      why: "La página hace el resto. Si usted cambia respuestas, los resultados salen mal."
    },
    throw: {
      text: "Lo que le salió dice que no pulse su respuesta real. ¿Qué hace?",
      real: "Pulso mi respuesta real de todos modos",
      follow: "Pulso lo que la página dice para ese resultado",
      why: "Solo así está usted protegido, y solo así salen bien los resultados."
    }
  },
  questions: {
    title: "Sus respuestas",
    part: "Sus respuestas, parte {number} de {of}",
    public: "se envía tal cual",
    stays: "se queda en este dispositivo",
    disguised: "camuflada",
    direct: "se envía tal cual",
    pageCoin: "Responda como es de verdad. La página camufla sus respuestas antes de enviarlas.",
    both: "Por favor, responda a A y a B. El azar elige cuál de las dos respuestas se envía. La otra se queda en este dispositivo.",
    several: "Marque todo lo que corresponda.",
    none: "Nada de esto",
    missing: {
      one: "Falta la respuesta a una pregunta.",
      other: "Faltan las respuestas a {count} preguntas."
    },
    needed: "Por favor, responda a esta.",
    all: "Todas las preguntas necesitan una respuesta.",
    skip: "Prefiero no decirlo",
    skipToo: "También puede elegir «{value}». Se camufla como las demás respuestas. Los demás solo pueden adivinar quién lo eligió."
  },
  own: {
    title: "Lance usted y después pulse",
    tools: {
      coin: "Lance una moneda.",
      die: "Tire un dado.",
      digit: "Tome un billete, cada vez uno distinto, y mire su número. Use la penúltima cifra. ¿No tiene billete? Ponga en marcha un cronómetro, párelo sin mirar y use su última cifra.",
      dice: "Tire dos dados y súmelos.",
      digits: "Tome un billete, cada vez uno distinto, y mire su número. Use las dos cifras antes de la última. ¿No tiene billete? Ponga en marcha un cronómetro, párelo sin mirar y use sus dos últimas cifras.",
      coins: "Lance una moneda dos veces."
    },
    tosses: "{first}, {second}",
    heads: "Cara",
    tails: "Cruz",
    outcome: "Si sale",
    todo: "entonces pulse",
    truth: "su respuesta real",
    truths: "sus respuestas reales",
    opposite: "lo contrario de su respuesta real",
    opposites: "lo contrario de sus respuestas reales, en todas estas preguntas",
    oppositesTicks: "lo contrario de sus respuestas reales, en todas estas preguntas. Donde puede marcar varias, marque exactamente las que no corresponden",
    first: "su respuesta real a la pregunta A",
    firsts: "sus respuestas reales a las preguntas A",
    second: "su respuesta real a la pregunta B",
    seconds: "sus respuestas reales a las preguntas B",
    say: "«{value}», sea cual sea su respuesta",
    never: "No diga a nadie qué le salió. Esta página no lo pregunta. Envía lo que usted pulsa.",
    same: "Aquí también vale lo que salió antes. No lance otra vez.",
    step: {
      one: "la respuesta siguiente de la lista",
      other: "la respuesta que está {count} lugares más abajo en la lista"
    },
    nth: "la respuesta número {number} de la lista",
    round: "Cuente desde su respuesta real. Después de la última viene la primera.",
    each: "si su respuesta real es «{truth}»: «{value}»",
    again: "nada todavía: lance otra vez, vea más abajo",
    secondThrow: "El segundo lanzamiento",
    secondThrows: "El segundo lanzamiento: uno nuevo para cada pregunta"
  },
  review: {
    title: "Esto es lo que se enviará",
    question: "Pregunta",
    sent: "Qué se envía",
    note: "Puede que algunas de estas respuestas no sean las suyas. Eso es el camuflaje.",
    noteOwn: "La página envía lo que usted pulsó. Solo usted sabe qué le salió.",
    noteDirect: "Sus respuestas se envían tal como las dio.",
    noteBit: "Sus respuestas se quedan aquí. Este sí o no es todo lo que se envía sobre ellas.",
    literal: "Mostrar el mensaje mismo",
    literalNote: "El mensaje tiene siempre {size} caracteres, responda lo que responda. Lo completan puntos. No lleva nombre, hora ni dirección.",
    parts: "El mensaje nombra la encuesta con un código, su huella. Lleva un número al azar. Dice cómo se le preguntó, quién hizo el sorteo y cuántas de las dos preguntas rápidas acertó. Después viene un signo por cada respuesta.",
    partsInvited: "El mensaje nombra la encuesta con un código, su huella. Lleva un número al azar. Lleva un vale: alguien fue invitado, pero no dice quién. Dice cómo se le preguntó, quién hizo el sorteo y cuántas de las dos preguntas rápidas acertó. Después viene un signo por cada respuesta.",
    partsBit: "El mensaje nombra la encuesta con un código, su huella. Lleva un número al azar. Tres datos son iguales para todos. Después viene un signo: el sí o el no.",
    partsBitInvited: "El mensaje nombra la encuesta con un código, su huella. Lleva un número al azar. Lleva un vale: alguien fue invitado, pero no dice quién. Tres datos son iguales para todos. Después viene un signo: el sí o el no.",
    send: "Enviar",
    ticket: "El servidor comprueba su invitación …",
    none: "nada de esto",
    noteSome: "Puede que las respuestas marcadas «camuflada» no sean las suyas. Las demás se envían tal como las dio.",
    noteMixed: "Donde usted lanzó, la página envía lo que pulsó. Solo usted sabe qué le salió. En las demás respuestas camufladas, el sorteo lo hizo la página.",
    notAsked: "no se preguntó"
  },
  sending: {
    title: "Enviando …",
    waiting: "Sus respuestas esperan en este dispositivo, tal como las acaba de ver. Se enviarán en cuanto vuelva la red.",
    waitingBit: "Su sí o no espera en este dispositivo. Se enviará en cuanto vuelva la red.",
    open: "Puede dejar esta página abierta o volver más tarde.",
    keepOpen: "Por favor, deje esta página abierta hasta entonces. Este navegador no guarda nada."
  },
  done: {
    title: "Gracias",
    lead: "Sus respuestas han llegado y están guardadas.",
    leadBit: "Su sí o no ha llegado y está guardado. Sus respuestas nunca salieron de este dispositivo.",
    preview: "En la encuesta de verdad, sus respuestas se enviarían ahora.",
    receipt: "Su resguardo",
    why: "Con este código puede comprobar más tarde si sus respuestas están guardadas, o borrarlas. Es un número al azar.",
    copy: "Copiar",
    copied: "Copiado",
    print: "Imprimir",
    kept: "Este navegador también guarda el resguardo.",
    forget: "Olvidarlo en este dispositivo",
    forgotten: "Este dispositivo lo ha olvidado.",
    secret: "Guárdelo para usted. Quien lo tenga puede hacer lo mismo. Quien además consiga los datos de la encuesta puede encontrar lo que usted envió."
  },
  receipts: {
    title: "Comprobar o borrar sus respuestas",
    label: "Resguardo",
    help: "Dieciséis letras y cifras, como {example}",
    check: "Comprobar",
    erase: "Borrar mis respuestas",
    sure: "¿Borrar para siempre?",
    reallyErase: "Sí, borrar",
    keep: "No, guardar",
    malformed: "Esto no es un resguardo. Un resguardo tiene dieciséis letras y cifras. Por favor, cópielo otra vez.",
    included: "Sí: las respuestas de este resguardo están guardadas.",
    missing: "No hay respuestas guardadas con este resguardo. No han llegado, o se borraron.",
    deleted: "Las respuestas de este resguardo se han borrado.",
    nothing: "No hay respuestas guardadas con este resguardo, así que no se borró nada.",
    unreachable: "Ahora no se puede llegar al servidor. Por favor, inténtelo más tarde."
  },
  trouble: {
    closed: {
      title: "Esta encuesta está cerrada",
      text: "Gracias por su interés. Ya no se aceptan respuestas."
    },
    wrongLink: {
      title: "Por favor, abra el enlace de su invitación",
      text: "Para esta encuesta hace falta una invitación. La dirección en su navegador no tiene ninguna, o solo una parte. Abra el enlace otra vez, o cópielo entero."
    },
    unknownInvitation: {
      title: "Esta invitación no se conoce aquí",
      text: "Quizá el enlace quedó cortado. Ábralo otra vez desde su invitación, o escríbanos."
    },
    usedInvitation: {
      title: "Esta invitación ya se ha usado",
      text: "Quizá empezó en otro dispositivo o en otro navegador. Entonces siga allí. Si no puede, escríbanos y le enviaremos un enlace nuevo. Si tiene un enlace más nuevo, use ese. Si ya respondió, ha terminado."
    },
    wrongKey: {
      title: "Esta página se detuvo para protegerle",
      text: "La clave o las preguntas del servidor no son las de su invitación. Alguien podría haber reconocido sus respuestas. No se envió nada. Por favor, avise a los investigadores."
    },
    givenUp: {
      title: "Ha terminado aquí",
      text: "Sus respuestas no se aceptaron, y este dispositivo las ha olvidado. No se le preguntará otra vez."
    },
    noStorage: {
      title: "Este navegador no guarda nada entre visitas",
      text: "Por eso el azar decidiría de nuevo en cada visita, y eso le protegería menos. Por favor, abra el enlace en una ventana normal, o permita que esta página guarde datos."
    },
    broken: {
      title: "Algo falla en esta encuesta",
      text: "No se puede mostrar. No se envió ninguna respuesta. Por favor, avise a los investigadores."
    },
    refusedFull: {
      title: "Sus respuestas no se aceptaron",
      text: "Quizá ya se respondió con esta invitación. O ya han participado bastantes personas como usted. Gracias de todos modos."
    },
    refused: {
      title: "Sus respuestas no se aceptaron",
      text: "El servidor no las acepta. Se quedan en este dispositivo. Puede intentarlo otra vez, o escribirnos."
    }
  },
  early: {
    slow: "Todavía se está cargando. Si no pasa nada, cargue la página otra vez.",
    script: {
      title: "Esta página camufla ella misma sus respuestas",
      text: "Para eso necesita JavaScript. Está desactivado en este navegador. Por favor, actívelo para esta página. No se ha enviado ninguna respuesta."
    },
    insecure: {
      title: "Esta conexión no es segura",
      text: "Sin una conexión segura, su navegador no puede camuflar las respuestas. Por favor, abra la dirección con https://."
    },
    offline: {
      title: "Todavía no hay conexión",
      text: "La encuesta no se pudo cargar. Esta página sigue intentándolo."
    }
  }
};

// ../src/deniable/survey/words/fr.json
var fr_default = {
  needs: "a native reader",
  name: "Français",
  language: "Langue",
  quoted: "« {value} »",
  progress: "Étape {step} sur {of}",
  back: "Retour",
  next: "Continuer",
  yes: "Oui",
  no: "Non",
  loading: "Un instant …",
  tryAgain: "Réessayer",
  contact: "Des questions ? Écrivez à {contact}",
  checkReceipt: "Vérifier ou supprimer vos réponses",
  backToSurvey: "Retour au questionnaire",
  preview: "Aperçu : rien n’est conservé et rien n’est envoyé.",
  letters: {
    a: "A",
    b: "B"
  },
  about: {
    title: "À propos de cette enquête",
    asked: "Ce que nous allons demander",
    count: {
      one: "Nous posons {count} question.",
      other: "Nous posons {count} questions."
    },
    countMost: "Nous posons {count} questions au plus.",
    all: "Vos réponses sont brouillées avant de quitter cet appareil.",
    some: "Certaines réponses sont brouillées avant de quitter cet appareil. Les autres sont envoyées comme vous les donnez. Chaque question dit ce qu’il en est.",
    plain: "Vos réponses sont envoyées comme vous les donnez.",
    bit: "Vos réponses restent sur cet appareil.",
    next: "La page suivante explique comment cela marche. Ensuite, vous décidez si vous voulez participer."
  },
  consent: {
    title: "Comment vos réponses sont protégées",
    lead: "Avant qu’une réponse quitte cet appareil, le hasard décide de ce qui est envoyé.",
    evens: "Personne d’autre ne voit ce que le hasard a décidé pour vous. Sur un grand nombre de personnes, le hasard s’équilibre. Les chercheurs peuvent donc calculer si une réponse est fréquente dans le groupe.",
    proof: "Un « {value} » envoyé ne prouve rien.",
    proofWhy: "C’est peut-être votre réponse, ou bien c’est le hasard.",
    table: "Ce que d’autres peuvent apprendre sur vous",
    readers: "« D’autres », ce sont les chercheurs, la personne qui gère le serveur, un pirate qui vole tout, ou un tribunal.",
    one: "Une réponse brouillée",
    all: "Toutes vos réponses brouillées à la fois",
    guess: "Seulement deviner",
    right: "On devine juste pour environ {after} personnes sur 100. Sans ce que vous envoyez, on devine juste pour environ {before}.",
    rightMost: "La réponse la plus facile à deviner est devinée juste pour environ {after} personnes sur 100. Sans ce que vous envoyez, pour environ {before}.",
    rightAll: "On les devine toutes juste pour environ {after} personnes sur 100. Sans ce que vous envoyez, pour environ {before}.",
    rightAllMany: "On les devine toutes juste pour environ {after} personnes sur 100.",
    rightFew: "On les devine toutes juste pour moins de {after} personnes sur 100.",
    even: "Nous calculons comme si toutes les réponses étaient aussi fréquentes. Une personne qui vous connaît, ou qui sait qu’une réponse est rare, peut deviner mieux.",
    certain: "Une seule chose est sûre : qui envoie {values} a vraiment cette réponse.",
    shared: "Certaines questions ont le même tirage. Une personne qui connaît votre vraie réponse à l’une d’elles peut connaître les autres.",
    sharedGuess: "Certaines questions ont le même tirage. Une personne qui connaît votre vraie réponse à l’une d’elles les devine toutes juste pour environ {after} personnes sur 100.",
    sharedMore: "Certaines questions ont le même tirage. Une personne qui connaît votre vraie réponse à l’une d’elles peut mieux deviner les autres.",
    second: "À côté de certaines questions, il y en a une deuxième, sans danger. Une personne qui connaît votre réponse à la deuxième peut parfois connaître la première.",
    open: "Les réponses marquées « envoyée telle quelle »",
    openRead: "Ils peuvent les lire.",
    part: "Que vous avez participé",
    partInvited: "Les chercheurs peuvent voir que votre invitation a servi. Le serveur ne garde pas quelles réponses sont venues avec elle.",
    partOpen: "Le serveur ne garde ni noms, ni adresses, ni heures.",
    network: "Votre réseau, par exemple au travail, peut voir que vous avez ouvert cette page. Il ne peut pas voir ce que vous répondez.",
    device: "Jusqu’à l’envoi, et peut-être plus longtemps, cet appareil garde ce que le hasard a décidé. Si quelqu’un risque de le fouiller, ouvrez le questionnaire sur un autre appareil.",
    notDirect: {
      by: "some",
      one: "{some} personne sur {of} est interrogée sans brouillage. Cela nous sert à comparer. Vous n’en faites pas partie.",
      other: "{some} personnes sur {of} sont interrogées sans brouillage. Cela nous sert à comparer. Vous n’en faites pas partie."
    },
    stop: "Vous êtes libre de participer ou non. Vous pouvez arrêter à tout moment : il suffit de fermer cette page. Aucune réponse n’est envoyée avant que vous appuyiez sur « Envoyer ».",
    invited: "Si vous acceptez, cette page envoie votre invitation au serveur. À partir de là, elle compte comme utilisée. Vous pouvez quand même arrêter, et reprendre plus tard dans ce navigateur.",
    invitedOnce: "Si vous acceptez, cette page envoie votre invitation au serveur. À partir de là, elle compte comme utilisée. Ce navigateur ne garde rien. Si vous fermez la page avant l’envoi, il vous faut une nouvelle invitation.",
    begun: "Vous avez déjà commencé ici. Votre invitation marche encore dans ce navigateur. Les réponses que vous aviez données n’ont pas été gardées.",
    agree: "J’accepte de participer"
  },
  plain: {
    title: "Avant de décider",
    lead: "Dans cette enquête, vos réponses sont envoyées comme vous les donnez.",
    body: "Votre nom n’est pas envoyé. Mais les chercheurs peuvent lire les réponses, et toute autre personne qui obtient les données aussi."
  },
  oneBit: {
    title: "Avant de décider",
    lead: "Vos réponses restent sur cet appareil. Un seul oui ou non est envoyé.",
    body: "Cette page essaie de deviner quelque chose sur vous. Elle vérifie avec vos réponses, ici, sur cet appareil. Puis elle envoie si elle a deviné juste : oui ou non. Elle n’envoie ni les réponses ni votre nom. Vous voyez le oui ou le non avant l’envoi.",
    tells: "D’autres peuvent lire le oui ou le non. Il leur apprend un peu sur vos réponses."
  },
  direct: {
    title: "Avant de décider",
    lead: "Dans votre cas, les réponses sont envoyées comme vous les donnez.",
    body: {
      by: "some",
      one: "{some} personne sur {of} répond sans brouillage. Cela nous sert à comparer deux façons de demander. Le hasard vous a choisi. Votre nom n’est pas envoyé. Mais les chercheurs peuvent lire vos réponses, et toute autre personne qui obtient les données aussi.",
      other: "{some} personnes sur {of} répondent sans brouillage. Cela nous sert à comparer deux façons de demander. Le hasard vous a choisi. Votre nom n’est pas envoyé. Mais les chercheurs peuvent lire vos réponses, et toute autre personne qui obtient les données aussi."
    },
    stop: "Vous pouvez arrêter maintenant ou à tout moment : il suffit de fermer cette page. Aucune réponse n’est envoyée avant que vous appuyiez sur « Envoyer ». Personne ne vous en voudra.",
    agree: "J’accepte de répondre ouvertement"
  },
  how: {
    of: "Sur {count} personnes comme vous :",
    ofAbout: "Sur environ {count} personnes comme vous :",
    ofThose: "Sur {count} personnes dont la réponse est « {value} » :",
    ofThoseAbout: "Sur environ {count} personnes dont la réponse est « {value} » :",
    asIs: {
      one: "{count} envoie ses vraies réponses",
      other: "{count} envoient leurs vraies réponses"
    },
    oneAsIs: {
      one: "{count} envoie la vraie réponse",
      other: "{count} envoient la vraie réponse"
    },
    others: {
      opposite: {
        one: "{count} envoie le contraire",
        other: "{count} envoient le contraire"
      },
      another: {
        one: "{count} envoie une autre réponse, choisie par le hasard",
        other: "{count} envoient une autre réponse, choisie par le hasard"
      },
      personal: {
        one: "{count} envoie la réponse à une deuxième question, sans danger",
        other: "{count} envoient la réponse à une deuxième question, sans danger"
      },
      drawn: {
        one: "{count} envoie une réponse choisie par le hasard",
        other: "{count} envoient une réponse choisie par le hasard"
      }
    },
    says: {
      one: "{count} envoie « {value} »",
      other: "{count} envoient « {value} »"
    },
    saysAnyway: {
      one: "{count} envoie « {value} », quelle que soit la réponse",
      other: "{count} envoient « {value} », quelle que soit la réponse"
    },
    these: {
      one: "{count} des {of} questions",
      other: "{count} des {of} questions"
    },
    answer: "réponse {number}",
    together: "Un seul tirage décide pour toutes ces questions ensemble.",
    apart: "Chacune de ces questions a son propre tirage.",
    readerTitle: "Un exemple avec des chiffres",
    reader: "Supposons que {having} personnes sur 100 répondraient vraiment « {value} ». Alors environ {sent} sur 100 envoient « {value} ». Pour environ {theirs} de ces {sent}, c’est la vraie réponse."
  },
  choose: {
    title: "Qui fait le tirage ?",
    lead: "Vous pouvez lancer vous-même, ou cette page peut le faire pour vous.",
    legend: "Votre choix",
    own: "Je lance moi-même",
    ownHelp: "Il vous faut {tools}. La page dit ce que chaque résultat veut dire. Elle ne demande jamais ce que vous avez obtenu.",
    tools: {
      coin: "une pièce",
      die: "un dé",
      dice: "deux dés",
      digit: "un billet de banque ou un chronomètre",
      digits: "un billet de banque ou un chronomètre",
      coins: "une pièce"
    },
    page: "Cette page tire pour moi",
    pageHelp: "C’est rapide. Jusqu’à l’envoi, et peut-être plus longtemps, cet appareil garde le résultat. Si quelqu’un risque de le fouiller, lancez vous-même.",
    noStorage: "Ce navigateur ne garde rien entre deux visites. C’est peut-être une fenêtre privée. La page ne peut donc pas tirer pour vous ici. Lancez vous-même, ou ouvrez le lien dans une fenêtre normale.",
    first: "Choisissez l’un des deux, s’il vous plaît.",
    ownBut: {
      one: "Pour une question, c’est trop difficile. Là, c’est la page qui tire.",
      other: "Pour {count} questions, c’est trop difficile. Là, c’est la page qui tire."
    },
    pageQuick: "C’est rapide."
  },
  practice: {
    title: "Essayez",
    lead: "Ce n’est qu’un essai. Rien n’est envoyé.",
    question: "Aimez-vous les jours de pluie ?",
    personal: "Êtes-vous né ou née dans la première moitié d’une année, de janvier à juin ?",
    toss: "Tirer",
    done: "Montrer ce qui serait envoyé",
    wouldSend: "Cette fois, la page enverrait : {value}",
    both: "Avec votre réponse, voici ce qui peut arriver :",
    example: "Supposons que votre vraie réponse soit « {value} ». Alors vous cliquez :",
    times: "{count} fois sur {of}",
    timesAbout: "environ {count} fois sur {of}",
    truth: "« {value} » : votre réponse",
    turned: "« {value} » : pas votre réponse",
    drawn: "« {value} » : choisi par le hasard",
    second: "« {value} » : votre réponse à B",
    anySecond: "votre réponse à B",
    anyDrawn: "« Oui » ou « Non », choisi par le hasard",
    anyway: "« {value} », quelle que soit votre réponse",
    onlyThis: "Les autres ne voient que ce qui a été envoyé. Ils ne voient pas pourquoi.",
    onlyClicked: "Les autres ne voient que ce que vous avez cliqué. Ils ne voient pas ce que vous avez obtenu.",
    first: "Répondez d’abord, s’il vous plaît.",
    needed: "Essayez une fois avant de continuer, s’il vous plaît."
  },
  check: {
    title: "Deux petites questions",
    lead: "Elles nous montrent si nous avons bien expliqué. Vous continuez dans tous les cas.",
    right: "Oui, c’est juste.",
    wrong: "Pas tout à fait.",
    first: "Choisissez une réponse aux deux, s’il vous plaît.",
    report: {
      text: "Un inconnu voit que vous avez envoyé « Oui ». Que peut-il savoir ?",
      real: "Que ma vraie réponse est « Oui »",
      guess: "Il peut deviner, mais pas être sûr",
      why: "Un « Oui » peut être la vraie réponse, ou venir du hasard. On ne peut donc que deviner."
    },
    rule: {
      text: "Comment répondre aux questions qui suivent ?",
      change: "Je change moi-même certaines réponses",
      real: "Comme c’est vraiment",
      why: "La page fait le reste. Si vous changez vous-même des réponses, les résultats sont mauvais."
    },
    throw: {
      text: "Votre lancer dit de ne pas cliquer votre vraie réponse. Que faites-vous ?",
      real: "Je clique quand même ma vraie réponse",
      follow: "Je clique ce que la page dit pour ce lancer",
      why: "C’est seulement ainsi que vous êtes protégé, et que les résultats sont bons."
    }
  },
  questions: {
    title: "Vos réponses",
    part: "Vos réponses, partie {number} sur {of}",
    public: "envoyée telle quelle",
    stays: "reste sur cet appareil",
    disguised: "brouillée",
    direct: "envoyée telle quelle",
    pageCoin: "Répondez comme c’est vraiment. La page brouille vos réponses avant l’envoi.",
    both: "Répondez à A et à B. Le hasard choisit laquelle des deux réponses est envoyée. L’autre reste sur cet appareil.",
    several: "Cochez tout ce qui convient.",
    none: "Rien de cela",
    missing: {
      one: "Il manque encore une réponse.",
      other: "Il manque encore {count} réponses."
    },
    needed: "Répondez à cette question, s’il vous plaît.",
    all: "Il faut une réponse à chaque question.",
    skip: "Je préfère ne pas répondre",
    skipToo: "Vous pouvez aussi choisir « {value} ». C’est brouillé comme les autres réponses. Les autres peuvent seulement deviner qui l’a choisi."
  },
  own: {
    title: "Lancez vous-même, puis cliquez",
    tools: {
      coin: "Lancez une pièce.",
      die: "Lancez un dé.",
      digit: "Prenez un billet de banque, chaque fois un autre, et regardez son numéro. Utilisez l’avant-dernier chiffre. Pas de billet ? Lancez un chronomètre, arrêtez-le sans regarder, et utilisez son dernier chiffre.",
      dice: "Lancez deux dés et additionnez-les.",
      digits: "Prenez un billet de banque, chaque fois un autre, et regardez son numéro. Utilisez les deux chiffres avant le dernier. Pas de billet ? Lancez un chronomètre, arrêtez-le sans regarder, et utilisez ses deux derniers chiffres.",
      coins: "Lancez une pièce deux fois."
    },
    tosses: "{first}, {second}",
    heads: "Face",
    tails: "Pile",
    outcome: "Si vous obtenez",
    todo: "alors cliquez",
    truth: "votre vraie réponse",
    truths: "vos vraies réponses",
    opposite: "le contraire de votre vraie réponse",
    opposites: "le contraire de vos vraies réponses, à toutes ces questions",
    oppositesTicks: "le contraire de vos vraies réponses, à toutes ces questions. Là où vous pouvez en cocher plusieurs, cochez exactement celles qui ne conviennent pas",
    first: "votre vraie réponse à la question A",
    firsts: "vos vraies réponses aux questions A",
    second: "votre vraie réponse à la question B",
    seconds: "vos vraies réponses aux questions B",
    say: "« {value} », quelle que soit votre réponse",
    never: "Ne dites à personne ce que vous avez obtenu. Cette page ne le demande pas. Elle envoie ce que vous cliquez.",
    same: "Le lancer d’avant compte ici aussi. Ne lancez pas une deuxième fois.",
    step: {
      one: "la réponse suivante de la liste",
      other: "la réponse {count} places plus bas dans la liste"
    },
    nth: "la réponse numéro {number} de la liste",
    round: "Comptez à partir de votre vraie réponse. Après la dernière vient la première.",
    each: "si votre vraie réponse est « {truth} » : « {value} »",
    again: "rien encore : lancez une deuxième fois, voir plus bas",
    secondThrow: "Le deuxième lancer",
    secondThrows: "Le deuxième lancer : un nouveau pour chaque question"
  },
  review: {
    title: "Voici ce qui sera envoyé",
    question: "Question",
    sent: "Ce qui est envoyé",
    note: "Certaines de ces réponses ne sont peut-être pas les vôtres. C’est cela, le brouillage.",
    noteOwn: "La page envoie ce que vous avez cliqué. Vous seul savez ce que vous avez obtenu.",
    noteDirect: "Vos réponses sont envoyées comme vous les avez données.",
    noteBit: "Vos réponses restent ici. Ce oui ou non est tout ce qui est envoyé à leur sujet.",
    literal: "Montrer le message lui-même",
    literalNote: "Le message a toujours {size} caractères, quoi que vous répondiez. Des points le complètent. Il ne contient ni nom, ni heure, ni adresse.",
    parts: "Le message nomme l’enquête par un code, son empreinte. Il contient un nombre tiré au hasard. Il dit comment on vous a interrogé, qui a fait le tirage, et à combien des deux petites questions vous avez bien répondu. Puis vient un signe pour chaque réponse.",
    partsInvited: "Le message nomme l’enquête par un code, son empreinte. Il contient un nombre tiré au hasard. Il contient un ticket : quelqu’un a été invité, mais il ne dit pas qui. Il dit comment on vous a interrogé, qui a fait le tirage, et à combien des deux petites questions vous avez bien répondu. Puis vient un signe pour chaque réponse.",
    partsBit: "Le message nomme l’enquête par un code, son empreinte. Il contient un nombre tiré au hasard. Trois indications sont les mêmes pour tous. Puis vient un signe : le oui ou le non.",
    partsBitInvited: "Le message nomme l’enquête par un code, son empreinte. Il contient un nombre tiré au hasard. Il contient un ticket : quelqu’un a été invité, mais il ne dit pas qui. Trois indications sont les mêmes pour tous. Puis vient un signe : le oui ou le non.",
    send: "Envoyer",
    ticket: "Le serveur vérifie votre invitation …",
    none: "rien de cela",
    noteSome: "Les réponses marquées « brouillée » ne sont peut-être pas les vôtres. Les autres sont envoyées comme vous les avez données.",
    noteMixed: "Là où vous avez lancé, la page envoie ce que vous avez cliqué. Vous seul savez ce que vous avez obtenu. Pour les autres réponses brouillées, la page a fait le tirage.",
    notAsked: "pas demandé"
  },
  sending: {
    title: "Envoi …",
    waiting: "Vos réponses attendent sur cet appareil, comme vous venez de les voir. Elles seront envoyées dès que le réseau revient.",
    waitingBit: "Votre oui ou non attend sur cet appareil. Il sera envoyé dès que le réseau revient.",
    open: "Vous pouvez laisser cette page ouverte ou revenir plus tard.",
    keepOpen: "Laissez cette page ouverte jusque-là, s’il vous plaît. Ce navigateur ne garde rien."
  },
  done: {
    title: "Merci",
    lead: "Vos réponses sont arrivées et enregistrées.",
    leadBit: "Votre oui ou non est arrivé et enregistré. Vos réponses n’ont jamais quitté cet appareil.",
    preview: "Dans la vraie enquête, vos réponses seraient maintenant envoyées.",
    receipt: "Votre reçu",
    why: "Avec ce code, vous pouvez vérifier plus tard si vos réponses sont enregistrées, ou les supprimer. C’est un nombre tiré au hasard.",
    copy: "Copier",
    copied: "Copié",
    print: "Imprimer",
    kept: "Ce navigateur garde aussi le reçu.",
    forget: "L’oublier sur cet appareil",
    forgotten: "Cet appareil l’a oublié.",
    secret: "Gardez-le pour vous. Qui le possède peut faire de même. Qui obtient aussi les données de l’enquête peut retrouver ce que vous avez envoyé."
  },
  receipts: {
    title: "Vérifier ou supprimer vos réponses",
    label: "Reçu",
    help: "Seize lettres et chiffres, comme {example}",
    check: "Vérifier",
    erase: "Supprimer mes réponses",
    sure: "Supprimer pour toujours ?",
    reallyErase: "Oui, supprimer",
    keep: "Non, garder",
    malformed: "Ce n’est pas un reçu. Un reçu a seize lettres et chiffres. Copiez-le encore une fois, s’il vous plaît.",
    included: "Oui : les réponses de ce reçu sont enregistrées.",
    missing: "Aucune réponse de ce reçu n’est enregistrée. Elles ne sont pas arrivées, ou elles ont été supprimées.",
    deleted: "Les réponses de ce reçu ont été supprimées.",
    nothing: "Aucune réponse de ce reçu n’est enregistrée, donc rien n’a été supprimé.",
    unreachable: "Le serveur ne répond pas pour le moment. Réessayez plus tard, s’il vous plaît."
  },
  trouble: {
    closed: {
      title: "Cette enquête est fermée",
      text: "Merci de votre intérêt. Elle ne prend plus de réponses."
    },
    wrongLink: {
      title: "Ouvrez le lien de votre invitation",
      text: "Il faut une invitation pour cette enquête. L’adresse dans votre navigateur n’en contient pas, ou seulement une partie. Ouvrez le lien encore une fois, ou copiez-le en entier."
    },
    unknownInvitation: {
      title: "Cette invitation n’est pas connue ici",
      text: "Le lien a peut-être été coupé. Ouvrez-le encore une fois depuis votre invitation, ou écrivez-nous."
    },
    usedInvitation: {
      title: "Cette invitation a déjà servi",
      text: "Vous avez peut-être commencé sur un autre appareil ou dans un autre navigateur. Alors continuez là-bas. Si vous ne pouvez pas, écrivez-nous et nous vous enverrons un nouveau lien. Si vous avez un lien plus récent, prenez celui-là. Si vous avez répondu, vous avez terminé."
    },
    wrongKey: {
      title: "Cette page s’est arrêtée pour vous protéger",
      text: "La clé ou les questions du serveur ne sont pas celles de votre invitation. On aurait pu reconnaître vos réponses. Rien n’a été envoyé. Prévenez les chercheurs, s’il vous plaît."
    },
    givenUp: {
      title: "Vous avez terminé ici",
      text: "Vos réponses n’ont pas été acceptées, et cet appareil les a oubliées. On ne vous les redemandera pas."
    },
    noStorage: {
      title: "Ce navigateur ne garde rien entre deux visites",
      text: "Le hasard déciderait donc de nouveau à chaque visite, et cela vous protégerait moins. Ouvrez le lien dans une fenêtre normale, ou autorisez cette page à garder des données."
    },
    broken: {
      title: "Il y a un problème avec cette enquête",
      text: "Elle ne peut pas être affichée. Aucune réponse n’a été envoyée. Prévenez les chercheurs, s’il vous plaît."
    },
    refusedFull: {
      title: "Vos réponses n’ont pas été acceptées",
      text: "Cette invitation a peut-être déjà répondu. Ou bien assez de personnes comme vous ont participé. Merci quand même."
    },
    refused: {
      title: "Vos réponses n’ont pas été acceptées",
      text: "Le serveur ne les accepte pas. Elles restent sur cet appareil. Vous pouvez réessayer, ou nous écrire."
    }
  },
  early: {
    slow: "Chargement en cours. S’il ne se passe rien, rechargez la page.",
    script: {
      title: "Cette page brouille elle-même vos réponses",
      text: "Pour cela, il lui faut JavaScript. Il est désactivé dans ce navigateur. Activez-le pour cette page, s’il vous plaît. Aucune réponse n’a été envoyée."
    },
    insecure: {
      title: "Cette connexion n’est pas sûre",
      text: "Sans connexion sûre, votre navigateur ne peut pas brouiller les réponses. Ouvrez l’adresse avec https://."
    },
    offline: {
      title: "Pas encore de connexion",
      text: "L’enquête n’a pas pu être chargée. Cette page continue d’essayer."
    }
  }
};

// ../src/deniable/survey/words/tr.json
var tr_default = {
  needs: "a native reader",
  name: "Türkçe",
  language: "Dil",
  quoted: "“{value}”",
  progress: "Adım {step} / {of}",
  back: "Geri",
  next: "Devam",
  yes: "Evet",
  no: "Hayır",
  loading: "Bir dakika …",
  tryAgain: "Bir daha dene",
  contact: "Sorularınız mı var? Şuraya yazın: {contact}",
  checkReceipt: "Yanıtlarınızı denetleyin veya silin",
  backToSurvey: "Ankete dön",
  preview: "Önizleme: hiçbir şey saklanmaz, hiçbir şey gönderilmez.",
  letters: {
    a: "A",
    b: "B"
  },
  about: {
    title: "Bu anket hakkında",
    asked: "Ne soracağız",
    count: "{count} soru soruyoruz.",
    countMost: "En fazla {count} soru soruyoruz.",
    all: "Yanıtlarınız bu cihazdan çıkmadan önce örtülür.",
    some: "Bazı yanıtlar bu cihazdan çıkmadan önce örtülür. Diğerleri verdiğiniz gibi gönderilir. Hangisi olduğu her sorunun yanında yazar.",
    plain: "Yanıtlarınız verdiğiniz gibi gönderilir.",
    bit: "Yanıtlarınız bu cihazda kalır.",
    next: "Sonraki sayfada bunun nasıl işlediğini okuyabilirsiniz. Sonra katılıp katılmayacağınıza siz karar verirsiniz."
  },
  consent: {
    title: "Yanıtlarınız nasıl korunur",
    lead: "Bir yanıt bu cihazdan çıkmadan önce, ne gönderileceğine şans karar verir.",
    evens: "Şansın sizin için neye karar verdiğini başka kimse görmez. Kişi sayısı çok olunca şans dengelenir. Böylece araştırmacılar bir yanıtın grupta ne kadar yaygın olduğunu hesaplayabilir.",
    proof: "Gönderilmiş bir “{value}” hiçbir şeyi kanıtlamaz.",
    proofWhy: "Sizin yanıtınız olabilir, şanstan da gelmiş olabilir.",
    table: "Başkaları sizin hakkınızda ne öğrenebilir",
    readers: "“Başkaları”: araştırmacılar, sunucuyu işleten kişi, her şeyi çalan bir bilgisayar korsanı ve bir mahkeme.",
    one: "Örtülü bir yanıt",
    all: "Örtülü yanıtlarınızın hepsi birden",
    guess: "Yalnızca bir tahmin",
    right: "Tahmin, 100 kişiden yaklaşık {after} kişide doğru çıkar. Gönderdikleriniz olmadan yaklaşık {before} kişide doğru çıkar.",
    rightMost: "Tahmini en kolay yanıt, 100 kişiden yaklaşık {after} kişide doğru tahmin edilir. Gönderdikleriniz olmadan yaklaşık {before} kişide.",
    rightAll: "Hepsi birden, 100 kişiden yaklaşık {after} kişide doğru tahmin edilir. Gönderdikleriniz olmadan yaklaşık {before} kişide.",
    rightAllMany: "Hepsi birden, 100 kişiden yaklaşık {after} kişide doğru tahmin edilir.",
    rightFew: "Hepsi birden, 100 kişiden {after} kişiden azında doğru tahmin edilir.",
    even: "Tüm yanıtlar eşit ölçüde yaygınmış gibi hesaplıyoruz. Sizi tanıyan ya da bir yanıtın seyrek olduğunu bilen biri daha iyi tahmin edebilir.",
    certain: "Kesin olan tek şey şudur: {values} gönderenin yanıtı gerçekten budur.",
    shared: "Bazı soruların çekilişi ortaktır. Bunlardan birine verdiğiniz gerçek yanıtı bilen biri, diğerlerini de bilebilir.",
    sharedGuess: "Bazı soruların çekilişi ortaktır. Bunlardan birine verdiğiniz gerçek yanıtı bilen biri, hepsini 100 kişiden yaklaşık {after} kişide doğru tahmin eder.",
    sharedMore: "Bazı soruların çekilişi ortaktır. Bunlardan birine verdiğiniz gerçek yanıtı bilen biri, diğerlerini daha iyi tahmin edebilir.",
    second: "Bazı soruların yanında zararsız bir ikinci soru vardır. İkinci soruya yanıtınızı bilen biri, bazen birincisini de bilebilir.",
    open: "“Olduğu gibi gönderilir” diye işaretli yanıtlar",
    openRead: "Bunları okuyabilirler.",
    part: "Katıldığınız",
    partInvited: "Araştırmacılar davetinizin kullanıldığını görebilir. Sunucu, onunla hangi yanıtların geldiğini saklamaz.",
    partOpen: "Sunucu ad, adres ve saat saklamaz.",
    network: "Bağlandığınız ağ, örneğin iş yerindeki ağ, bu sayfayı açtığınızı görebilir. Ne yanıt verdiğinizi göremez.",
    device: "Siz gönderene kadar, belki daha da uzun, bu cihaz şansın neye karar verdiğini saklar. Cihazı biri karıştırabilirse, anketi başka bir cihazda açın.",
    notDirect: "Her {of} kişiden {some} kişiye örtme olmadan sorulur. Bunu karşılaştırmak için kullanıyoruz. Siz onlardan değilsiniz.",
    stop: "Katılıp katılmamak size kalmış. İstediğiniz zaman bırakabilirsiniz: bu sayfayı kapatmanız yeter. Siz “Gönder” düğmesine basmadan hiçbir yanıt gönderilmez.",
    invited: "Kabul ederseniz bu sayfa davetinizi sunucuya gönderir. O andan sonra davet kullanılmış sayılır. Yine de bırakabilir, daha sonra bu tarayıcıda sürdürebilirsiniz.",
    invitedOnce: "Kabul ederseniz bu sayfa davetinizi sunucuya gönderir. O andan sonra davet kullanılmış sayılır. Bu tarayıcı hiçbir şey saklamaz. Göndermeden sayfayı kapatırsanız yeni bir davete ihtiyacınız olur.",
    begun: "Burada daha önce başladınız. Davetiniz bu tarayıcıda hâlâ geçerli. O zaman verdiğiniz yanıtlar saklanmadı.",
    agree: "Katılmayı kabul ediyorum"
  },
  plain: {
    title: "Karar vermeden önce",
    lead: "Bu ankette yanıtlarınız verdiğiniz gibi gönderilir.",
    body: "Adınız gönderilmez. Ama araştırmacılar ve verileri ele geçiren herkes yanıtları okuyabilir."
  },
  oneBit: {
    title: "Karar vermeden önce",
    lead: "Yanıtlarınız bu cihazda kalır. Tek bir evet veya hayır gönderilir.",
    body: "Bu sayfa sizinle ilgili bir tahminde bulunur. Tahmini yanıtlarınızla burada, bu cihazda karşılaştırır. Sonra tahminin doğru olup olmadığını gönderir: evet veya hayır. Yanıtlarınızı ve adınızı göndermez. Evet ya da hayır gönderilmeden önce onu görürsünüz.",
    tells: "Başkaları bu evet veya hayırı okuyabilir. Bu onlara yanıtlarınız hakkında biraz bilgi verir."
  },
  direct: {
    title: "Karar vermeden önce",
    lead: "Sizde yanıtlar verdiğiniz gibi gönderilir.",
    body: "Her {of} kişiden {some} kişi örtme olmadan yanıt verir. Bunu iki soru sorma yolunu karşılaştırmak için kullanıyoruz. Şans sizi seçti. Adınız gönderilmez. Ama araştırmacılar ve verileri ele geçiren herkes yanıtlarınızı okuyabilir.",
    stop: "Şimdi ya da istediğiniz zaman bırakabilirsiniz: bu sayfayı kapatmanız yeter. Siz “Gönder” düğmesine basmadan hiçbir yanıt gönderilmez. Bırakırsanız kimse gücenmez.",
    agree: "Açıkça yanıtlamayı kabul ediyorum"
  },
  how: {
    of: "Sizin gibi {count} kişiden:",
    ofAbout: "Sizin gibi yaklaşık {count} kişiden:",
    ofThose: "Yanıtı “{value}” olan {count} kişiden:",
    ofThoseAbout: "Yanıtı “{value}” olan yaklaşık {count} kişiden:",
    asIs: "{count} kişi gerçek yanıtlarını gönderir",
    oneAsIs: "{count} kişi gerçek yanıtı gönderir",
    others: {
      opposite: "{count} kişi tersini gönderir",
      another: "{count} kişi şansın seçtiği başka bir yanıtı gönderir",
      personal: "{count} kişi zararsız bir ikinci sorunun yanıtını gönderir",
      drawn: "{count} kişi şansın seçtiği bir yanıtı gönderir"
    },
    says: "{count} kişi “{value}” gönderir",
    saysAnyway: "{count} kişi, yanıt ne olursa olsun, “{value}” gönderir",
    these: "{of} sorudan {count} tanesi",
    answer: "{number}. yanıt",
    together: "Bu soruların hepsi için tek bir çekiliş karar verir.",
    apart: "Bu soruların her birinin kendi çekilişi vardır.",
    readerTitle: "Sayılarla bir örnek",
    reader: "Diyelim ki 100 kişiden {having} kişinin gerçek yanıtı “{value}”. O zaman 100 kişiden yaklaşık {sent} kişi “{value}” gönderir. Bu {sent} kişiden yaklaşık {theirs} kişide bu, gerçek yanıttır."
  },
  choose: {
    title: "Çekilişi kim yapsın?",
    lead: "Kendiniz atabilirsiniz ya da bunu sizin yerinize bu sayfa yapabilir.",
    legend: "Seçiminiz",
    own: "Kendim atarım",
    ownHelp: "Gerekenler: {tools}. Sayfa her sonucun ne anlama geldiğini söyler. Ne geldiğini hiç sormaz.",
    tools: {
      coin: "bir madeni para",
      die: "bir zar",
      dice: "iki zar",
      digit: "bir kâğıt para veya kronometre",
      digits: "bir kâğıt para veya kronometre",
      coins: "bir madeni para"
    },
    page: "Benim yerime bu sayfa çeksin",
    pageHelp: "Bu hızlıdır. Siz gönderene kadar, belki daha da uzun, bu cihaz sonucu saklar. Cihazı biri karıştırabilirse, kendiniz atın.",
    noStorage: "Bu tarayıcı iki ziyaret arasında hiçbir şey saklamaz. Belki bu gizli bir penceredir. Bu yüzden sayfa burada sizin yerinize çekemez. Kendiniz atın ya da bağlantıyı normal bir pencerede açın.",
    first: "Lütfen birini seçin.",
    ownBut: "{count} soruda bu çok zordur. Orada çekilişi sayfa yapar.",
    pageQuick: "Bu hızlıdır."
  },
  practice: {
    title: "Bir deneyin",
    lead: "Bu yalnızca bir deneme. Hiçbir şey gönderilmez.",
    question: "Yağmurlu günleri sever misiniz?",
    personal: "Yılın ilk yarısında, ocak ile haziran arasında mı doğdunuz?",
    toss: "Çek",
    done: "Ne gönderileceğini göster",
    wouldSend: "Sayfa bu kez şunu gönderirdi: {value}",
    both: "Sizin yanıtınızla şunlar olabilir:",
    example: "Diyelim ki gerçek yanıtınız “{value}”. O zaman tıklayacağınız:",
    times: "{of} seferden {count} kez",
    timesAbout: "{of} seferden yaklaşık {count} kez",
    truth: "“{value}”: sizin yanıtınız",
    turned: "“{value}”: sizin yanıtınız değil",
    drawn: "“{value}”: şansın seçtiği",
    second: "“{value}”: B sorusuna yanıtınız",
    anySecond: "B sorusuna yanıtınız",
    anyDrawn: "şansın seçtiği “Evet” veya “Hayır”",
    anyway: "yanıtınız ne olursa olsun “{value}”",
    onlyThis: "Başkaları yalnızca gönderileni görür. Nedenini görmez.",
    onlyClicked: "Başkaları yalnızca neye tıkladığınızı görür. Ne attığınızı görmez.",
    first: "Lütfen önce yanıtlayın.",
    needed: "Lütfen devam etmeden önce bir kez deneyin."
  },
  check: {
    title: "İki kısa soru",
    lead: "Bunlar bize iyi anlatıp anlatmadığımızı gösterir. Her durumda devam edersiniz.",
    right: "Evet, doğru.",
    wrong: "Tam değil.",
    first: "Lütfen ikisinde de bir yanıt seçin.",
    report: {
      text: "Bir yabancı “Evet” gönderdiğinizi görüyor. Ne bilebilir?",
      real: "Gerçek yanıtımın “Evet” olduğunu",
      guess: "Tahmin edebilir ama emin olamaz",
      why: "Bir “Evet” gerçek yanıt olabilir, şanstan da gelmiş olabilir. O yüzden yalnızca bir tahmindir."
    },
    rule: {
      text: "Sonraki soruları nasıl yanıtlamalısınız?",
      change: "Bazı yanıtları kendim değiştiririm",
      real: "Gerçekte nasılsa öyle",
      why: "Gerisini sayfa yapar. Yanıtları kendiniz değiştirirseniz sonuçlar bozulur."
    },
    throw: {
      text: "Attığınız, gerçek yanıtınıza tıklamamanızı söylüyor. Ne yaparsınız?",
      real: "Yine de gerçek yanıtıma tıklarım",
      follow: "Sayfanın bu atış için söylediğine tıklarım",
      why: "Ancak böyle korunursunuz ve ancak böyle sonuçlar doğru çıkar."
    }
  },
  questions: {
    title: "Yanıtlarınız",
    part: "Yanıtlarınız, bölüm {number} / {of}",
    public: "olduğu gibi gönderilir",
    stays: "bu cihazda kalır",
    disguised: "örtülü",
    direct: "olduğu gibi gönderilir",
    pageCoin: "Gerçekte nasılsa öyle yanıtlayın. Sayfa yanıtlarınızı göndermeden önce örter.",
    both: "Lütfen hem A’yı hem B’yi yanıtlayın. İki yanıttan hangisinin gönderileceğini şans seçer. Öbürü bu cihazda kalır.",
    several: "Uyanların hepsini işaretleyin.",
    none: "Bunların hiçbiri",
    missing: "{count} sorunun yanıtı daha eksik.",
    needed: "Lütfen bu soruyu yanıtlayın.",
    all: "Her soruya bir yanıt gerekir.",
    skip: "Söylemek istemiyorum",
    skipToo: "“{value}” yanıtını da seçebilirsiniz. Bu da diğer yanıtlar gibi örtülür. Bunu kimin seçtiğini başkaları ancak tahmin edebilir."
  },
  own: {
    title: "Kendiniz atın, sonra tıklayın",
    tools: {
      coin: "Bir madeni para atın.",
      die: "Bir zar atın.",
      digit: "Bir kâğıt para alın, her seferinde başka bir tane, ve numarasına bakın. Sondan bir önceki rakamı kullanın. Kâğıt para yok mu? Bir kronometre başlatın, bakmadan durdurun ve son rakamını kullanın.",
      dice: "İki zar atın ve toplayın.",
      digits: "Bir kâğıt para alın, her seferinde başka bir tane, ve numarasına bakın. Son rakamdan önceki iki rakamı kullanın. Kâğıt para yok mu? Bir kronometre başlatın, bakmadan durdurun ve son iki rakamını kullanın.",
      coins: "Bir madeni parayı iki kez atın."
    },
    tosses: "{first}, {second}",
    heads: "Tura",
    tails: "Yazı",
    outcome: "Gelen",
    todo: "tıklayacağınız",
    truth: "gerçek yanıtınız",
    truths: "gerçek yanıtlarınız",
    opposite: "gerçek yanıtınızın tersi",
    opposites: "bu soruların hepsinde gerçek yanıtlarınızın tersi",
    oppositesTicks: "bu soruların hepsinde gerçek yanıtlarınızın tersi. Birden çok işaretleyebildiğiniz yerde tam olarak uymayanları işaretleyin",
    first: "A sorusuna gerçek yanıtınız",
    firsts: "A sorularına gerçek yanıtlarınız",
    second: "B sorusuna gerçek yanıtınız",
    seconds: "B sorularına gerçek yanıtlarınız",
    say: "yanıtınız ne olursa olsun “{value}”",
    never: "Ne attığınızı kimseye söylemeyin. Bu sayfa sormaz. Tıkladığınızı gönderir.",
    same: "Önceki atış burada da geçerli. Yeniden atmayın.",
    step: {
      one: "listedeki sonraki yanıt",
      other: "listede {count} sıra aşağıdaki yanıt"
    },
    nth: "listedeki {number}. yanıt",
    round: "Gerçek yanıtınızdan başlayarak sayın. Sonuncudan sonra birincisi gelir.",
    each: "gerçek yanıtınız “{truth}” ise: “{value}”",
    again: "henüz hiçbir şey: ikinci kez atın, aşağıya bakın",
    secondThrow: "İkinci atış",
    secondThrows: "İkinci atış: her soru için yeniden"
  },
  review: {
    title: "Gönderilecek olan bu",
    question: "Soru",
    sent: "Gönderilen",
    note: "Bu yanıtların bazıları sizin olmayabilir. Örtme budur.",
    noteOwn: "Sayfa tıkladığınızı gönderir. Ne attığınızı yalnızca siz bilirsiniz.",
    noteDirect: "Yanıtlarınız verdiğiniz gibi gönderilir.",
    noteBit: "Yanıtlarınız burada kalır. Onlarla ilgili gönderilen tek şey bu evet veya hayırdır.",
    literal: "İletinin kendisini göster",
    literalNote: "Ne yanıt verirseniz verin, ileti hep {size} karakterdir. Noktalar onu tamamlar. İçinde ad, saat ve adres yoktur.",
    parts: "İleti anketi bir kodla, parmak iziyle adlandırır. İçinde rastgele bir sayı vardır. Size nasıl sorulduğunu, çekilişi kimin yaptığını ve iki kısa sorudan kaçını doğru yanıtladığınızı söyler. Sonra her yanıt için bir işaret gelir.",
    partsInvited: "İleti anketi bir kodla, parmak iziyle adlandırır. İçinde rastgele bir sayı vardır. İçinde bir bilet vardır: biri davet edilmiştir, ama kim olduğunu söylemez. Size nasıl sorulduğunu, çekilişi kimin yaptığını ve iki kısa sorudan kaçını doğru yanıtladığınızı söyler. Sonra her yanıt için bir işaret gelir.",
    partsBit: "İleti anketi bir kodla, parmak iziyle adlandırır. İçinde rastgele bir sayı vardır. Üç bilgi herkes için aynıdır. Sonra bir işaret gelir: evet veya hayır.",
    partsBitInvited: "İleti anketi bir kodla, parmak iziyle adlandırır. İçinde rastgele bir sayı vardır. İçinde bir bilet vardır: biri davet edilmiştir, ama kim olduğunu söylemez. Üç bilgi herkes için aynıdır. Sonra bir işaret gelir: evet veya hayır.",
    send: "Gönder",
    ticket: "Sunucu davetinizi denetliyor …",
    none: "bunların hiçbiri",
    noteSome: "“Örtülü” diye işaretli yanıtlar sizin olmayabilir. Diğerleri verdiğiniz gibi gönderilir.",
    noteMixed: "Sizin attığınız yerde sayfa tıkladığınızı gönderir. Ne attığınızı yalnızca siz bilirsiniz. Öbür örtülü yanıtlarda çekilişi sayfa yaptı.",
    notAsked: "sorulmadı"
  },
  sending: {
    title: "Gönderiliyor …",
    waiting: "Yanıtlarınız, az önce gördüğünüz gibi, bu cihazda bekliyor. Ağ geri gelince hemen gönderilir.",
    waitingBit: "Evet veya hayırınız bu cihazda bekliyor. Ağ geri gelince hemen gönderilir.",
    open: "Bu sayfayı açık bırakabilir ya da daha sonra dönebilirsiniz.",
    keepOpen: "Lütfen o zamana kadar bu sayfayı açık bırakın. Bu tarayıcı hiçbir şey saklamaz."
  },
  done: {
    title: "Teşekkürler",
    lead: "Yanıtlarınız ulaştı ve saklandı.",
    leadBit: "Evet veya hayırınız ulaştı ve saklandı. Yanıtlarınız bu cihazdan hiç çıkmadı.",
    preview: "Gerçek ankette yanıtlarınız şimdi gönderilirdi.",
    receipt: "Makbuzunuz",
    why: "Bu kodla daha sonra yanıtlarınızın saklanıp saklanmadığını denetleyebilir ya da onları silebilirsiniz. Bu, rastgele bir sayıdır.",
    copy: "Kopyala",
    copied: "Kopyalandı",
    print: "Yazdır",
    kept: "Makbuz bu tarayıcıda da saklanır.",
    forget: "Bu cihazda unut",
    forgotten: "Bu cihaz onu unuttu.",
    secret: "Onu kimseye vermeyin. Ona sahip olan da aynısını yapabilir. Anketin verilerini de ele geçiren biri, ne gönderdiğinizi bulabilir."
  },
  receipts: {
    title: "Yanıtlarınızı denetleyin veya silin",
    label: "Makbuz",
    help: "On altı harf ve rakam, örneğin {example}",
    check: "Denetle",
    erase: "Yanıtlarımı sil",
    sure: "Tümüyle silinsin mi?",
    reallyErase: "Evet, sil",
    keep: "Hayır, kalsın",
    malformed: "Bu bir makbuz değil. Makbuzda on altı harf ve rakam vardır. Lütfen bir kez daha kopyalayın.",
    included: "Evet: bu makbuzun yanıtları saklanıyor.",
    missing: "Bu makbuzla saklanan yanıt yok. Ya ulaşmadı ya da silindi.",
    deleted: "Bu makbuzun yanıtları silindi.",
    nothing: "Bu makbuzla saklanan yanıt yok, bu yüzden hiçbir şey silinmedi.",
    unreachable: "Sunucuya şu anda ulaşılamıyor. Lütfen daha sonra yeniden deneyin."
  },
  trouble: {
    closed: {
      title: "Bu anket kapandı",
      text: "İlginiz için teşekkürler. Artık yanıt alınmıyor."
    },
    wrongLink: {
      title: "Lütfen davetinizdeki bağlantıyı açın",
      text: "Bu anket için bir davet gerekir. Tarayıcınızdaki adreste davet yok ya da yalnızca bir parçası var. Bağlantıyı bir daha açın ya da tümünü kopyalayın."
    },
    unknownInvitation: {
      title: "Bu davet burada bilinmiyor",
      text: "Belki bağlantı kesilmiştir. Onu davetinizden bir daha açın ya da bize yazın."
    },
    usedInvitation: {
      title: "Bu davet kullanılmış",
      text: "Belki başka bir cihazda ya da başka bir tarayıcıda başladınız. Öyleyse lütfen orada sürdürün. Bunu yapamıyorsanız bize yazın, size yeni bir bağlantı gönderelim. Daha yeni bir bağlantınız varsa onu kullanın. Yanıt verdiyseniz işiniz bitti."
    },
    wrongKey: {
      title: "Bu sayfa sizi korumak için durdu",
      text: "Sunucunun anahtarı ya da soruları davetinizdekiler değil. Biri yanıtlarınızı tanıyabilirdi. Hiçbir şey gönderilmedi. Lütfen araştırmacılara haber verin."
    },
    givenUp: {
      title: "Buradaki işiniz bitti",
      text: "Yanıtlarınız kabul edilmedi ve bu cihaz onları unuttu. Size yeniden sorulmaz."
    },
    noStorage: {
      title: "Bu tarayıcı iki ziyaret arasında hiçbir şey saklamaz",
      text: "Bu yüzden şans her ziyarette yeniden karar verirdi ve bu sizi daha az korurdu. Lütfen bağlantıyı normal bir pencerede açın ya da bu sayfanın veri saklamasına izin verin."
    },
    broken: {
      title: "Bu ankette bir sorun var",
      text: "Gösterilemiyor. Hiçbir yanıt gönderilmedi. Lütfen araştırmacılara haber verin."
    },
    refusedFull: {
      title: "Yanıtlarınız kabul edilmedi",
      text: "Belki bu davetle daha önce yanıt verildi. Ya da sizin gibi yeterince kişi katıldı. Yine de teşekkürler."
    },
    refused: {
      title: "Yanıtlarınız kabul edilmedi",
      text: "Sunucu onları kabul etmiyor. Bu cihazda kalırlar. Bir daha deneyebilir ya da bize yazabilirsiniz."
    }
  },
  early: {
    slow: "Hâlâ yükleniyor. Bir şey olmazsa lütfen sayfayı yeniden yükleyin.",
    script: {
      title: "Bu sayfa yanıtlarınızı kendisi örter",
      text: "Bunun için JavaScript gerekir. Bu tarayıcıda kapalı. Lütfen bu sayfa için açın. Hiçbir yanıt gönderilmedi."
    },
    insecure: {
      title: "Bu bağlantı güvenli değil",
      text: "Güvenli bir bağlantı olmadan tarayıcınız yanıtları örtemez. Lütfen adresi https:// ile açın."
    },
    offline: {
      title: "Henüz bağlantı yok",
      text: "Anket yüklenemedi. Bu sayfa denemeyi sürdürüyor."
    }
  }
};

// src/texts/texts.ts
var SHIPPED = { en: en_default, ar: ar_default, de: de_default, es: es_default, fr: fr_default, tr: tr_default };

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
var SKIPPED = "skipped";
function askedOf({ questions }, answers) {
  const asked2 = [];
  for (const question of questions) {
    const fits = ([name, values]) => asked2.some((one) => one.name === name) && values.includes(answers.get(name) ?? "");
    if (Object.entries(question.if ?? {}).every(fits)) asked2.push(question);
  }
  return asked2;
}
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
var hasPublic = ({ questions }) => questions.some(({ group }) => group === null);
var reportedOf = ({ questions, bit }) => bit ? [bit.question] : questions;
var attributesOf = (survey) => reportedOf(survey).flatMap(({ attributes }) => attributes);
var questionsOf = ({ questions }, group) => questions.filter((question) => question.group === group);
var asksPersonal = (survey, group) => shownOf(survey, group).personal;
var MOST_ON_A_SCREEN = 4;
var sameIf = (one, other) => JSON.stringify(one.if) === JSON.stringify(other.if);
function batchesOf({ questions }) {
  const batches = [];
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
var wants = (step) => step.wanted?.() ?? true;
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
    const next = this.steps.findIndex((step, at) => at > this.place && wants(step));
    this.place = next < 0 ? this.place : next;
    this.furthest = Math.max(this.furthest, this.place);
    history.pushState({ step: this.place }, "");
    this.show(this.steps[this.place]);
  }
  /** Goes to a place of the flow that has been reached before. */
  goTo(place) {
    if (this.last) return this.show(this.last);
    const wanted = typeof place === "number" && place <= this.furthest ? place : this.place;
    this.place = wanted;
    if (!wants(this.steps[wanted])) return this.forward();
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

// src/steps/about.ts
var about = (session) => (page) => {
  const texts = page.texts.about;
  const { survey } = session;
  const asks = survey.questions.some((question) => question.if) ? texts.countMost : texts.count;
  return {
    title: texts.title,
    content: [
      h("section", { class: "words" }, ...paragraphs(page.say(survey.consent))),
      h("h2", {}, texts.asked),
      h("p", {}, asks({ count: survey.questions.length }), " ", texts[kindOf(session)]),
      h("p", { class: "quiet" }, texts.next)
    ],
    next: { label: page.texts.next }
  };
};
function kindOf({ survey, arm }) {
  if (survey.bit) return "bit";
  if (arm === "direct" || groupsOf(survey).length === 0) return "plain";
  return hasPublic(survey) ? "some" : "all";
}

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
  const skipped = attributes.some((attribute) => answers.get(attribute) === SKIPPED);
  const none = box("", given && !skipped && ticks.every(({ checked }) => !checked));
  const skip = box(SKIPPED, skipped);
  const alone2 = question.skip ? [none, skip] : [none];
  const changed = () => {
    const answered = [...alone2, ...ticks].some(({ checked }) => checked);
    attributes.forEach((attribute, place) => {
      const told2 = ticks[place].checked ? "yes" : "no";
      if (answered) answers.set(attribute, skip.checked ? SKIPPED : told2);
      else answers.delete(attribute);
    });
  };
  for (const one of [...alone2, ...ticks]) {
    one.addEventListener("change", () => {
      const others = alone2.includes(one) ? [...alone2, ...ticks] : alone2;
      if (one.checked) {
        for (const other of others) if (other !== one) other.checked = false;
      }
      changed();
    });
  }
  const labels = question.options.map(({ text }) => page.say(text));
  return [
    ...ticks.map((tick, place) => labelled(tick, labels[place])),
    labelled(none, page.texts.questions.none),
    ...question.skip ? [labelled(skip, page.say(question.skip))] : []
  ];
}

// src/steps/check.ts
var QUESTIONS = [
  ({ report }) => ({ ...report, options: [report.real, report.guess], right: 1 }),
  ({ rule, throw: thrown }, own) => own ? { ...thrown, options: [thrown.real, thrown.follow], right: 1 } : { ...rule, options: [rule.change, rule.real], right: 1 }
];
var check = (session) => (page) => {
  const texts = page.texts.check;
  const answers = /* @__PURE__ */ new Map();
  const error = h("p", { class: "error", role: "alert" });
  const here = (text) => ({ [page.language]: text });
  const asked2 = QUESTIONS.map((ask, place) => {
    const { text, options, right, why } = ask(texts, session.device === "own");
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

// src/byhand.ts
var byHand = (survey, group) => shownOf(survey, group).byHand;
var drawnHere = (survey, group, device) => device === "page" || !byHand(survey, group);
var toolsOf = ({ tool, parts }) => [
  tool,
  ...parts.flatMap((part) => part.do === "throw" ? toolsOf(part.then) : [])
];
function unknownPart(part) {
  throw new Error(`There are no words for ${JSON.stringify(part)}.`);
}

// src/steps/choose.ts
var choose = (session) => (page) => {
  const texts = page.texts.choose;
  const error = h("p", { class: "error", role: "alert", id: "device-error" });
  return {
    title: texts.title,
    content: [
      devicesOf(session).length > 1 && h("p", { class: "lead" }, texts.lead),
      choice(page, session),
      error
    ],
    next: {
      label: page.texts.next,
      act() {
        if (session.device) return true;
        error.textContent = texts.first;
        return false;
      }
    }
  };
};
function devicesOf({ survey, keeper, preview }) {
  const kept = keeper.lasting || preview;
  const here = { own: kept || drawnAnyway(survey).length === 0, page: kept };
  return ["own", "page"].filter((one) => survey.devices.includes(one) && here[one]);
}
var drawnAnyway = (survey) => groupsOf(survey).filter((group) => drawnHere(survey, group, "own"));
var choosable = (session) => devicesOf(session).length > 1 || lacksPage(session);
var lacksPage = (session) => session.survey.devices.includes("page") && devicesOf(session).join() === "own";
function choice(page, session) {
  const texts = page.texts.choose;
  const tools = [...new Set(groupsOf(session.survey).flatMap((group) => toolOf(session, group)))];
  const { survey } = session;
  const count = drawnAnyway(survey).flatMap((group) => questionsOf(survey, group)).length;
  const help = texts.ownHelp({ tools: tools.map((tool) => texts.tools[tool]) });
  const words = {
    own: [texts.own, count > 0 ? `${help} ${texts.ownBut({ count })}` : help],
    // To throw for oneself helps against a search only where the page then keeps nothing.
    page: [texts.page, count > 0 ? texts.pageQuick : texts.pageHelp]
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
    h("legend", {}, texts.legend),
    ...devicesOf(session).map(option),
    lacksPage(session) && h("p", { class: "quiet" }, texts.noStorage)
  );
}
function toolOf({ survey }, group) {
  const hand = byHand(survey, group);
  return hand ? toolsOf(hand) : [];
}

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
  const sent2 = sum(law.map((row, truth) => (truth === value ? having : others) * row[value]));
  const theirs = having * law[value][value];
  return { having, sent: Math.round(sent2), theirs: Math.round(theirs) };
}
function guessesOf({ guesses }) {
  const found = guesses.map((guess) => [probability(guess.after), probability(guess.before)]);
  const [after, before] = found.reduce((best, each) => each[0] > best[0] ? each : best);
  return { before: whole(before), after: whole(after) };
}
var guessedAlike = ({ guesses }) => new Set(guesses.map(({ before, after }) => `${before} ${after}`)).size === 1;
function recordGuessesOf({ reading: { record } }) {
  if (!record) return null;
  return { before: whole(probability(record.before)), after: whole(probability(record.after)) };
}
var whole = (share) => share < 1 ? Math.min(Math.round(100 * share), 99) : 100;
var sum = (numbers) => numbers.reduce((total, next) => total + next, 0);

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
  const given = { viewBox: "0 0 20 24", class: real ? "person real" : "person chance" };
  return svg(
    "svg",
    { ...given, "aria-hidden": "true", focusable: "false" },
    svg("circle", { cx: 10, cy: 6, r: 4.2 }),
    svg("path", { d: "M4 22v-5a6 6 0 0 1 12 0v5z" })
  );
}
function rowsOf(page, survey, place) {
  const texts = page.texts.how;
  const group = survey.design.groups[place];
  const question = questionsOf(survey, place)[0];
  const shown = shownOf(survey, place);
  const label = (value) => plainLabelOf(page, question, survey, value);
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
function plainLabelOf(page, question, survey, value) {
  if (question.skip && value === SKIPPED) return page.say(question.skip);
  if (value === "yes" || value === "no") return value === "yes" ? page.texts.yes : page.texts.no;
  const values = survey.design.attributes[question.attributes[0]];
  return page.texts.how.answer({ number: values.indexOf(value) + 1 });
}
function labelOf(page, question, value) {
  if (question.skip && value === SKIPPED) return page.say(question.skip);
  if (question.several) return value === "yes" ? page.texts.yes : page.texts.no;
  const option = question.options.find((one) => one.value === value);
  return option ? page.say(option.text) : value;
}

// src/steps/consent.ts
var consent = (session, agreed) => (page) => {
  const texts = page.texts.consent;
  const { survey } = session;
  const alike = groupedAlike(survey);
  const [first] = groupsOf(survey);
  const value = sensitiveLabel(page, survey, first);
  return {
    title: texts.title,
    content: [
      begunBefore(page, session),
      h("p", { class: "lead" }, texts.lead),
      ...alike.map((some2) => explained(page, survey, some2, alike.length > 1)),
      h("p", {}, texts.evens),
      h(
        "div",
        { class: "callout" },
        h("p", { class: "lead" }, texts.proof({ value })),
        h("p", {}, texts.proofWhy)
      ),
      h(
        "details",
        {},
        h("summary", {}, page.texts.how.readerTitle),
        ...alike.flatMap((some2) => [
          alike.length > 1 && h("h3", {}, theseOf(page, survey, some2)),
          inferred(page, survey, some2[0])
        ])
      ),
      consequences(page, session),
      survey.direct && h("p", {}, texts.notDirect(inPeople(survey.direct))),
      keepsDraws(session) && h("p", {}, texts.device),
      ...invited(page, session),
      h("p", {}, texts.stop)
    ],
    next: { label: texts.agree, act: agreed }
  };
};
var directConsent = (session, agreed) => (page) => {
  const texts = page.texts.direct;
  return {
    title: texts.title,
    content: [
      begunBefore(page, session),
      h("p", { class: "lead callout" }, texts.lead),
      h("p", {}, texts.body(inPeople(session.survey.direct ?? "0"))),
      ...tookPart(page, session),
      ...invited(page, session),
      h("p", {}, texts.stop)
    ],
    next: { label: texts.agree, act: agreed }
  };
};
var plainConsent = (session, agreed) => (page) => {
  const { consent: texts, plain, oneBit } = page.texts;
  const bit = session.survey.bit ? oneBit : null;
  return {
    title: (bit ?? plain).title,
    content: [
      begunBefore(page, session),
      h("p", { class: "lead callout" }, (bit ?? plain).lead),
      h("p", {}, (bit ?? plain).body),
      bit && h("p", {}, bit.tells),
      ...tookPart(page, session),
      ...invited(page, session),
      h("p", {}, texts.stop)
    ],
    next: { label: texts.agree, act: agreed }
  };
};
var keepsDraws = (session) => !devicesOf(session).includes("own") || drawnAnyway(session.survey).length > 0;
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
  return h(
    "section",
    { class: "card" },
    named && h("h2", {}, theseOf(page, survey, groups)),
    pictureOf(page, survey, groups[0]),
    sharesCoin(survey, groups[0]) && h("p", { class: "quiet" }, texts.together),
    groups.length > 1 && h("p", { class: "quiet" }, texts.apart)
  );
}
function theseOf(page, survey, groups) {
  const count = groups.flatMap((group) => questionsOf(survey, group)).length;
  return page.texts.how.these({ count, of: survey.questions.length });
}
var sharesCoin = ({ design }, group) => design.groups[group].attributes.length > 1;
function sensitiveLabel(page, survey, group) {
  const [question] = questionsOf(survey, group);
  const values = survey.design.attributes[question.attributes[0]];
  return plainLabelOf(page, question, survey, values[shownOf(survey, group).sensitive]);
}
function inferred(page, survey, group) {
  const guess = inference(lawOf(survey, group), shownOf(survey, group).sensitive);
  const value = sensitiveLabel(page, survey, group);
  return h("p", {}, page.texts.how.reader({ value, ...guess }));
}
function consequences(page, session) {
  const texts = page.texts.consent;
  const { survey } = session;
  const part = (what, ...learnt) => [
    h("dt", {}, what),
    h("dd", {}, ...learnt)
  ];
  const guess = () => h("p", { class: "never" }, texts.guess);
  const alone2 = (guessedAlike(survey) ? texts.right : texts.rightMost)(guessesOf(survey));
  const certain = certainOf(page, survey);
  const record = recordGuessesOf(survey);
  const shared = sharedOf(page, survey);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, texts.table),
    h("p", { class: "quiet" }, texts.readers),
    h(
      "dl",
      { class: "consequences" },
      ...part(
        texts.one,
        guess(),
        h("p", {}, alone2),
        certain.length > 0 && h("p", {}, texts.certain({ values: quotedAll(page, certain) })),
        survey.questions.some(({ group }) => group !== null && asksPersonal(survey, group)) && h("p", {}, texts.second)
      ),
      ...record ?? shared ? part(
        texts.all,
        record && guess(),
        record && h("p", {}, allAtOnce(page, record)),
        shared && h("p", {}, shared)
      ) : [],
      ...hasPublic(survey) ? part(texts.open, h("p", {}, texts.openRead)) : [],
      ...part(texts.part, ...tookPart(page, session))
    ),
    h("p", { class: "quiet" }, texts.even)
  );
}
function allAtOnce({ texts: { consent: consent2 } }, record) {
  if (record.after < 1) return consent2.rightFew({ after: 1 });
  return record.before < 1 ? consent2.rightAllMany(record) : consent2.rightAll(record);
}
function sharedOf(page, survey) {
  const texts = page.texts.consent;
  const shared = groupsOf(survey).filter((group) => sharesCoin(survey, group));
  if (shared.length === 0) return null;
  const known = shared.map((group) => survey.reading.knowing[group]);
  if (known.some((share) => share === null)) return texts.sharedMore;
  const after = whole(Math.max(...known.map(probability)));
  return after === 100 ? texts.shared : texts.sharedGuess({ after });
}
function certainOf(page, survey) {
  const labels = groupsOf(survey).flatMap((group) => {
    const { certain } = survey.guesses[group];
    const [question] = questionsOf(survey, group);
    const values = survey.design.attributes[question.attributes[0]];
    return certain === null ? [] : [plainLabelOf(page, question, survey, values[certain])];
  });
  return [...new Set(labels)];
}
var quotedAll = (page, values) => values.map((value) => page.texts.quoted({ value }));
function tookPart(page, { survey, invitation }) {
  const texts = page.texts.consent;
  const seen = invitation || survey.invitations ? texts.partInvited : texts.partOpen;
  return [h("p", {}, seen), h("p", {}, texts.network)];
}
function invited(page, { survey, keeper }) {
  const texts = page.texts.consent;
  if (!survey.invitations) return [];
  return [h("p", {}, keeper.lasting ? texts.invited : texts.invitedOnce)];
}
function begunBefore(page, { begun }) {
  return begun && h("p", { class: "callout" }, page.texts.consent.begun);
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
        h("p", {}, texts.why),
        h("p", {}, texts.secret)
      ),
      keeper.lasting && h("p", { class: "quiet" }, texts.kept),
      keeper.lasting && h("p", { class: "ways" }, button(texts.forget, forget)),
      status
    ],
    ending: true
  };
};

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
  return h(
    "section",
    { class: "card byhand", "aria-label": texts.title },
    h("h2", {}, texts.title),
    h("p", {}, continued ? texts.same : texts.tools[hand.tool]),
    ...rulesOf(page, hand, questions),
    h("p", { class: "quiet" }, texts.never)
  );
}
function rulesOf(page, hand, questions) {
  const texts = page.texts.own;
  const paired = hand.parts.some((part) => part.do === "personal");
  const rows = hand.parts.map(
    (part, place) => h(
      "tr",
      {},
      h("th", { scope: "row" }, h("bdi", {}, ...outcomesOf(page, hand, place))),
      h("td", {}, ...todo(page, part, questions, paired))
    )
  );
  const head = [texts.outcome, texts.todo];
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows)
  );
  const round = hand.parts.some((part) => part.do === "step") && h("p", {}, texts.round);
  const again = hand.parts.flatMap((part) => {
    if (part.do !== "throw") return [];
    const title = part.every && questions.length > 1 ? texts.secondThrows : texts.secondThrow;
    const tool = h("p", {}, texts.tools[part.then.tool]);
    return [h("h3", {}, title), tool, ...rulesOf(page, part.then, questions)];
  });
  return [table, round, ...again];
}
function outcomesOf(page, { tool, outcomes, parts }, place) {
  const texts = page.texts.own;
  if (tool === "coin" && parts.length > 1) return [[texts.heads, texts.tails][place]];
  if (tool !== "coins") return [withDigits(page.language, outcomes[place])];
  const side = (sign) => sign === "H" ? texts.heads : texts.tails;
  const tosses = outcomes[place].split(", ");
  return tosses.map(([one, two]) => h("span", { class: "tosses" }, texts.tosses({ first: side(one), second: side(two) })));
}
function todo(page, part, questions, paired) {
  const texts = page.texts.own;
  const many = questions.length > 1;
  const ticks = questions.some(({ several }) => several);
  const label = (value) => labelOf(page, questions[0], value);
  switch (part.do) {
    case "truth":
      if (paired) return [many ? texts.firsts : texts.first];
      return [many ? texts.truths : texts.truth];
    case "say":
      return [texts.say({ value: label(part.value) })];
    case "personal":
      return [many ? texts.seconds : texts.second];
    case "opposite":
      if (ticks) return [texts.oppositesTicks];
      return [many ? texts.opposites : texts.opposite];
    case "step":
      return [texts.step({ count: part.by })];
    case "nth":
      return [texts.nth({ number: part.place + 1 })];
    case "each": {
      const values = questions[0].options.map(({ value }) => value);
      const line = (told2, truth) => h("li", {}, texts.each({ truth: label(values[truth]), value: label(told2) }));
      return [h("ul", { class: "each" }, ...part.values.map(line))];
    }
    case "throw":
      return [texts.again];
    default:
      return unknownPart(part);
  }
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
  const error = h("p", { class: "error", role: "alert" });
  const line = (letter, text) => h("span", { class: "line" }, h("span", { class: "letter" }, letter), page.say(text));
  const asked2 = (prefix, into, ...legend) => control(page, { question, prefix, legend, help: [], answers: into });
  const second = both && question.personal ? [line(page.texts.letters.b, question.personal.text)] : [];
  const first = both ? line(page.texts.letters.a, question.text) : page.say(question.text);
  const controls = hand ? [asked2("practice", answers, first, ...second)] : [
    asked2("practice", answers, first),
    ...second.map((text) => asked2("practice-personal", personal, text))
  ];
  const label = (value) => value === "yes" ? page.texts.yes : page.texts.no;
  let tried = false;
  const show = (...content) => {
    error.textContent = "";
    result.replaceChildren(...content.filter((one) => one instanceof Node));
    tried = true;
  };
  const drawn3 = () => {
    if (!controls.every(({ answered }) => answered())) {
      error.textContent = texts.first;
      return;
    }
    const truth = answers.get(name);
    if (hand) {
      return show(
        h("p", { class: "sent" }, texts.wouldSend({ value: label(truth) })),
        h("p", {}, texts.onlyClicked),
        h("p", {}, texts.example({ value: page.texts.yes })),
        outcomesOf2(page, survey, "yes")
      );
    }
    const devices = read(survey.design);
    const report = apply({ [name]: truth }, devices, toss(devices), Object.fromEntries(personal));
    show(
      h("p", { class: "sent" }, texts.wouldSend({ value: label(report[name]) })),
      h("p", {}, texts.onlyThis),
      h("p", {}, texts.both),
      outcomesOf2(page, survey, truth, personal.get(name))
    );
  };
  for (const { element } of controls) {
    element.addEventListener("change", () => {
      error.textContent = "";
      result.replaceChildren();
    });
  }
  return {
    title: texts.title,
    content: [
      h("p", { class: "lead" }, texts.lead),
      hand && instructions(page, hand, survey.questions, false),
      ...controls.map(({ element }) => element),
      h(
        "p",
        { class: "ways" },
        h("button", { type: "button", click: drawn3 }, hand ? texts.done : texts.toss)
      ),
      result,
      error
    ],
    next: {
      label: page.texts.next,
      act() {
        if (!tried) error.textContent = texts.needed;
        return tried;
      }
    }
  };
};
function outcomesOf2(page, survey, truth, beside) {
  const texts = page.texts.practice;
  const { outcomes } = shownOf(survey, 0);
  const values = survey.design.attributes[survey.questions[0].attributes[0]];
  const label = (value) => value === "yes" ? page.texts.yes : page.texts.no;
  const other = values.find((value) => value !== truth);
  const words = (part) => {
    switch (part.do) {
      case "truth":
        return texts.truth({ value: label(truth) });
      case "personal":
        if (!asksPersonal(survey, 0)) return texts.anyDrawn;
        return beside ? texts.second({ value: label(beside) }) : texts.anySecond;
      case "drawn":
        return texts.anyDrawn;
      case "say":
        return texts.anyway({ value: label(part.value) });
      default:
        return texts.turned({ value: label(other) });
    }
  };
  const law = lawOf(survey, 0)[values.indexOf(truth)];
  const all = outcomes.length > 0 ? outcomes.map((part) => ({ share: probability(part.chance), what: words(part) })) : values.map((value, report) => {
    const said2 = value === truth ? texts.truth : texts.turned;
    return { share: law[report], what: said2({ value: label(value) }) };
  });
  const { people, counts, exact } = crowdOf(all.map(({ share }) => share));
  const times = exact ? texts.times : texts.timesAbout;
  const rows = all.map(
    ({ share, what }, place) => share > 0 ? h(
      "tr",
      {},
      h("th", { scope: "row" }, times({ count: counts[place], of: people })),
      h("td", {}, what)
    ) : null
  );
  return h("table", { class: "outcomes" }, h("tbody", {}, ...rows));
}
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
var questionSteps = (session) => batchesOf(session.survey).map((batch, place, all) => {
  const step = (page) => asking(page, session, batch, place + 1, all.length);
  step.wanted = () => askedOf(session.survey, session.answers).includes(batch.questions[0]);
  return step;
});
function asking(page, session, batch, number, of) {
  const texts = page.texts.questions;
  const { group, questions, continued } = batch;
  const disguised = session.arm === "disguised" && group !== null;
  const hand = disguised && session.device === "own" ? byHand(session.survey, group) : null;
  const both = disguised && asksPersonal(session.survey, group);
  const controls = questions.flatMap((question) => asked(page, session, question, both, !!hand));
  const skip = questions.find((question) => question.skip)?.skip;
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
      disguised && skip && h("p", {}, texts.skipToo({ value: page.say(skip) })),
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
  const { letters } = page.texts;
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
    const legend = [kind, h("span", { class: "line" }, letter(letters.a), text)];
    legend.push(h("span", { class: "line" }, letter(letters.b), second));
    return [one("a", legend, session.answers)];
  }
  return [
    one("a", [kind, h("span", { class: "line" }, letter(letters.a), text)], session.answers),
    one("b", [h("span", { class: "line" }, letter(letters.b), second)], session.personal)
  ];
}
function firstOpen(session) {
  const { survey, arm, device, answers, personal } = session;
  const answered = ({ attributes, group }) => {
    const drawn3 = arm === "disguised" && group !== null && drawnHere(survey, group, device);
    const both = drawn3 && asksPersonal(survey, group);
    return attributes.every((name) => answers.has(name) && (!both || personal.has(name)));
  };
  const asked2 = askedOf(survey, answers);
  const done2 = (question) => !asked2.includes(question) || answered(question);
  return batchesOf(survey).findIndex(({ questions }) => !questions.every(done2));
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
  const asked2 = new Set(askedOf(survey, answers).flatMap(({ attributes }) => attributes));
  const names = attributesOf(survey);
  const first = names.filter((name) => !asked2.has(name) && !survey.bit);
  const blank = Object.fromEntries(
    first.map((name) => [name, survey.design.attributes[name][0]])
  );
  const record = { ...Object.fromEntries(answers), ...blank };
  if (survey.bit) return bitOf(survey, survey.bit, record);
  if (arm === "direct") return record;
  const { tosses } = keeper.get("coins") ?? session.coins;
  const beside = [...personal].filter(([name]) => asked2.has(name));
  const report = apply(record, read(survey.design), tosses, Object.fromEntries(beside));
  const thrown = groupsOf(survey).filter((group) => !drawnHere(survey, group, device));
  const done2 = thrown.flatMap((group) => survey.design.groups[group].attributes);
  const byHand2 = Object.fromEntries(done2.map((name) => [name, record[name]]));
  return { ...report, ...byHand2, ...blank };
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
  const note = noteOf(page, session);
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
      h(
        "details",
        {},
        h("summary", {}, texts.literal),
        literalNote,
        h("p", { class: "quiet" }, partsOf(page, session)),
        literal
      ),
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
function noteOf({ texts: { review: review2 } }, { survey, arm, device }) {
  if (survey.bit) return review2.noteBit;
  if (arm === "direct" || groupsOf(survey).length === 0) return review2.noteDirect;
  if (device === "own") {
    const drawn3 = groupsOf(survey).some((group) => drawnHere(survey, group, "own"));
    return drawn3 ? review2.noteMixed : review2.noteOwn;
  }
  return hasPublic(survey) ? review2.noteSome : review2.note;
}
function partsOf({ texts }, { survey, token }) {
  const { parts, partsInvited, partsBit, partsBitInvited } = texts.review;
  if (survey.bit) return token ? partsBitInvited : partsBit;
  return token ? partsInvited : parts;
}
function inWords(page, session, report) {
  const texts = page.texts.review;
  const { survey } = session;
  const asked2 = survey.bit ? reportedOf(survey) : askedOf(survey, session.answers);
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
        h("strong", {}, asked2.includes(question) ? told(page, question, report) : texts.notAsked),
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
  const skips = question.attributes.some((name) => report[name] === SKIPPED);
  const texts = ticked.map(({ text }) => page.say(text));
  if (skips && question.skip) texts.push(page.say(question.skip));
  return texts.length > 0 ? listed(page.language, texts) : page.texts.review.none;
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
        waiting ? page.texts.sending[page.survey?.bit ? "waitingBit" : "waiting"] : page.texts.loading
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
  const sent2 = keeper.get("sent");
  const pending = keeper.get("pending");
  const givenUp = keeper.get("givenUp");
  if (sent2) page.end(done(sent2.receipt, keeper));
  else if (pending) void deliver(page, keeper, pending);
  else if (givenUp) page.end(notice("givenUp"));
  return !!(sent2 ?? pending ?? givenUp);
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
    begun: !!(keeper.get("token") ?? keeper.get("blinding")),
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
  const send = (body) => void sent(page, session, body);
  const questions = questionSteps(session);
  const last = (at) => {
    const open = firstOpen(session);
    return open < 0 ? review(session, send)(at) : questions[open](at);
  };
  const start2 = about(session);
  if (session.arm === "direct") return [start2, directConsent(session, agreed), ...questions, last];
  if (groupsOf(session.survey).length === 0) {
    return [start2, plainConsent(session, agreed), ...questions, last];
  }
  const harmless = practiceSurvey(session.survey);
  return [
    start2,
    consent(session, agreed),
    ...choosable(session) ? [choose(session)] : [],
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
async function sent(page, session, body) {
  const { keeper, preview } = session;
  const receipt = writeReceipt(session.receipt);
  if (preview) return page.end(done(receipt, keeper, true));
  await keeper.alone("send", async () => {
    if (resumed(page, keeper)) return;
    const pending = { body, receipt };
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
