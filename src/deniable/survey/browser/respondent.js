/*!
The respondent's page of deniable, built from web/src (see docs/reference/bundle.md).
It holds two libraries, which blind and unblind invitations:

@cloudflare/blindrsa-ts 0.4.4

Copyright (c) 2023 Cloudflare, Inc.
 
Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at
 
    http://www.apache.org/licenses/LICENSE-2.0
 
Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.

--------------------------------------------------------------------------------

sjcl 1.0.8

SJCL is open. You can use, modify and redistribute it under a BSD
license or under the GNU GPL, version 2.0.

---------------------------------------------------------------------

http://opensource.org/licenses/BSD-2-Clause

Copyright (c) 2009-2015, Emily Stark, Mike Hamburg and Dan Boneh at
Stanford University. All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are
met:

1. Redistributions of source code must retain the above copyright
notice, this list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright
notice, this list of conditions and the following disclaimer in the
documentation and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS
IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED
TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A
PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT
HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED
TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR
PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF
LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.

---------------------------------------------------------------------

http://opensource.org/licenses/GPL-2.0

The Stanford Javascript Crypto Library (hosted here on GitHub) is a
project by the Stanford Computer Security Lab to build a secure,
powerful, fast, small, easy-to-use, cross-browser library for
cryptography in Javascript.

Copyright (c) 2009-2015, Emily Stark, Mike Hamburg and Dan Boneh at
Stanford University.

This program is free software; you can redistribute it and/or modify it
under the terms of the GNU General Public License as published by the
Free Software Foundation; either version 2 of the License, or (at your
option) any later version.

This program is distributed in the hope that it will be useful, but
WITHOUT ANY WARRANTY; without even the implied warranty of
MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU General
Public License for more details.

You should have received a copy of the GNU General Public License along
with this program; if not, write to the Free Software Foundation, Inc.,
59 Temple Place, Suite 330, Boston, MA 02111-1307 USA
*/
var __require = /* @__PURE__ */ ((x) => typeof require !== "undefined" ? require : typeof Proxy !== "undefined" ? new Proxy(x, {
  get: (a, b) => (typeof require !== "undefined" ? require : a)[b]
}) : x)(function(x) {
  if (typeof require !== "undefined") return require.apply(this, arguments);
  throw Error('Dynamic require of "' + x + '" is not supported');
});

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
    const drawn2 = bytes.reduce((number2, byte) => number2 << 8n | BigInt(byte), 0n);
    const number = BigInt.asUintN(width, drawn2);
    if (number < sides) return number;
  }
}
function fraction(text) {
  const written = /^(\d+)(?:\/(\d+)|(?:\.(\d+))?(?:e-(\d{1,3}))?)$/;
  const found = typeof text === "string" && written.exec(text);
  if (!found) throw new Error(`${quoted(text)} is not a probability, such as "0.7" or "1/3".`);
  const [, whole, under = "1", decimals = "", shift = "0"] = found;
  const top = BigInt(whole + decimals);
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
  const drawn2 = needed ? () => [] : personalDice(attributes, personal);
  return { ...replacing(theta, drawn2), personal: { needed, kept: ([kept]) => kept === 1 } };
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
  const listed = Array.isArray(values) && values.every((value) => typeof value === "string");
  if (!listed || values.length === 0 || new Set(values).size < values.length) {
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
var paragraphs = (text) => text.trim().split(/\n\s*\n/).map((part) => h("p", {}, part));

// src/texts/de.ts
var personen = (count) => count === 1 ? "1 Person" : `${count} Personen`;
var senden = (count) => count === 1 ? "1 sendet" : `${count} senden`;
var de = {
  progress: (step, of) => `Schritt ${step} von ${of}`,
  language: "Sprache",
  back: "Zurück",
  next: "Weiter",
  contact: "Fragen? Schreiben Sie an",
  checkReceipt: "Eine Antwort prüfen oder löschen",
  backToSurvey: "Zurück zur Umfrage",
  preview: "Vorschau: Nichts wird gespeichert, nichts wird gesendet.",
  loading: "Einen Moment …",
  yes: "Ja",
  no: "Nein",
  consent: {
    title: "Bevor Sie sich entscheiden",
    table: "Wer könnte was erfahren?",
    who: "Wer",
    answer: "Ihre eigene Antwort?",
    learns: "Was sie erfahren können",
    never: "Nie",
    share: "Den Anteil in der Gruppe",
    rows: [
      "Die Forschenden",
      "Wer den Server betreibt",
      "Wer den Server hackt und alles stiehlt",
      "Ein Gericht, das die Herausgabe anordnet"
    ],
    because: "Ihre Antworten werden auf diesem Gerät verschleiert, bevor etwas gesendet wird. Bei einer einzelnen Person kann das niemand rückgängig machen, denn die wirklichen Antworten verlassen Ihr Gerät nie.",
    public: "Fragen mit dem Zeichen „wie gesagt“ werden ohne Schleier gesendet.",
    notDirect: (some2, of) => `${some2} von ${personen(of)} ${some2 === 1 ? "wird" : "werden"} zum Vergleich direkt gefragt. Sie gehören nicht dazu.`,
    agree: "Einverstanden, los geht’s",
    stop: "Die Teilnahme ist freiwillig. Sie können jederzeit aufhören, indem Sie diese Seite schließen; vor dem letzten Schritt wird nichts gesendet."
  },
  plain: {
    title: "Bevor Sie sich entscheiden",
    lead: "In dieser Umfrage werden die Antworten so gesendet, wie sie sind.",
    body: "Sie werden ohne Ihren Namen gesendet, aber so, wie Sie sie geben."
  },
  direct: {
    title: "Bevor Sie sich entscheiden",
    lead: "In Ihrem Fall werden die Antworten so gesendet, wie sie sind.",
    body: (some2, of) => `${some2} von ${personen(of)}, ausgelost, ${some2 === 1 ? "antwortet" : "antworten"} ohne Schleier, damit sich beide Arten zu fragen vergleichen lassen. Das Los fiel auf Sie. Ihre Antworten werden ohne Ihren Namen gesendet, aber so, wie Sie sie geben: Die Forschenden und wer die Daten hat können sie lesen.`,
    stop: "Sie können jetzt oder jederzeit vor dem letzten Schritt aufhören, indem Sie diese Seite schließen. Dann wird nichts gesendet, und niemand nimmt es übel.",
    agree: "Einverstanden, ich antworte offen"
  },
  how: {
    title: "Wie Ihre Antworten verschleiert werden",
    asIs: (count) => `${senden(count)} die wirklichen Antworten`,
    oneAsIs: (count) => `${senden(count)} die wirkliche Antwort`,
    others: {
      opposite: (count) => `${senden(count)} das Gegenteil`,
      another: (count) => `${senden(count)} eine andere, ausgeloste Antwort`,
      personal: (count) => `${senden(count)} die Antwort auf eine harmlose zweite Frage`,
      drawn: (count) => `${senden(count)} eine ausgeloste Antwort`
    },
    says: (count, value) => `${senden(count)} „${value}“`,
    saysAnyway: (count, value) => `${senden(count)} „${value}“, was auch immer die Antwort ist`,
    of: (count, exact) => `Von ${exact ? "" : "etwa "}${personen(count)} wie Ihnen:`,
    ofThose: (count, exact, value) => `Von ${exact ? "" : "etwa "}${personen(count)}, deren Antwort „${value}“ ist:`,
    sentences: "Eine Münze entscheidet, zu welchen Sie gehören, und niemand sonst sieht je, wie sie fällt. Über viele Menschen gleichen sich die Münzen aus; so können die Forschenden den Anteil in der Gruppe berechnen, aber nicht Ihre Antwort.",
    together: "Eine einzige Münze entscheidet für alle diese Fragen zusammen.",
    apart: "Jede dieser Fragen hat ihre eigene Münze.",
    readerTitle: "Was könnte jemand aus meiner Meldung schließen?",
    reader: (question, value, having, sent3, theirs) => `Nehmen wir „${question}“ und an, ${having} von 100 Personen würden wirklich „${value}“ antworten. Dann senden etwa ${sent3} von 100 ein „${value}“, und nur bei etwa ${theirs} von diesen ${sent3} ist es die wirkliche Antwort.`,
    allThatIsRead: (value) => `Mehr kann niemand aus einem gesendeten „${value}“ lesen.`,
    admission: (value) => `Ein gesendetes „${value}“ ist kein Geständnis.`,
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
    picked: (letter) => `Die Münze wählt Antwort ${letter}.`,
    wouldSend: (value) => `Die Seite würde senden: ${value}`,
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
    questions: [
      {
        text: "Jemand liest eine gesendete Antwort: „Ja“. Was weiß er sicher über diese Person?",
        options: ["Dass die wirkliche Antwort „Ja“ ist", "Nichts sicher"],
        right: 1,
        why: "Es kann die wirkliche Antwort sein oder der Schleier; niemand kann das unterscheiden."
      },
      {
        text: "Wie erfahren die Forschenden trotzdem etwas?",
        options: [
          "Sie lüften bei jeder Person den Schleier",
          "Sie wissen, wie oft Antworten verschleiert werden, und berechnen den Anteil in der Gruppe",
          "Sie fragen einige nach ihrem Namen"
        ],
        right: 1,
        why: "Über viele Menschen gleicht sich der Schleier aus; bei einer Person lässt er sich nicht lüften."
      }
    ]
  },
  questions: {
    title: (number, of) => of === 1 ? "Ihre Antworten" : `Ihre Antworten, Teil ${number} von ${of}`,
    public: "wie gesagt",
    disguised: "verschleiert",
    direct: "wie gesagt gesendet",
    pageCoin: "Antworten Sie, wie es wirklich ist. Die Münze der Seite verschleiert Ihre Antworten, bevor sie gesendet werden.",
    both: "Bitte beantworten Sie A und B. Die Münze wählt, welche der beiden Antworten gesendet wird; die andere verlässt Ihr Gerät nie.",
    several: "Kreuzen Sie alles Zutreffende an.",
    none: "Nichts davon",
    missing: (count) => count === 1 ? "Eine Frage braucht noch eine Antwort." : `${count} Fragen brauchen noch eine Antwort.`,
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
    truth: (many) => many ? "Ihre wirklichen Antworten" : "Ihre wirkliche Antwort",
    opposite: (many) => many ? "das Gegenteil Ihrer wirklichen Antworten, bei allen diesen Fragen" : "das Gegenteil Ihrer wirklichen Antwort",
    ticks: "; wo Sie mehreres ankreuzen können, kreuzen Sie genau das an, was nicht zutrifft",
    first: (many) => many ? "Ihre wirklichen Antworten auf die Fragen A" : "Ihre wirkliche Antwort auf Frage A",
    second: (many) => many ? "Ihre wirklichen Antworten auf die Fragen B" : "Ihre wirkliche Antwort auf Frage B",
    say: (value) => `„${value}“, was auch immer Ihre Antwort ist`,
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
    literal: "Die Zeichen selbst",
    literalNote: (size) => `Immer ${size} Zeichen, was Sie auch antworten; Punkte füllen auf. Kein Name, keine Uhrzeit, keine Adresse.`,
    parts: "Darin stehen der Fingerabdruck der Umfrage, eine Zufallszahl, {token}wie Sie gefragt wurden, wessen Münze es war, wie viele der zwei kurzen Fragen Sie richtig hatten, und ein Zeichen je Antwort.",
    token: "ein Beleg, dass Sie eingeladen sind, aber nicht, wer Sie sind, ",
    send: "Senden",
    ticket: "Ihr Einladungsbeleg wird vom Server geholt …",
    none: "nichts davon"
  },
  sending: {
    title: "Wird gesendet …",
    waiting: "Ihre verschleierten Antworten warten auf diesem Gerät und werden gesendet, sobald das Netz wieder da ist.",
    waitingDirect: "Ihre Antworten warten auf diesem Gerät und werden gesendet, sobald das Netz wieder da ist.",
    open: "Sie können diese Seite offen lassen oder später wiederkommen.",
    keepOpen: "Bitte lassen Sie diese Seite bis dahin offen: Dieser Browser behält nichts."
  },
  done: {
    title: "Vielen Dank",
    lead: "Ihre Antwort ist angekommen und gespeichert.",
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
    help: "Sechzehn Buchstaben und Ziffern, wie",
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
    closed: [
      "Diese Umfrage ist geschlossen",
      "Vielen Dank für Ihr Interesse. Es werden keine Antworten mehr angenommen."
    ],
    wrongLink: [
      "Bitte öffnen Sie den Link aus Ihrer Einladung",
      "Diese Umfrage geht nur mit Einladung, und die Adresse in Ihrem Browser enthält keine vollständige. Öffnen Sie den Link noch einmal, oder kopieren Sie ihn ganz."
    ],
    unknownInvitation: [
      "Diese Einladung ist hier nicht bekannt",
      "Vielleicht wurde der Link abgeschnitten. Öffnen Sie ihn noch einmal aus Ihrer Einladung, oder schreiben Sie uns."
    ],
    usedInvitation: [
      "Diese Einladung wurde schon benutzt",
      "Sie wurde schon geöffnet, vielleicht auf einem anderen Gerät oder in einem anderen Browser. Wenn Sie das waren, machen Sie bitte dort weiter; wenn Sie geantwortet haben, ist nichts mehr zu tun."
    ],
    wrongKey: [
      "Diese Seite hat zu Ihrem Schutz angehalten",
      "Der Schlüssel oder die Fragen des Servers sind nicht die aus Ihrer Einladung; Ihre Antwort hätte daran erkannt werden können. Nichts wurde gesendet. Bitte sagen Sie den Forschenden Bescheid."
    ],
    givenUp: [
      "Sie sind hier fertig",
      "Ihre Antwort wurde nicht angenommen, und dieses Gerät hat sie vergessen. Sie werden nicht noch einmal gefragt."
    ],
    insecure: [
      "Diese Verbindung ist nicht sicher",
      "Ohne sichere Verbindung kann Ihr Browser Antworten nicht verschleiern. Bitte öffnen Sie die Adresse mit https://."
    ],
    noStorage: [
      "Dieser Browser behält zwischen zwei Besuchen nichts",
      "Daher könnte die Münze, die Ihre Antworten verschleiert, nicht dieselbe bleiben, und wir fragen lieber nicht. Bitte öffnen Sie den Link in einem normalen Fenster, oder erlauben Sie dieser Seite, Daten zu behalten."
    ],
    offline: [
      "Noch keine Verbindung",
      "Die Umfrage konnte nicht geladen werden. Diese Seite versucht es weiter."
    ],
    broken: [
      "Mit dieser Umfrage stimmt etwas nicht",
      "Sie kann nicht gezeigt werden. Nichts wurde gesendet. Bitte sagen Sie den Forschenden Bescheid."
    ],
    refusedFull: [
      "Ihre Antwort wurde nicht angenommen",
      "Entweder wurde mit dieser Einladung schon geantwortet, oder es haben genug Menschen wie Sie teilgenommen. Trotzdem vielen Dank."
    ],
    refused: [
      "Ihre Antwort wurde nicht angenommen",
      "Der Server nimmt sie nicht an. Sie bleibt auf diesem Gerät; Sie können es noch einmal versuchen oder uns schreiben."
    ]
  },
  tryAgain: "Noch einmal versuchen"
};

// src/texts/en.ts
var people = (count) => count === 1 ? "1 person" : `${count} people`;
var sends = (count) => count === 1 ? "1 sends" : `${count} send`;
var en = {
  progress: (step, of) => `Step ${step} of ${of}`,
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
    learns: "What they can learn",
    never: "Never",
    share: "The group’s percentage",
    rows: [
      "The researcher",
      "Whoever runs the server",
      "A hacker who steals everything",
      "A court that orders it handed over"
    ],
    because: "Your answers are disguised on this device, before anything is sent. Nobody can undo the disguise of one person, because the real answers never leave your device.",
    public: "Questions marked “told as it is” are sent without a disguise.",
    notDirect: (some2, of) => `${some2} in ${of} people ${some2 === 1 ? "is" : "are"} asked directly, for comparison. You are not one of them.`,
    agree: "I agree and begin",
    stop: "Taking part is up to you. You may stop at any time by closing this page; nothing is sent before the last step."
  },
  plain: {
    title: "Before you decide",
    lead: "In this survey the answers are sent as they are.",
    body: "They are sent without your name, but as you give them."
  },
  direct: {
    title: "Before you decide",
    lead: "In your case the answers are sent as they are.",
    body: (some2, of) => `${some2} in ${of} people, drawn by lot, answer without the disguise, so that the two ways of asking can be compared. The lot fell on you. Your answers are sent without your name, but as you give them: the researcher and whoever holds the data can read them.`,
    stop: "You may stop now, or at any time before the last step, by closing this page. Then nothing is sent, and nobody minds.",
    agree: "I agree to answer as it is"
  },
  how: {
    title: "How your answers are disguised",
    asIs: (count) => `${sends(count)} their real answers`,
    oneAsIs: (count) => `${sends(count)} the real answer`,
    others: {
      opposite: (count) => `${sends(count)} the opposite`,
      another: (count) => `${sends(count)} another answer, drawn by lot`,
      personal: (count) => `${sends(count)} the answer to a harmless second question`,
      drawn: (count) => `${sends(count)} an answer drawn by lot`
    },
    says: (count, value) => `${sends(count)} “${value}”`,
    saysAnyway: (count, value) => `${sends(count)} “${value}”, whatever their answer`,
    of: (count, exact) => `Of ${exact ? "" : "about "}${people(count)} like you:`,
    ofThose: (count, exact, value) => `Of ${exact ? "" : "about "}${people(count)} whose answer is “${value}”:`,
    sentences: "A coin decides which of them you are, and nobody else ever sees how it falls. Over many people the coins even out, so the researchers can work out the group’s percentage, but not your answer.",
    together: "One coin decides for all of these questions together.",
    apart: "Each of these questions has a coin of its own.",
    readerTitle: "What could somebody infer from my report?",
    reader: (question, value, having, sent3, theirs) => `Take “${question}” and suppose that ${having} in 100 people would truly answer “${value}”. Then about ${sent3} in 100 send “${value}”, and it is the real answer of only about ${theirs} of these ${sent3}.`,
    allThatIsRead: (value) => `That is all that anybody can read from a sent “${value}”.`,
    admission: (value) => `A sent “${value}” is not an admission.`,
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
    picked: (letter) => `The coin picks answer ${letter}.`,
    wouldSend: (value) => `The page would send: ${value}`,
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
    questions: [
      {
        text: "Somebody reads one sent answer: “Yes”. What do they know for certain about that person?",
        options: ["That the real answer is “Yes”", "Nothing for certain"],
        right: 1,
        why: "It may be the real answer or the disguise; nobody can tell which."
      },
      {
        text: "How do the researchers still learn something?",
        options: [
          "They undo each person’s disguise",
          "They know how often answers are disguised and work out the group’s percentage",
          "They ask some people for their names"
        ],
        right: 1,
        why: "Over many people the disguise evens out; for one person it cannot be undone."
      }
    ]
  },
  questions: {
    title: (number, of) => of === 1 ? "Your answers" : `Your answers, part ${number} of ${of}`,
    public: "told as it is",
    disguised: "disguised",
    direct: "sent as it is",
    pageCoin: "Answer as it really is. This page’s coin disguises your answers before they are sent.",
    both: "Please answer both A and B. The coin picks which of the two answers is sent; the other never leaves your device.",
    several: "Tick all that apply.",
    none: "None of these",
    missing: (count) => count === 1 ? "One question still needs an answer." : `${count} questions still need an answer.`,
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
    truth: (many) => many ? "your real answers" : "your real answer",
    opposite: (many) => many ? "the opposite of your real answers, in all of these questions" : "the opposite of your real answer",
    ticks: "; where you can tick several, tick exactly those that do not apply",
    first: (many) => many ? "your real answers to the questions A" : "your real answer to question A",
    second: (many) => many ? "your real answers to the questions B" : "your real answer to question B",
    say: (value) => `“${value}”, whatever your answer`,
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
    literal: "The very bytes",
    literalNote: (size) => `Always ${size} characters, whatever you answered; dots fill it up. No name, no time, no address.`,
    parts: "It holds the survey’s fingerprint, a random number, {token}which way you were asked, whose coin it was, how many of the two quick questions you got right, and one sign per question.",
    token: "a blinded ticket that shows you were invited but not who you are, ",
    send: "Send",
    ticket: "Fetching your ticket from the server …",
    none: "none of these"
  },
  sending: {
    title: "Sending …",
    waiting: "Your disguised answers wait on this device and are sent as soon as the network is back.",
    waitingDirect: "Your answers wait on this device and are sent as soon as the network is back.",
    open: "You may leave this page open, or come back to it later.",
    keepOpen: "Please leave this page open until then: this browser keeps nothing."
  },
  done: {
    title: "Thank you",
    lead: "Your answer has arrived and is kept.",
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
    help: "Sixteen letters and digits, such as",
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
    closed: ["This survey is closed", "Thank you for your interest. It takes no more answers."],
    wrongLink: [
      "Please open the link from your invitation",
      "This survey is by invitation, and the address in your browser holds none that is complete. Open the link once more, or copy all of it."
    ],
    unknownInvitation: [
      "This invitation is not known here",
      "Perhaps the link was cut short. Open it once more from your invitation, or write to us."
    ],
    usedInvitation: [
      "This invitation has been used",
      "It was opened before, perhaps on another device or in another browser. If that was you, please go on there; if you have answered, there is nothing more to do."
    ],
    wrongKey: [
      "This page stopped to protect you",
      "The server’s key or questions are not those named in your invitation, so your answer might have been recognised. Nothing was sent. Please tell the researchers."
    ],
    givenUp: [
      "You have finished here",
      "Your answer was not taken, and this device has forgotten it. It is not asked for again."
    ],
    insecure: [
      "This connection is not secure",
      "Without a secure connection your browser cannot disguise answers. Please open the address with https://."
    ],
    noStorage: [
      "This browser keeps nothing between visits",
      "So the coin that disguises your answers could not stay the same, and we would rather not ask you. Please open the link in a normal window, or allow this site to keep data."
    ],
    offline: ["No connection yet", "The survey could not be loaded. This page keeps trying."],
    broken: [
      "Something is wrong with this survey",
      "It cannot be shown. Nothing was sent. Please tell the researchers."
    ],
    refusedFull: [
      "Your answer was not taken",
      "Either this invitation has answered already, or enough people like you have taken part. Thank you all the same."
    ],
    refused: [
      "Your answer was not taken",
      "The server would not accept it. It stays on this device; you can try once more, or write to us."
    ]
  },
  tryAgain: "Try once more"
};

// src/texts/index.ts
var TEXTS = { en, de };
var textsFor = (language) => TEXTS[language.split("-")[0]] ?? en;

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
  /** Whether there is no way back into the questions. */
  get ended() {
    return this.last !== null;
  }
  /** Whether there is anything but receipts to go back to. */
  get started() {
    return this.ended || this.session !== null;
  }
  get texts() {
    return textsFor(this.language);
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
    const label = this.texts.progress(step, of);
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
            "aria-pressed": String(language === this.language),
            click: chosen(language)
          },
          nameOf(language)
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
      survey?.contact && h("p", {}, `${texts.contact} `, contactLink(survey.contact)),
      survey && !atReceipts && h("p", {}, h("a", { href: "#receipt" }, texts.checkReceipt))
    );
  }
};
var contactLink = (contact) => /^\S+@\S+$/.test(contact) ? h("a", { href: `mailto:${contact}` }, contact) : contact;
function nameOf(language) {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

// src/hash.ts
async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

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
var groupsOf = ({ design }) => [...design.groups.keys()];
var attributesOf = ({ questions }) => questions.flatMap(({ attributes }) => attributes);
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
var check = (session) => (page) => {
  const texts = page.texts.check;
  const answers = /* @__PURE__ */ new Map();
  const error = h("p", { class: "error", role: "alert" });
  const here = (text) => ({ [page.language]: text });
  const asked2 = texts.questions.map(({ text, options, right, why }, place) => {
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

// src/steps/consent.ts
var consent = (session, agreed) => (page) => {
  const texts = page.texts.consent;
  const { survey } = session;
  return {
    title: texts.title,
    content: [
      consequences(page),
      h("p", {}, texts.because),
      survey.questions.some(({ group }) => group === null) && h("p", {}, texts.public),
      survey.direct && h("p", {}, texts.notDirect(...inPeople(survey.direct))),
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
      h("p", {}, texts.body(...inPeople(survey.direct ?? "0"))),
      h("section", { class: "words" }, ...paragraphs(page.say(survey.consent))),
      h("p", {}, texts.stop)
    ],
    next: { label: texts.agree, act: agreed }
  };
};
var plainConsent = (session, agreed) => (page) => {
  const { plain, consent: texts } = page.texts;
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
function consequences(page) {
  const texts = page.texts.consent;
  const row = (who) => h(
    "tr",
    {},
    h("th", { scope: "row" }, who),
    h("td", { class: "never" }, texts.never),
    h("td", {}, texts.share)
  );
  const head = [texts.who, texts.answer, texts.learns];
  return h(
    "table",
    { class: "consequences" },
    h("caption", {}, texts.table),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...texts.rows.map(row))
  );
}
function inPeople(share) {
  const [top, bottom] = fraction(share).map(Number);
  const divisor2 = (a, b) => b ? divisor2(b, a % b) : a;
  const common = divisor2(top, bottom);
  return [top / common, bottom / common];
}

// src/steps/done.ts
var done = (receipt, keeper, preview = false) => (page) => {
  const texts = page.texts.done;
  const status = h("p", { class: "quiet", role: "status" });
  const code = h("output", { class: "receipt" }, receipt);
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
      h("p", { class: "lead" }, preview ? texts.preview : texts.lead),
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

// src/byhand.ts
var byHand = (survey, group) => shownOf(survey, group).byHand;
function unknownPart(part) {
  throw new Error(`There are no words for ${JSON.stringify(part)}.`);
}

// src/law.ts
var probability = (text) => {
  const [top, bottom] = fraction(text);
  return Number(top) / Number(bottom);
};
var lawOf = (survey, group) => shownOf(survey, group).law.map((reports) => reports.map(probability));
function crowdOf(shares) {
  for (const people2 of [10, 6, 12, 20, 100]) {
    const counts = shares.map((share) => Math.round(share * people2));
    const whole = shares.every((share, place) => Math.abs(share * people2 - counts[place]) < 1e-9);
    if (whole) return { people: people2, counts, exact: true };
  }
  return { people: 100, counts: rounded(shares, 100), exact: false };
}
function rounded(shares, people2) {
  const counts = shares.map((share) => Math.floor(share * people2));
  const places = shares.map((_, place) => place);
  const remainder = (place) => shares[place] * people2 - counts[place];
  places.sort((one, other) => remainder(other) - remainder(one));
  for (const place of places.slice(0, people2 - sum(counts))) counts[place] += 1;
  return counts;
}
function inference(law, value, having = 10) {
  const others = (100 - having) / (law.length - 1);
  const sent3 = sum(law.map((row, truth) => (truth === value ? having : others) * row[value]));
  const theirs = having * law[value][value];
  return { having, sent: Math.round(sent3), theirs: Math.round(theirs) };
}
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
        return group.attributes.length > 1 ? texts.asIs(count) : texts.oneAsIs(count);
      case "personal":
        return shown.personal ? texts.others.personal(count) : texts.others.drawn(count);
      case "opposite":
      case "another":
      case "drawn":
        return texts.others[part.do](count);
      case "say":
        return texts.saysAnyway(count, label(part.value));
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
    return [{ title: texts.of(crowd.people, crowd.exact), crowd, parts: parts.filter(some) }];
  }
  const values = survey.design.attributes[question.attributes[0]];
  return lawOf(survey, place).map((shares, truth) => {
    const crowd = crowdOf(shares);
    const parts = crowd.counts.map((count, told2) => ({
      count,
      real: told2 === truth,
      words: texts.says(count, label(values[told2]))
    }));
    const title = texts.ofThose(crowd.people, crowd.exact, label(values[truth]));
    return { title, crowd, parts: parts.filter(some) };
  });
}
var some = ({ count }) => count > 0;
function labelOf(page, question, value) {
  if (question.several) return value === "yes" ? page.texts.yes : page.texts.no;
  const option = question.options.find((one) => one.value === value);
  return option ? page.say(option.text) : value;
}

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
        h("p", { class: "lead" }, texts.admission(sensitiveLabel(page, session, groups[0]))),
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
  const { having, sent: sent3, theirs } = inference(lawOf(survey, group), sensitive);
  const asked2 = question.several ? `${page.say(question.text)} ${page.say(question.options[0].text)}` : page.say(question.text);
  const label = sensitiveLabel(page, session, group);
  const reader = page.texts.how.reader(asked2, label, having, sent3, theirs);
  const alone2 = survey.design.groups[group].attributes.length === 1;
  return h("p", {}, reader, ...alone2 ? [` ${page.texts.how.allThatIsRead(label)}`] : []);
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
  const [title, sentence] = texts.trouble[trouble];
  return {
    title,
    content: [
      h("p", { class: "lead" }, sentence),
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
  const ticks = questions.some(({ several }) => several) ? texts.ticks : "";
  const paired = hand.parts.some((part) => part.do === "personal");
  const todo = (part) => {
    switch (part.do) {
      case "truth":
        return paired ? texts.first(many) : texts.truth(many);
      case "say":
        return texts.say(labelOf(page, questions[0], part.value));
      case "personal":
        return texts.second(many);
      case "opposite":
        return texts.opposite(many || ticks !== "") + ticks;
      case "another":
      case "drawn":
        throw new Error("Nobody draws evenly by hand.");
      default:
        return unknownPart(part);
    }
  };
  const coin2 = [texts.heads, texts.tails];
  const shown = (outcome, place) => hand.tool === "coin" && hand.parts.length > 1 ? coin2[place] : outcome;
  const rows = hand.parts.map(
    (part, place) => h(
      "tr",
      {},
      h("th", { scope: "row" }, shown(hand.outcomes[place], place)),
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
      return show(sent(texts.wouldSend(label(truth))), h("p", {}, texts.onlyClicked));
    }
    const devices = read(survey.design);
    const tosses = toss(devices);
    const report = apply({ [name]: truth }, devices, tosses, Object.fromEntries(personal))[name];
    const beside = both ? devices.groups[0].device.personal : void 0;
    const changed = report === truth ? texts.kept : texts.changed;
    show(
      h("p", {}, beside ? texts.picked(beside.kept(tosses[0]) ? "A" : "B") : changed),
      sent(texts.wouldSend(label(report))),
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
    text: each((language) => textsFor(language).practice.question),
    help: null,
    options: [
      { value: "no", text: each((language) => textsFor(language).no) },
      { value: "yes", text: each((language) => textsFor(language).yes) }
    ],
    attributes: [name],
    group: 0,
    personal: shown.personal ? { text: each((language) => textsFor(language).practice.personal), source: "" } : null
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
    title: texts.title(number, of),
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
        summary.textContent = missing.length > 0 ? texts.missing(missing.length) : "";
        missing[0]?.element.querySelector("input")?.focus();
        return missing.length === 0;
      }
    }
  };
}
function asked(page, session, question, both, hand) {
  const texts = page.texts.questions;
  const kind = question.group === null ? h("span", { class: "badge open" }, texts.public) : session.arm === "direct" ? h("span", { class: "badge open" }, texts.direct) : h("span", { class: "badge" }, texts.disguised);
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
    const drawn2 = arm === "disguised" && device === "page" && group !== null;
    const both = drawn2 && asksPersonal(survey, group);
    return attributes.every((name) => answers.has(name) && (!both || personal.has(name)));
  };
  return batchesOf(survey).findIndex(({ questions }) => !questions.every(answered));
}

// src/steps/receipts.ts
var receipts = (page) => {
  const texts = page.texts.receipts;
  const said = h("p", { class: "lead", role: "status", id: "receipt-said" });
  const input = h("input", {
    type: "text",
    id: "receipt",
    class: "receipt",
    maxlength: 40,
    size: 22,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    "aria-describedby": "receipt-help receipt-said"
  });
  const confirm = h("div", { class: "confirm" });
  const ask = async (task) => {
    confirm.replaceChildren();
    const receipt = readReceipt(input.value);
    if (!receipt) {
      said.textContent = texts.malformed;
      input.focus();
      return;
    }
    said.textContent = page.texts.loading;
    said.textContent = await task(receipt).catch(() => texts.unreachable);
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
    said.textContent = "";
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
        texts.help,
        " ",
        h("span", { class: "example" }, "K7QF-2M0P-X4TD-9RWB")
      ),
      h("p", {}, input),
      h(
        "p",
        { class: "ways" },
        h("button", { type: "submit", class: "primary" }, texts.check),
        button(texts.erase, confirmed)
      ),
      confirm,
      said,
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
  const note = session.arm === "direct" ? texts.noteDirect : session.device === "own" ? texts.noteOwn : texts.note;
  const status = h("p", { class: "quiet", role: "status" });
  const literal = h("pre", { tabindex: 0, "aria-label": texts.literal });
  const literalNote = h("p", { class: "quiet" });
  let body = null;
  if (session.token) status.textContent = texts.ticket;
  const shown = async () => {
    body = await bodyOf(session, report, await session.token ?? "");
    status.textContent = "";
    literal.textContent = body;
    literalNote.textContent = texts.literalNote(body.length);
  };
  shown().catch(() => {
  });
  return {
    title: texts.title,
    content: [
      h("p", { class: "callout" }, note),
      inWords(page, session, report),
      h("details", {}, h("summary", {}, texts.literal), literalNote, literal),
      h(
        "p",
        { class: "quiet" },
        texts.parts.replace("{token}", session.token ? texts.token : "")
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
    h("tbody", {}, ...session.survey.questions.map(row))
  );
}
function told(page, question, report) {
  if (!question.several) return labelOf(page, question, report[question.attributes[0]]);
  const ticked = question.options.filter(
    (_, place) => report[question.attributes[place]] === "yes"
  );
  if (ticked.length === 0) return page.texts.review.none;
  return ticked.map(({ text }) => page.say(text)).join(", ");
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
        waiting ? page.texts.sending[pending.arm === "direct" ? "waitingDirect" : "waiting"] : page.texts.loading
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

// node_modules/@cloudflare/blindrsa-ts/lib/src/sjcl/index.js
var sjcl = {
  /**
   * Symmetric ciphers.
   * @namespace
   */
  cipher: {},
  /**
   * Hash functions.  Right now only SHA256 is implemented.
   * @namespace
   */
  hash: {},
  /**
   * Key exchange functions.  Right now only SRP is implemented.
   * @namespace
   */
  keyexchange: {},
  /**
   * Cipher modes of operation.
   * @namespace
   */
  mode: {},
  /**
   * Miscellaneous.  HMAC and PBKDF2.
   * @namespace
   */
  misc: {},
  /**
   * Bit array encoders and decoders.
   * @namespace
   *
   * @description
   * The members of this namespace are functions which translate between
   * SJCL's bitArrays and other objects (usually strings).  Because it
   * isn't always clear which direction is encoding and which is decoding,
   * the method names are "fromBits" and "toBits".
   */
  codec: {},
  /**
   * Exceptions.
   * @namespace
   */
  exception: {
    /**
     * Ciphertext is corrupt.
     * @constructor
     */
    corrupt: function(message) {
      this.toString = function() {
        return "CORRUPT: " + this.message;
      };
      this.message = message;
    },
    /**
     * Invalid parameter.
     * @constructor
     */
    invalid: function(message) {
      this.toString = function() {
        return "INVALID: " + this.message;
      };
      this.message = message;
    },
    /**
     * Bug or missing feature in SJCL.
     * @constructor
     */
    bug: function(message) {
      this.toString = function() {
        return "BUG: " + this.message;
      };
      this.message = message;
    },
    /**
     * Something isn't ready.
     * @constructor
     */
    notReady: function(message) {
      this.toString = function() {
        return "NOT READY: " + this.message;
      };
      this.message = message;
    }
  }
};
sjcl.cipher.aes = function(key) {
  if (!this._tables[0][0][0]) {
    this._precompute();
  }
  var i, j, tmp, encKey, decKey, sbox = this._tables[0][4], decTable = this._tables[1], keyLen = key.length, rcon = 1;
  if (keyLen !== 4 && keyLen !== 6 && keyLen !== 8) {
    throw new sjcl.exception.invalid("invalid aes key size");
  }
  this._key = [encKey = key.slice(0), decKey = []];
  for (i = keyLen; i < 4 * keyLen + 28; i++) {
    tmp = encKey[i - 1];
    if (i % keyLen === 0 || keyLen === 8 && i % keyLen === 4) {
      tmp = sbox[tmp >>> 24] << 24 ^ sbox[tmp >> 16 & 255] << 16 ^ sbox[tmp >> 8 & 255] << 8 ^ sbox[tmp & 255];
      if (i % keyLen === 0) {
        tmp = tmp << 8 ^ tmp >>> 24 ^ rcon << 24;
        rcon = rcon << 1 ^ (rcon >> 7) * 283;
      }
    }
    encKey[i] = encKey[i - keyLen] ^ tmp;
  }
  for (j = 0; i; j++, i--) {
    tmp = encKey[j & 3 ? i : i - 4];
    if (i <= 4 || j < 4) {
      decKey[j] = tmp;
    } else {
      decKey[j] = decTable[0][sbox[tmp >>> 24]] ^ decTable[1][sbox[tmp >> 16 & 255]] ^ decTable[2][sbox[tmp >> 8 & 255]] ^ decTable[3][sbox[tmp & 255]];
    }
  }
};
sjcl.cipher.aes.prototype = {
  // public
  /* Something like this might appear here eventually
  name: "AES",
  blockSize: 4,
  keySizes: [4,6,8],
  */
  /**
   * Encrypt an array of 4 big-endian words.
   * @param {Array} data The plaintext.
   * @return {Array} The ciphertext.
   */
  encrypt: function(data) {
    return this._crypt(data, 0);
  },
  /**
   * Decrypt an array of 4 big-endian words.
   * @param {Array} data The ciphertext.
   * @return {Array} The plaintext.
   */
  decrypt: function(data) {
    return this._crypt(data, 1);
  },
  /**
   * The expanded S-box and inverse S-box tables.  These will be computed
   * on the client so that we don't have to send them down the wire.
   *
   * There are two tables, _tables[0] is for encryption and
   * _tables[1] is for decryption.
   *
   * The first 4 sub-tables are the expanded S-box with MixColumns.  The
   * last (_tables[01][4]) is the S-box itself.
   *
   * @private
   */
  _tables: [[[], [], [], [], []], [[], [], [], [], []]],
  /**
   * Expand the S-box tables.
   *
   * @private
   */
  _precompute: function() {
    var encTable = this._tables[0], decTable = this._tables[1], sbox = encTable[4], sboxInv = decTable[4], i, x, xInv, d = [], th = [], x2, x4, x8, s, tEnc, tDec;
    for (i = 0; i < 256; i++) {
      th[(d[i] = i << 1 ^ (i >> 7) * 283) ^ i] = i;
    }
    for (x = xInv = 0; !sbox[x]; x ^= x2 || 1, xInv = th[xInv] || 1) {
      s = xInv ^ xInv << 1 ^ xInv << 2 ^ xInv << 3 ^ xInv << 4;
      s = s >> 8 ^ s & 255 ^ 99;
      sbox[x] = s;
      sboxInv[s] = x;
      x8 = d[x4 = d[x2 = d[x]]];
      tDec = x8 * 16843009 ^ x4 * 65537 ^ x2 * 257 ^ x * 16843008;
      tEnc = d[s] * 257 ^ s * 16843008;
      for (i = 0; i < 4; i++) {
        encTable[i][x] = tEnc = tEnc << 24 ^ tEnc >>> 8;
        decTable[i][s] = tDec = tDec << 24 ^ tDec >>> 8;
      }
    }
    for (i = 0; i < 5; i++) {
      encTable[i] = encTable[i].slice(0);
      decTable[i] = decTable[i].slice(0);
    }
  },
  /**
   * Encryption and decryption core.
   * @param {Array} input Four words to be encrypted or decrypted.
   * @param dir The direction, 0 for encrypt and 1 for decrypt.
   * @return {Array} The four encrypted or decrypted words.
   * @private
   */
  _crypt: function(input, dir) {
    if (input.length !== 4) {
      throw new sjcl.exception.invalid("invalid aes block size");
    }
    var key = this._key[dir], a = input[0] ^ key[0], b = input[dir ? 3 : 1] ^ key[1], c = input[2] ^ key[2], d = input[dir ? 1 : 3] ^ key[3], a2, b2, c2, nInnerRounds = key.length / 4 - 2, i, kIndex = 4, out = [0, 0, 0, 0], table = this._tables[dir], t0 = table[0], t1 = table[1], t2 = table[2], t3 = table[3], sbox = table[4];
    for (i = 0; i < nInnerRounds; i++) {
      a2 = t0[a >>> 24] ^ t1[b >> 16 & 255] ^ t2[c >> 8 & 255] ^ t3[d & 255] ^ key[kIndex];
      b2 = t0[b >>> 24] ^ t1[c >> 16 & 255] ^ t2[d >> 8 & 255] ^ t3[a & 255] ^ key[kIndex + 1];
      c2 = t0[c >>> 24] ^ t1[d >> 16 & 255] ^ t2[a >> 8 & 255] ^ t3[b & 255] ^ key[kIndex + 2];
      d = t0[d >>> 24] ^ t1[a >> 16 & 255] ^ t2[b >> 8 & 255] ^ t3[c & 255] ^ key[kIndex + 3];
      kIndex += 4;
      a = a2;
      b = b2;
      c = c2;
    }
    for (i = 0; i < 4; i++) {
      out[dir ? 3 & -i : i] = sbox[a >>> 24] << 24 ^ sbox[b >> 16 & 255] << 16 ^ sbox[c >> 8 & 255] << 8 ^ sbox[d & 255] ^ key[kIndex++];
      a2 = a;
      a = b;
      b = c;
      c = d;
      d = a2;
    }
    return out;
  }
};
sjcl.bitArray = {
  /**
   * Array slices in units of bits.
   * @param {bitArray} a The array to slice.
   * @param {Number} bstart The offset to the start of the slice, in bits.
   * @param {Number} bend The offset to the end of the slice, in bits.  If this is undefined,
   * slice until the end of the array.
   * @return {bitArray} The requested slice.
   */
  bitSlice: function(a, bstart, bend) {
    a = sjcl.bitArray._shiftRight(a.slice(bstart / 32), 32 - (bstart & 31)).slice(1);
    return bend === void 0 ? a : sjcl.bitArray.clamp(a, bend - bstart);
  },
  /**
   * Extract a number packed into a bit array.
   * @param {bitArray} a The array to slice.
   * @param {Number} bstart The offset to the start of the slice, in bits.
   * @param {Number} blength The length of the number to extract.
   * @return {Number} The requested slice.
   */
  extract: function(a, bstart, blength) {
    var x, sh = Math.floor(-bstart - blength & 31);
    if ((bstart + blength - 1 ^ bstart) & -32) {
      x = a[bstart / 32 | 0] << 32 - sh ^ a[bstart / 32 + 1 | 0] >>> sh;
    } else {
      x = a[bstart / 32 | 0] >>> sh;
    }
    return x & (1 << blength) - 1;
  },
  /**
   * Concatenate two bit arrays.
   * @param {bitArray} a1 The first array.
   * @param {bitArray} a2 The second array.
   * @return {bitArray} The concatenation of a1 and a2.
   */
  concat: function(a1, a2) {
    if (a1.length === 0 || a2.length === 0) {
      return a1.concat(a2);
    }
    var last = a1[a1.length - 1], shift = sjcl.bitArray.getPartial(last);
    if (shift === 32) {
      return a1.concat(a2);
    } else {
      return sjcl.bitArray._shiftRight(a2, shift, last | 0, a1.slice(0, a1.length - 1));
    }
  },
  /**
   * Find the length of an array of bits.
   * @param {bitArray} a The array.
   * @return {Number} The length of a, in bits.
   */
  bitLength: function(a) {
    var l = a.length, x;
    if (l === 0) {
      return 0;
    }
    x = a[l - 1];
    return (l - 1) * 32 + sjcl.bitArray.getPartial(x);
  },
  /**
   * Truncate an array.
   * @param {bitArray} a The array.
   * @param {Number} len The length to truncate to, in bits.
   * @return {bitArray} A new array, truncated to len bits.
   */
  clamp: function(a, len) {
    if (a.length * 32 < len) {
      return a;
    }
    a = a.slice(0, Math.ceil(len / 32));
    var l = a.length;
    len = len & 31;
    if (l > 0 && len) {
      a[l - 1] = sjcl.bitArray.partial(len, a[l - 1] & 2147483648 >> len - 1, 1);
    }
    return a;
  },
  /**
   * Make a partial word for a bit array.
   * @param {Number} len The number of bits in the word.
   * @param {Number} x The bits.
   * @param {Number} [_end=0] Pass 1 if x has already been shifted to the high side.
   * @return {Number} The partial word.
   */
  partial: function(len, x, _end) {
    if (len === 32) {
      return x;
    }
    return (_end ? x | 0 : x << 32 - len) + len * 1099511627776;
  },
  /**
   * Get the number of bits used by a partial word.
   * @param {Number} x The partial word.
   * @return {Number} The number of bits used by the partial word.
   */
  getPartial: function(x) {
    return Math.round(x / 1099511627776) || 32;
  },
  /**
   * Compare two arrays for equality in a predictable amount of time.
   * @param {bitArray} a The first array.
   * @param {bitArray} b The second array.
   * @return {boolean} true if a == b; false otherwise.
   */
  equal: function(a, b) {
    if (sjcl.bitArray.bitLength(a) !== sjcl.bitArray.bitLength(b)) {
      return false;
    }
    var x = 0, i;
    for (i = 0; i < a.length; i++) {
      x |= a[i] ^ b[i];
    }
    return x === 0;
  },
  /** Shift an array right.
   * @param {bitArray} a The array to shift.
   * @param {Number} shift The number of bits to shift.
   * @param {Number} [carry=0] A byte to carry in
   * @param {bitArray} [out=[]] An array to prepend to the output.
   * @private
   */
  _shiftRight: function(a, shift, carry, out) {
    var i, last2 = 0, shift2;
    if (out === void 0) {
      out = [];
    }
    for (; shift >= 32; shift -= 32) {
      out.push(carry);
      carry = 0;
    }
    if (shift === 0) {
      return out.concat(a);
    }
    for (i = 0; i < a.length; i++) {
      out.push(carry | a[i] >>> shift);
      carry = a[i] << 32 - shift;
    }
    last2 = a.length ? a[a.length - 1] : 0;
    shift2 = sjcl.bitArray.getPartial(last2);
    out.push(sjcl.bitArray.partial(shift + shift2 & 31, shift + shift2 > 32 ? carry : out.pop(), 1));
    return out;
  },
  /** xor a block of 4 words together.
   * @private
   */
  _xor4: function(x, y) {
    return [x[0] ^ y[0], x[1] ^ y[1], x[2] ^ y[2], x[3] ^ y[3]];
  },
  /** byteswap a word array inplace.
   * (does not handle partial words)
   * @param {sjcl.bitArray} a word array
   * @return {sjcl.bitArray} byteswapped array
   */
  byteswapM: function(a) {
    var i, v, m = 65280;
    for (i = 0; i < a.length; ++i) {
      v = a[i];
      a[i] = v >>> 24 | v >>> 8 & m | (v & m) << 8 | v << 24;
    }
    return a;
  }
};
sjcl.codec.utf8String = {
  /** Convert from a bitArray to a UTF-8 string. */
  fromBits: function(arr) {
    var out = "", bl = sjcl.bitArray.bitLength(arr), i, tmp;
    for (i = 0; i < bl / 8; i++) {
      if ((i & 3) === 0) {
        tmp = arr[i / 4];
      }
      out += String.fromCharCode(tmp >>> 8 >>> 8 >>> 8);
      tmp <<= 8;
    }
    return decodeURIComponent(escape(out));
  },
  /** Convert from a UTF-8 string to a bitArray. */
  toBits: function(str) {
    str = unescape(encodeURIComponent(str));
    var out = [], i, tmp = 0;
    for (i = 0; i < str.length; i++) {
      tmp = tmp << 8 | str.charCodeAt(i);
      if ((i & 3) === 3) {
        out.push(tmp);
        tmp = 0;
      }
    }
    if (i & 3) {
      out.push(sjcl.bitArray.partial(8 * (i & 3), tmp));
    }
    return out;
  }
};
sjcl.codec.hex = {
  /** Convert from a bitArray to a hex string. */
  fromBits: function(arr) {
    var out = "", i;
    for (i = 0; i < arr.length; i++) {
      out += ((arr[i] | 0) + 263882790666240).toString(16).substr(4);
    }
    return out.substr(0, sjcl.bitArray.bitLength(arr) / 4);
  },
  /** Convert from a hex string to a bitArray. */
  toBits: function(str) {
    var i, out = [], len;
    str = str.replace(/\s|0x/g, "");
    len = str.length;
    str = str + "00000000";
    for (i = 0; i < str.length; i += 8) {
      out.push(parseInt(str.substr(i, 8), 16) ^ 0);
    }
    return sjcl.bitArray.clamp(out, len * 4);
  }
};
sjcl.codec.base64 = {
  /** The base64 alphabet.
   * @private
   */
  _chars: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  /** Convert from a bitArray to a base64 string. */
  fromBits: function(arr, _noEquals, _url) {
    var out = "", i, bits = 0, c = sjcl.codec.base64._chars, ta = 0, bl = sjcl.bitArray.bitLength(arr);
    if (_url) {
      c = c.substr(0, 62) + "-_";
    }
    for (i = 0; out.length * 6 < bl; ) {
      out += c.charAt((ta ^ arr[i] >>> bits) >>> 26);
      if (bits < 6) {
        ta = arr[i] << 6 - bits;
        bits += 26;
        i++;
      } else {
        ta <<= 6;
        bits -= 6;
      }
    }
    while (out.length & 3 && !_noEquals) {
      out += "=";
    }
    return out;
  },
  /** Convert from a base64 string to a bitArray */
  toBits: function(str, _url) {
    str = str.replace(/\s|=/g, "");
    var out = [], i, bits = 0, c = sjcl.codec.base64._chars, ta = 0, x;
    if (_url) {
      c = c.substr(0, 62) + "-_";
    }
    for (i = 0; i < str.length; i++) {
      x = c.indexOf(str.charAt(i));
      if (x < 0) {
        throw new sjcl.exception.invalid("this isn't base64!");
      }
      if (bits > 26) {
        bits -= 26;
        out.push(ta ^ x >>> bits);
        ta = x << 32 - bits;
      } else {
        bits += 6;
        ta ^= x << 32 - bits;
      }
    }
    if (bits & 56) {
      out.push(sjcl.bitArray.partial(bits & 56, ta, 1));
    }
    return out;
  }
};
sjcl.codec.base64url = {
  fromBits: function(arr) {
    return sjcl.codec.base64.fromBits(arr, 1, 1);
  },
  toBits: function(str) {
    return sjcl.codec.base64.toBits(str, 1);
  }
};
sjcl.codec.bytes = {
  /** Convert from a bitArray to an array of bytes. */
  fromBits: function(arr) {
    var out = [], bl = sjcl.bitArray.bitLength(arr), i, tmp;
    for (i = 0; i < bl / 8; i++) {
      if ((i & 3) === 0) {
        tmp = arr[i / 4];
      }
      out.push(tmp >>> 24);
      tmp <<= 8;
    }
    return out;
  },
  /** Convert from an array of bytes to a bitArray. */
  toBits: function(bytes) {
    var out = [], i, tmp = 0;
    for (i = 0; i < bytes.length; i++) {
      tmp = tmp << 8 | bytes[i];
      if ((i & 3) === 3) {
        out.push(tmp);
        tmp = 0;
      }
    }
    if (i & 3) {
      out.push(sjcl.bitArray.partial(8 * (i & 3), tmp));
    }
    return out;
  }
};
sjcl.hash.sha256 = function(hash) {
  if (!this._key[0]) {
    this._precompute();
  }
  if (hash) {
    this._h = hash._h.slice(0);
    this._buffer = hash._buffer.slice(0);
    this._length = hash._length;
  } else {
    this.reset();
  }
};
sjcl.hash.sha256.hash = function(data) {
  return new sjcl.hash.sha256().update(data).finalize();
};
sjcl.hash.sha256.prototype = {
  /**
   * The hash's block size, in bits.
   * @constant
   */
  blockSize: 512,
  /**
   * Reset the hash state.
   * @return this
   */
  reset: function() {
    this._h = this._init.slice(0);
    this._buffer = [];
    this._length = 0;
    return this;
  },
  /**
   * Input several words to the hash.
   * @param {bitArray|String} data the data to hash.
   * @return this
   */
  update: function(data) {
    if (typeof data === "string") {
      data = sjcl.codec.utf8String.toBits(data);
    }
    var i, b = this._buffer = sjcl.bitArray.concat(this._buffer, data), ol = this._length, nl = this._length = ol + sjcl.bitArray.bitLength(data);
    if (nl > 9007199254740991) {
      throw new sjcl.exception.invalid("Cannot hash more than 2^53 - 1 bits");
    }
    if (typeof Uint32Array !== "undefined") {
      var c = new Uint32Array(b);
      var j = 0;
      for (i = 512 + ol - (512 + ol & 511); i <= nl; i += 512) {
        this._block(c.subarray(16 * j, 16 * (j + 1)));
        j += 1;
      }
      b.splice(0, 16 * j);
    } else {
      for (i = 512 + ol - (512 + ol & 511); i <= nl; i += 512) {
        this._block(b.splice(0, 16));
      }
    }
    return this;
  },
  /**
   * Complete hashing and output the hash value.
   * @return {bitArray} The hash value, an array of 8 big-endian words.
   */
  finalize: function() {
    var i, b = this._buffer, h2 = this._h;
    b = sjcl.bitArray.concat(b, [sjcl.bitArray.partial(1, 1)]);
    for (i = b.length + 2; i & 15; i++) {
      b.push(0);
    }
    b.push(Math.floor(this._length / 4294967296));
    b.push(this._length | 0);
    while (b.length) {
      this._block(b.splice(0, 16));
    }
    this.reset();
    return h2;
  },
  /**
   * The SHA-256 initialization vector, to be precomputed.
   * @private
   */
  _init: [],
  /*
  _init:[0x6a09e667,0xbb67ae85,0x3c6ef372,0xa54ff53a,0x510e527f,0x9b05688c,0x1f83d9ab,0x5be0cd19],
  */
  /**
   * The SHA-256 hash key, to be precomputed.
   * @private
   */
  _key: [],
  /*
  _key:
    [0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
     0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
     0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
     0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
     0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
     0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
     0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
     0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
  */
  /**
   * Function to precompute _init and _key.
   * @private
   */
  _precompute: function() {
    var i = 0, prime = 2, factor, isPrime;
    function frac(x) {
      return (x - Math.floor(x)) * 4294967296 | 0;
    }
    for (; i < 64; prime++) {
      isPrime = true;
      for (factor = 2; factor * factor <= prime; factor++) {
        if (prime % factor === 0) {
          isPrime = false;
          break;
        }
      }
      if (isPrime) {
        if (i < 8) {
          this._init[i] = frac(Math.pow(prime, 1 / 2));
        }
        this._key[i] = frac(Math.pow(prime, 1 / 3));
        i++;
      }
    }
  },
  /**
   * Perform one cycle of SHA-256.
   * @param {Uint32Array|bitArray} w one block of words.
   * @private
   */
  _block: function(w) {
    var i, tmp, a, b, h2 = this._h, k = this._key, h0 = h2[0], h1 = h2[1], h22 = h2[2], h3 = h2[3], h4 = h2[4], h5 = h2[5], h6 = h2[6], h7 = h2[7];
    for (i = 0; i < 64; i++) {
      if (i < 16) {
        tmp = w[i];
      } else {
        a = w[i + 1 & 15];
        b = w[i + 14 & 15];
        tmp = w[i & 15] = (a >>> 7 ^ a >>> 18 ^ a >>> 3 ^ a << 25 ^ a << 14) + (b >>> 17 ^ b >>> 19 ^ b >>> 10 ^ b << 15 ^ b << 13) + w[i & 15] + w[i + 9 & 15] | 0;
      }
      tmp = tmp + h7 + (h4 >>> 6 ^ h4 >>> 11 ^ h4 >>> 25 ^ h4 << 26 ^ h4 << 21 ^ h4 << 7) + (h6 ^ h4 & (h5 ^ h6)) + k[i];
      h7 = h6;
      h6 = h5;
      h5 = h4;
      h4 = h3 + tmp | 0;
      h3 = h22;
      h22 = h1;
      h1 = h0;
      h0 = tmp + (h1 & h22 ^ h3 & (h1 ^ h22)) + (h1 >>> 2 ^ h1 >>> 13 ^ h1 >>> 22 ^ h1 << 30 ^ h1 << 19 ^ h1 << 10) | 0;
    }
    h2[0] = h2[0] + h0 | 0;
    h2[1] = h2[1] + h1 | 0;
    h2[2] = h2[2] + h22 | 0;
    h2[3] = h2[3] + h3 | 0;
    h2[4] = h2[4] + h4 | 0;
    h2[5] = h2[5] + h5 | 0;
    h2[6] = h2[6] + h6 | 0;
    h2[7] = h2[7] + h7 | 0;
  }
};
sjcl.mode.ccm = {
  /** The name of the mode.
   * @constant
   */
  name: "ccm",
  _progressListeners: [],
  listenProgress: function(cb) {
    sjcl.mode.ccm._progressListeners.push(cb);
  },
  unListenProgress: function(cb) {
    var index = sjcl.mode.ccm._progressListeners.indexOf(cb);
    if (index > -1) {
      sjcl.mode.ccm._progressListeners.splice(index, 1);
    }
  },
  _callProgressListener: function(val) {
    var p = sjcl.mode.ccm._progressListeners.slice(), i;
    for (i = 0; i < p.length; i += 1) {
      p[i](val);
    }
  },
  /** Encrypt in CCM mode.
   * @static
   * @param {Object} prf The pseudorandom function.  It must have a block size of 16 bytes.
   * @param {bitArray} plaintext The plaintext data.
   * @param {bitArray} iv The initialization value.
   * @param {bitArray} [adata=[]] The authenticated data.
   * @param {Number} [tlen=64] the desired tag length, in bits.
   * @return {bitArray} The encrypted data, an array of bytes.
   */
  encrypt: function(prf, plaintext, iv, adata, tlen) {
    var L, out = plaintext.slice(0), tag, w = sjcl.bitArray, ivl = w.bitLength(iv) / 8, ol = w.bitLength(out) / 8;
    tlen = tlen || 64;
    adata = adata || [];
    if (ivl < 7) {
      throw new sjcl.exception.invalid("ccm: iv must be at least 7 bytes");
    }
    for (L = 2; L < 4 && ol >>> 8 * L; L++) {
    }
    if (L < 15 - ivl) {
      L = 15 - ivl;
    }
    iv = w.clamp(iv, 8 * (15 - L));
    tag = sjcl.mode.ccm._computeTag(prf, plaintext, iv, adata, tlen, L);
    out = sjcl.mode.ccm._ctrMode(prf, out, iv, tag, tlen, L);
    return w.concat(out.data, out.tag);
  },
  /** Decrypt in CCM mode.
   * @static
   * @param {Object} prf The pseudorandom function.  It must have a block size of 16 bytes.
   * @param {bitArray} ciphertext The ciphertext data.
   * @param {bitArray} iv The initialization value.
   * @param {bitArray} [adata=[]] adata The authenticated data.
   * @param {Number} [tlen=64] tlen the desired tag length, in bits.
   * @return {bitArray} The decrypted data.
   */
  decrypt: function(prf, ciphertext, iv, adata, tlen) {
    tlen = tlen || 64;
    adata = adata || [];
    var L, w = sjcl.bitArray, ivl = w.bitLength(iv) / 8, ol = w.bitLength(ciphertext), out = w.clamp(ciphertext, ol - tlen), tag = w.bitSlice(ciphertext, ol - tlen), tag2;
    ol = (ol - tlen) / 8;
    if (ivl < 7) {
      throw new sjcl.exception.invalid("ccm: iv must be at least 7 bytes");
    }
    for (L = 2; L < 4 && ol >>> 8 * L; L++) {
    }
    if (L < 15 - ivl) {
      L = 15 - ivl;
    }
    iv = w.clamp(iv, 8 * (15 - L));
    out = sjcl.mode.ccm._ctrMode(prf, out, iv, tag, tlen, L);
    tag2 = sjcl.mode.ccm._computeTag(prf, out.data, iv, adata, tlen, L);
    if (!w.equal(out.tag, tag2)) {
      throw new sjcl.exception.corrupt("ccm: tag doesn't match");
    }
    return out.data;
  },
  _macAdditionalData: function(prf, adata, iv, tlen, ol, L) {
    var mac, tmp, i, macData = [], w = sjcl.bitArray, xor2 = w._xor4;
    mac = [w.partial(8, (adata.length ? 1 << 6 : 0) | tlen - 2 << 2 | L - 1)];
    mac = w.concat(mac, iv);
    mac[3] |= ol;
    mac = prf.encrypt(mac);
    if (adata.length) {
      tmp = w.bitLength(adata) / 8;
      if (tmp <= 65279) {
        macData = [w.partial(16, tmp)];
      } else if (tmp <= 4294967295) {
        macData = w.concat([w.partial(16, 65534)], [tmp]);
      }
      macData = w.concat(macData, adata);
      for (i = 0; i < macData.length; i += 4) {
        mac = prf.encrypt(xor2(mac, macData.slice(i, i + 4).concat([0, 0, 0])));
      }
    }
    return mac;
  },
  /* Compute the (unencrypted) authentication tag, according to the CCM specification
   * @param {Object} prf The pseudorandom function.
   * @param {bitArray} plaintext The plaintext data.
   * @param {bitArray} iv The initialization value.
   * @param {bitArray} adata The authenticated data.
   * @param {Number} tlen the desired tag length, in bits.
   * @return {bitArray} The tag, but not yet encrypted.
   * @private
   */
  _computeTag: function(prf, plaintext, iv, adata, tlen, L) {
    var mac, i, w = sjcl.bitArray, xor2 = w._xor4;
    tlen /= 8;
    if (tlen % 2 || tlen < 4 || tlen > 16) {
      throw new sjcl.exception.invalid("ccm: invalid tag length");
    }
    if (adata.length > 4294967295 || plaintext.length > 4294967295) {
      throw new sjcl.exception.bug("ccm: can't deal with 4GiB or more data");
    }
    mac = sjcl.mode.ccm._macAdditionalData(prf, adata, iv, tlen, w.bitLength(plaintext) / 8, L);
    for (i = 0; i < plaintext.length; i += 4) {
      mac = prf.encrypt(xor2(mac, plaintext.slice(i, i + 4).concat([0, 0, 0])));
    }
    return w.clamp(mac, tlen * 8);
  },
  /** CCM CTR mode.
   * Encrypt or decrypt data and tag with the prf in CCM-style CTR mode.
   * May mutate its arguments.
   * @param {Object} prf The PRF.
   * @param {bitArray} data The data to be encrypted or decrypted.
   * @param {bitArray} iv The initialization vector.
   * @param {bitArray} tag The authentication tag.
   * @param {Number} tlen The length of th etag, in bits.
   * @param {Number} L The CCM L value.
   * @return {Object} An object with data and tag, the en/decryption of data and tag values.
   * @private
   */
  _ctrMode: function(prf, data, iv, tag, tlen, L) {
    var enc, i, w = sjcl.bitArray, xor2 = w._xor4, ctr, l = data.length, bl = w.bitLength(data), n = l / 50, p = n;
    ctr = w.concat([w.partial(8, L - 1)], iv).concat([0, 0, 0]).slice(0, 4);
    tag = w.bitSlice(xor2(tag, prf.encrypt(ctr)), 0, tlen);
    if (!l) {
      return { tag, data: [] };
    }
    for (i = 0; i < l; i += 4) {
      if (i > n) {
        sjcl.mode.ccm._callProgressListener(i / l);
        n += p;
      }
      ctr[3]++;
      enc = prf.encrypt(ctr);
      data[i] ^= enc[0];
      data[i + 1] ^= enc[1];
      data[i + 2] ^= enc[2];
      data[i + 3] ^= enc[3];
    }
    return { tag, data: w.clamp(data, bl) };
  }
};
sjcl.misc.hmac = function(key, Hash) {
  this._hash = Hash = Hash || sjcl.hash.sha256;
  var exKey = [[], []], i, bs = Hash.prototype.blockSize / 32;
  this._baseHash = [new Hash(), new Hash()];
  if (key.length > bs) {
    key = Hash.hash(key);
  }
  for (i = 0; i < bs; i++) {
    exKey[0][i] = key[i] ^ 909522486;
    exKey[1][i] = key[i] ^ 1549556828;
  }
  this._baseHash[0].update(exKey[0]);
  this._baseHash[1].update(exKey[1]);
  this._resultHash = new Hash(this._baseHash[0]);
};
sjcl.misc.hmac.prototype.encrypt = sjcl.misc.hmac.prototype.mac = function(data) {
  if (!this._updated) {
    this.update(data);
    return this.digest(data);
  } else {
    throw new sjcl.exception.invalid("encrypt on already updated hmac called!");
  }
};
sjcl.misc.hmac.prototype.reset = function() {
  this._resultHash = new this._hash(this._baseHash[0]);
  this._updated = false;
};
sjcl.misc.hmac.prototype.update = function(data) {
  this._updated = true;
  this._resultHash.update(data);
};
sjcl.misc.hmac.prototype.digest = function() {
  var w = this._resultHash.finalize(), result = new this._hash(this._baseHash[1]).update(w).finalize();
  this.reset();
  return result;
};
sjcl.misc.pbkdf2 = function(password, salt, count, length, Prff) {
  count = count || 1e4;
  if (length < 0 || count < 0) {
    throw new sjcl.exception.invalid("invalid params to pbkdf2");
  }
  if (typeof password === "string") {
    password = sjcl.codec.utf8String.toBits(password);
  }
  if (typeof salt === "string") {
    salt = sjcl.codec.utf8String.toBits(salt);
  }
  Prff = Prff || sjcl.misc.hmac;
  var prf = new Prff(password), u, ui, i, j, k, out = [], b = sjcl.bitArray;
  for (k = 1; 32 * out.length < (length || 1); k++) {
    u = ui = prf.encrypt(b.concat(salt, [k]));
    for (i = 1; i < count; i++) {
      ui = prf.encrypt(ui);
      for (j = 0; j < ui.length; j++) {
        u[j] ^= ui[j];
      }
    }
    out = out.concat(u);
  }
  if (length) {
    out = b.clamp(out, length);
  }
  return out;
};
sjcl.prng = function(defaultParanoia) {
  this._pools = [new sjcl.hash.sha256()];
  this._poolEntropy = [0];
  this._reseedCount = 0;
  this._robins = {};
  this._eventId = 0;
  this._collectorIds = {};
  this._collectorIdNext = 0;
  this._strength = 0;
  this._poolStrength = 0;
  this._nextReseed = 0;
  this._key = [0, 0, 0, 0, 0, 0, 0, 0];
  this._counter = [0, 0, 0, 0];
  this._cipher = void 0;
  this._defaultParanoia = defaultParanoia;
  this._collectorsStarted = false;
  this._callbacks = { progress: {}, seeded: {} };
  this._callbackI = 0;
  this._NOT_READY = 0;
  this._READY = 1;
  this._REQUIRES_RESEED = 2;
  this._MAX_WORDS_PER_BURST = 65536;
  this._PARANOIA_LEVELS = [0, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
  this._MILLISECONDS_PER_RESEED = 3e4;
  this._BITS_PER_RESEED = 80;
};
sjcl.prng.prototype = {
  /** Generate several random words, and return them in an array.
   * A word consists of 32 bits (4 bytes)
   * @param {Number} nwords The number of words to generate.
   */
  randomWords: function(nwords, paranoia) {
    var out = [], i, readiness = this.isReady(paranoia), g;
    if (readiness === this._NOT_READY) {
      throw new sjcl.exception.notReady("generator isn't seeded");
    } else if (readiness & this._REQUIRES_RESEED) {
      this._reseedFromPools(!(readiness & this._READY));
    }
    for (i = 0; i < nwords; i += 4) {
      if ((i + 1) % this._MAX_WORDS_PER_BURST === 0) {
        this._gate();
      }
      g = this._gen4words();
      out.push(g[0], g[1], g[2], g[3]);
    }
    this._gate();
    return out.slice(0, nwords);
  },
  setDefaultParanoia: function(paranoia, allowZeroParanoia) {
    if (paranoia === 0 && allowZeroParanoia !== "Setting paranoia=0 will ruin your security; use it only for testing") {
      throw new sjcl.exception.invalid("Setting paranoia=0 will ruin your security; use it only for testing");
    }
    this._defaultParanoia = paranoia;
  },
  /**
   * Add entropy to the pools.
   * @param data The entropic value.  Should be a 32-bit integer, array of 32-bit integers, or string
   * @param {Number} estimatedEntropy The estimated entropy of data, in bits
   * @param {String} source The source of the entropy, eg "mouse"
   */
  addEntropy: function(data, estimatedEntropy, source) {
    source = source || "user";
    var id, i, tmp, t = (/* @__PURE__ */ new Date()).valueOf(), robin = this._robins[source], oldReady = this.isReady(), err = 0, objName;
    id = this._collectorIds[source];
    if (id === void 0) {
      id = this._collectorIds[source] = this._collectorIdNext++;
    }
    if (robin === void 0) {
      robin = this._robins[source] = 0;
    }
    this._robins[source] = (this._robins[source] + 1) % this._pools.length;
    switch (typeof data) {
      case "number":
        if (estimatedEntropy === void 0) {
          estimatedEntropy = 1;
        }
        this._pools[robin].update([id, this._eventId++, 1, estimatedEntropy, t, 1, data | 0]);
        break;
      case "object":
        objName = Object.prototype.toString.call(data);
        if (objName === "[object Uint32Array]") {
          tmp = [];
          for (i = 0; i < data.length; i++) {
            tmp.push(data[i]);
          }
          data = tmp;
        } else {
          if (objName !== "[object Array]") {
            err = 1;
          }
          for (i = 0; i < data.length && !err; i++) {
            if (typeof data[i] !== "number") {
              err = 1;
            }
          }
        }
        if (!err) {
          if (estimatedEntropy === void 0) {
            estimatedEntropy = 0;
            for (i = 0; i < data.length; i++) {
              tmp = data[i];
              while (tmp > 0) {
                estimatedEntropy++;
                tmp = tmp >>> 1;
              }
            }
          }
          this._pools[robin].update([id, this._eventId++, 2, estimatedEntropy, t, data.length].concat(data));
        }
        break;
      case "string":
        if (estimatedEntropy === void 0) {
          estimatedEntropy = data.length;
        }
        this._pools[robin].update([id, this._eventId++, 3, estimatedEntropy, t, data.length]);
        this._pools[robin].update(data);
        break;
      default:
        err = 1;
    }
    if (err) {
      throw new sjcl.exception.bug("random: addEntropy only supports number, array of numbers or string");
    }
    this._poolEntropy[robin] += estimatedEntropy;
    this._poolStrength += estimatedEntropy;
    if (oldReady === this._NOT_READY) {
      if (this.isReady() !== this._NOT_READY) {
        this._fireEvent("seeded", Math.max(this._strength, this._poolStrength));
      }
      this._fireEvent("progress", this.getProgress());
    }
  },
  /** Is the generator ready? */
  isReady: function(paranoia) {
    var entropyRequired = this._PARANOIA_LEVELS[paranoia !== void 0 ? paranoia : this._defaultParanoia];
    if (this._strength && this._strength >= entropyRequired) {
      return this._poolEntropy[0] > this._BITS_PER_RESEED && (/* @__PURE__ */ new Date()).valueOf() > this._nextReseed ? this._REQUIRES_RESEED | this._READY : this._READY;
    } else {
      return this._poolStrength >= entropyRequired ? this._REQUIRES_RESEED | this._NOT_READY : this._NOT_READY;
    }
  },
  /** Get the generator's progress toward readiness, as a fraction */
  getProgress: function(paranoia) {
    var entropyRequired = this._PARANOIA_LEVELS[paranoia ? paranoia : this._defaultParanoia];
    if (this._strength >= entropyRequired) {
      return 1;
    } else {
      return this._poolStrength > entropyRequired ? 1 : this._poolStrength / entropyRequired;
    }
  },
  /** start the built-in entropy collectors */
  startCollectors: function() {
    if (this._collectorsStarted) {
      return;
    }
    this._eventListener = {
      loadTimeCollector: this._bind(this._loadTimeCollector),
      mouseCollector: this._bind(this._mouseCollector),
      keyboardCollector: this._bind(this._keyboardCollector),
      accelerometerCollector: this._bind(this._accelerometerCollector),
      touchCollector: this._bind(this._touchCollector)
    };
    if (window.addEventListener) {
      window.addEventListener("load", this._eventListener.loadTimeCollector, false);
      window.addEventListener("mousemove", this._eventListener.mouseCollector, false);
      window.addEventListener("keypress", this._eventListener.keyboardCollector, false);
      window.addEventListener("devicemotion", this._eventListener.accelerometerCollector, false);
      window.addEventListener("touchmove", this._eventListener.touchCollector, false);
    } else if (document.attachEvent) {
      document.attachEvent("onload", this._eventListener.loadTimeCollector);
      document.attachEvent("onmousemove", this._eventListener.mouseCollector);
      document.attachEvent("keypress", this._eventListener.keyboardCollector);
    } else {
      throw new sjcl.exception.bug("can't attach event");
    }
    this._collectorsStarted = true;
  },
  /** stop the built-in entropy collectors */
  stopCollectors: function() {
    if (!this._collectorsStarted) {
      return;
    }
    if (window.removeEventListener) {
      window.removeEventListener("load", this._eventListener.loadTimeCollector, false);
      window.removeEventListener("mousemove", this._eventListener.mouseCollector, false);
      window.removeEventListener("keypress", this._eventListener.keyboardCollector, false);
      window.removeEventListener("devicemotion", this._eventListener.accelerometerCollector, false);
      window.removeEventListener("touchmove", this._eventListener.touchCollector, false);
    } else if (document.detachEvent) {
      document.detachEvent("onload", this._eventListener.loadTimeCollector);
      document.detachEvent("onmousemove", this._eventListener.mouseCollector);
      document.detachEvent("keypress", this._eventListener.keyboardCollector);
    }
    this._collectorsStarted = false;
  },
  /* use a cookie to store entropy.
  useCookie: function (all_cookies) {
      throw new sjcl.exception.bug("random: useCookie is unimplemented");
  },*/
  /** add an event listener for progress or seeded-ness. */
  addEventListener: function(name, callback) {
    this._callbacks[name][this._callbackI++] = callback;
  },
  /** remove an event listener for progress or seeded-ness */
  removeEventListener: function(name, cb) {
    var i, j, cbs = this._callbacks[name], jsTemp = [];
    for (j in cbs) {
      if (cbs.hasOwnProperty(j) && cbs[j] === cb) {
        jsTemp.push(j);
      }
    }
    for (i = 0; i < jsTemp.length; i++) {
      j = jsTemp[i];
      delete cbs[j];
    }
  },
  _bind: function(func) {
    var that = this;
    return function() {
      func.apply(that, arguments);
    };
  },
  /** Generate 4 random words, no reseed, no gate.
   * @private
   */
  _gen4words: function() {
    for (var i = 0; i < 4; i++) {
      this._counter[i] = this._counter[i] + 1 | 0;
      if (this._counter[i]) {
        break;
      }
    }
    return this._cipher.encrypt(this._counter);
  },
  /* Rekey the AES instance with itself after a request, or every _MAX_WORDS_PER_BURST words.
   * @private
   */
  _gate: function() {
    this._key = this._gen4words().concat(this._gen4words());
    this._cipher = new sjcl.cipher.aes(this._key);
  },
  /** Reseed the generator with the given words
   * @private
   */
  _reseed: function(seedWords) {
    this._key = sjcl.hash.sha256.hash(this._key.concat(seedWords));
    this._cipher = new sjcl.cipher.aes(this._key);
    for (var i = 0; i < 4; i++) {
      this._counter[i] = this._counter[i] + 1 | 0;
      if (this._counter[i]) {
        break;
      }
    }
  },
  /** reseed the data from the entropy pools
   * @param full If set, use all the entropy pools in the reseed.
   */
  _reseedFromPools: function(full) {
    var reseedData = [], strength = 0, i;
    this._nextReseed = reseedData[0] = (/* @__PURE__ */ new Date()).valueOf() + this._MILLISECONDS_PER_RESEED;
    for (i = 0; i < 16; i++) {
      reseedData.push(Math.random() * 4294967296 | 0);
    }
    for (i = 0; i < this._pools.length; i++) {
      reseedData = reseedData.concat(this._pools[i].finalize());
      strength += this._poolEntropy[i];
      this._poolEntropy[i] = 0;
      if (!full && this._reseedCount & 1 << i) {
        break;
      }
    }
    if (this._reseedCount >= 1 << this._pools.length) {
      this._pools.push(new sjcl.hash.sha256());
      this._poolEntropy.push(0);
    }
    this._poolStrength -= strength;
    if (strength > this._strength) {
      this._strength = strength;
    }
    this._reseedCount++;
    this._reseed(reseedData);
  },
  _keyboardCollector: function() {
    this._addCurrentTimeToEntropy(1);
  },
  _mouseCollector: function(ev) {
    var x, y;
    try {
      x = ev.x || ev.clientX || ev.offsetX || 0;
      y = ev.y || ev.clientY || ev.offsetY || 0;
    } catch (err) {
      x = 0;
      y = 0;
    }
    if (x != 0 && y != 0) {
      this.addEntropy([x, y], 2, "mouse");
    }
    this._addCurrentTimeToEntropy(0);
  },
  _touchCollector: function(ev) {
    var touch = ev.touches[0] || ev.changedTouches[0];
    var x = touch.pageX || touch.clientX, y = touch.pageY || touch.clientY;
    this.addEntropy([x, y], 1, "touch");
    this._addCurrentTimeToEntropy(0);
  },
  _loadTimeCollector: function() {
    this._addCurrentTimeToEntropy(2);
  },
  _addCurrentTimeToEntropy: function(estimatedEntropy) {
    if (typeof window !== "undefined" && window.performance && typeof window.performance.now === "function") {
      this.addEntropy(window.performance.now(), estimatedEntropy, "loadtime");
    } else {
      this.addEntropy((/* @__PURE__ */ new Date()).valueOf(), estimatedEntropy, "loadtime");
    }
  },
  _accelerometerCollector: function(ev) {
    var ac = ev.accelerationIncludingGravity.x || ev.accelerationIncludingGravity.y || ev.accelerationIncludingGravity.z;
    if (window.orientation) {
      var or = window.orientation;
      if (typeof or === "number") {
        this.addEntropy(or, 1, "accelerometer");
      }
    }
    if (ac) {
      this.addEntropy(ac, 2, "accelerometer");
    }
    this._addCurrentTimeToEntropy(0);
  },
  _fireEvent: function(name, arg) {
    var j, cbs = sjcl.random._callbacks[name], cbsTemp = [];
    for (j in cbs) {
      if (cbs.hasOwnProperty(j)) {
        cbsTemp.push(cbs[j]);
      }
    }
    for (j = 0; j < cbsTemp.length; j++) {
      cbsTemp[j](arg);
    }
  }
};
sjcl.random = new sjcl.prng(6);
(function() {
  function getCryptoModule() {
    try {
      return __require("crypto");
    } catch (e) {
      return null;
    }
  }
  try {
    var buf, crypt, ab;
    if (typeof module !== "undefined" && module.exports && (crypt = getCryptoModule()) && crypt.randomBytes) {
      buf = crypt.randomBytes(1024 / 8);
      buf = new Uint32Array(new Uint8Array(buf).buffer);
      sjcl.random.addEntropy(buf, 1024, "crypto.randomBytes");
    } else if (typeof window !== "undefined" && typeof Uint32Array !== "undefined") {
      ab = new Uint32Array(32);
      if (window.crypto && window.crypto.getRandomValues) {
        window.crypto.getRandomValues(ab);
      } else if (window.msCrypto && window.msCrypto.getRandomValues) {
        window.msCrypto.getRandomValues(ab);
      } else {
        return;
      }
      sjcl.random.addEntropy(ab, 1024, "crypto.getRandomValues");
    } else {
    }
  } catch (e) {
    if (typeof window !== "undefined" && window.console) {
      console.log("There was an error collecting entropy from the browser:");
      console.log(e);
    }
  }
})();
sjcl.json = {
  /** Default values for encryption */
  defaults: { v: 1, iter: 1e4, ks: 128, ts: 64, mode: "ccm", adata: "", cipher: "aes" },
  /** Simple encryption function.
   * @param {String|bitArray} password The password or key.
   * @param {String} plaintext The data to encrypt.
   * @param {Object} [params] The parameters including tag, iv and salt.
   * @param {Object} [rp] A returned version with filled-in parameters.
   * @return {Object} The cipher raw data.
   * @throws {sjcl.exception.invalid} if a parameter is invalid.
   */
  _encrypt: function(password, plaintext, params, rp) {
    params = params || {};
    rp = rp || {};
    var j = sjcl.json, p = j._add({ iv: sjcl.random.randomWords(4, 0) }, j.defaults), tmp, prp, adata;
    j._add(p, params);
    adata = p.adata;
    if (typeof p.salt === "string") {
      p.salt = sjcl.codec.base64.toBits(p.salt);
    }
    if (typeof p.iv === "string") {
      p.iv = sjcl.codec.base64.toBits(p.iv);
    }
    if (!sjcl.mode[p.mode] || !sjcl.cipher[p.cipher] || typeof password === "string" && p.iter <= 100 || p.ts !== 64 && p.ts !== 96 && p.ts !== 128 || p.ks !== 128 && p.ks !== 192 && p.ks !== 256 || (p.iv.length < 2 || p.iv.length > 4)) {
      throw new sjcl.exception.invalid("json encrypt: invalid parameters");
    }
    if (typeof password === "string") {
      tmp = sjcl.misc.cachedPbkdf2(password, p);
      password = tmp.key.slice(0, p.ks / 32);
      p.salt = tmp.salt;
    } else if (sjcl.ecc && password instanceof sjcl.ecc.elGamal.publicKey) {
      tmp = password.kem();
      p.kemtag = tmp.tag;
      password = tmp.key.slice(0, p.ks / 32);
    }
    if (typeof plaintext === "string") {
      plaintext = sjcl.codec.utf8String.toBits(plaintext);
    }
    if (typeof adata === "string") {
      p.adata = adata = sjcl.codec.utf8String.toBits(adata);
    }
    prp = new sjcl.cipher[p.cipher](password);
    j._add(rp, p);
    rp.key = password;
    if (p.mode === "ccm" && sjcl.arrayBuffer && sjcl.arrayBuffer.ccm && plaintext instanceof ArrayBuffer) {
      p.ct = sjcl.arrayBuffer.ccm.encrypt(prp, plaintext, p.iv, adata, p.ts);
    } else {
      p.ct = sjcl.mode[p.mode].encrypt(prp, plaintext, p.iv, adata, p.ts);
    }
    return p;
  },
  /** Simple encryption function.
   * @param {String|bitArray} password The password or key.
   * @param {String} plaintext The data to encrypt.
   * @param {Object} [params] The parameters including tag, iv and salt.
   * @param {Object} [rp] A returned version with filled-in parameters.
   * @return {String} The ciphertext serialized data.
   * @throws {sjcl.exception.invalid} if a parameter is invalid.
   */
  encrypt: function(password, plaintext, params, rp) {
    var j = sjcl.json, p = j._encrypt.apply(j, arguments);
    return j.encode(p);
  },
  /** Simple decryption function.
   * @param {String|bitArray} password The password or key.
   * @param {Object} ciphertext The cipher raw data to decrypt.
   * @param {Object} [params] Additional non-default parameters.
   * @param {Object} [rp] A returned object with filled parameters.
   * @return {String} The plaintext.
   * @throws {sjcl.exception.invalid} if a parameter is invalid.
   * @throws {sjcl.exception.corrupt} if the ciphertext is corrupt.
   */
  _decrypt: function(password, ciphertext, params, rp) {
    params = params || {};
    rp = rp || {};
    var j = sjcl.json, p = j._add(j._add(j._add({}, j.defaults), ciphertext), params, true), ct, tmp, prp, adata = p.adata;
    if (typeof p.salt === "string") {
      p.salt = sjcl.codec.base64.toBits(p.salt);
    }
    if (typeof p.iv === "string") {
      p.iv = sjcl.codec.base64.toBits(p.iv);
    }
    if (!sjcl.mode[p.mode] || !sjcl.cipher[p.cipher] || typeof password === "string" && p.iter <= 100 || p.ts !== 64 && p.ts !== 96 && p.ts !== 128 || p.ks !== 128 && p.ks !== 192 && p.ks !== 256 || !p.iv || (p.iv.length < 2 || p.iv.length > 4)) {
      throw new sjcl.exception.invalid("json decrypt: invalid parameters");
    }
    if (typeof password === "string") {
      tmp = sjcl.misc.cachedPbkdf2(password, p);
      password = tmp.key.slice(0, p.ks / 32);
      p.salt = tmp.salt;
    } else if (sjcl.ecc && password instanceof sjcl.ecc.elGamal.secretKey) {
      password = password.unkem(sjcl.codec.base64.toBits(p.kemtag)).slice(0, p.ks / 32);
    }
    if (typeof adata === "string") {
      adata = sjcl.codec.utf8String.toBits(adata);
    }
    prp = new sjcl.cipher[p.cipher](password);
    if (p.mode === "ccm" && sjcl.arrayBuffer && sjcl.arrayBuffer.ccm && p.ct instanceof ArrayBuffer) {
      ct = sjcl.arrayBuffer.ccm.decrypt(prp, p.ct, p.iv, p.tag, adata, p.ts);
    } else {
      ct = sjcl.mode[p.mode].decrypt(prp, p.ct, p.iv, adata, p.ts);
    }
    j._add(rp, p);
    rp.key = password;
    if (params.raw === 1) {
      return ct;
    } else {
      return sjcl.codec.utf8String.fromBits(ct);
    }
  },
  /** Simple decryption function.
   * @param {String|bitArray} password The password or key.
   * @param {String} ciphertext The ciphertext to decrypt.
   * @param {Object} [params] Additional non-default parameters.
   * @param {Object} [rp] A returned object with filled parameters.
   * @return {String} The plaintext.
   * @throws {sjcl.exception.invalid} if a parameter is invalid.
   * @throws {sjcl.exception.corrupt} if the ciphertext is corrupt.
   */
  decrypt: function(password, ciphertext, params, rp) {
    var j = sjcl.json;
    return j._decrypt(password, j.decode(ciphertext), params, rp);
  },
  /** Encode a flat structure into a JSON string.
   * @param {Object} obj The structure to encode.
   * @return {String} A JSON string.
   * @throws {sjcl.exception.invalid} if obj has a non-alphanumeric property.
   * @throws {sjcl.exception.bug} if a parameter has an unsupported type.
   */
  encode: function(obj) {
    var i, out = "{", comma = "";
    for (i in obj) {
      if (obj.hasOwnProperty(i)) {
        if (!i.match(/^[a-z0-9]+$/i)) {
          throw new sjcl.exception.invalid("json encode: invalid property name");
        }
        out += comma + '"' + i + '":';
        comma = ",";
        switch (typeof obj[i]) {
          case "number":
          case "boolean":
            out += obj[i];
            break;
          case "string":
            out += '"' + escape(obj[i]) + '"';
            break;
          case "object":
            out += '"' + sjcl.codec.base64.fromBits(obj[i], 0) + '"';
            break;
          default:
            throw new sjcl.exception.bug("json encode: unsupported type");
        }
      }
    }
    return out + "}";
  },
  /** Decode a simple (flat) JSON string into a structure.  The ciphertext,
   * adata, salt and iv will be base64-decoded.
   * @param {String} str The string.
   * @return {Object} The decoded structure.
   * @throws {sjcl.exception.invalid} if str isn't (simple) JSON.
   */
  decode: function(str) {
    str = str.replace(/\s/g, "");
    if (!str.match(/^\{.*\}$/)) {
      throw new sjcl.exception.invalid("json decode: this isn't json!");
    }
    var a = str.replace(/^\{|\}$/g, "").split(/,/), out = {}, i, m;
    for (i = 0; i < a.length; i++) {
      if (!(m = a[i].match(/^\s*(?:(["']?)([a-z][a-z0-9]*)\1)\s*:\s*(?:(-?\d+)|"([a-z0-9+\/%*_.@=\-]*)"|(true|false))$/i))) {
        throw new sjcl.exception.invalid("json decode: this isn't json!");
      }
      if (m[3] != null) {
        out[m[2]] = parseInt(m[3], 10);
      } else if (m[4] != null) {
        out[m[2]] = m[2].match(/^(ct|adata|salt|iv)$/) ? sjcl.codec.base64.toBits(m[4]) : unescape(m[4]);
      } else if (m[5] != null) {
        out[m[2]] = m[5] === "true";
      }
    }
    return out;
  },
  /** Insert all elements of src into target, modifying and returning target.
   * @param {Object} target The object to be modified.
   * @param {Object} src The object to pull data from.
   * @param {boolean} [requireSame=false] If true, throw an exception if any field of target differs from corresponding field of src.
   * @return {Object} target.
   * @private
   */
  _add: function(target, src, requireSame) {
    if (target === void 0) {
      target = {};
    }
    if (src === void 0) {
      return target;
    }
    var i;
    for (i in src) {
      if (src.hasOwnProperty(i)) {
        if (requireSame && target[i] !== void 0 && target[i] !== src[i]) {
          throw new sjcl.exception.invalid("required parameter overridden");
        }
        target[i] = src[i];
      }
    }
    return target;
  },
  /** Remove all elements of minus from plus.  Does not modify plus.
   * @private
   */
  _subtract: function(plus, minus) {
    var out = {}, i;
    for (i in plus) {
      if (plus.hasOwnProperty(i) && plus[i] !== minus[i]) {
        out[i] = plus[i];
      }
    }
    return out;
  },
  /** Return only the specified elements of src.
   * @private
   */
  _filter: function(src, filter) {
    var out = {}, i;
    for (i = 0; i < filter.length; i++) {
      if (src[filter[i]] !== void 0) {
        out[filter[i]] = src[filter[i]];
      }
    }
    return out;
  }
};
sjcl.encrypt = sjcl.json.encrypt;
sjcl.decrypt = sjcl.json.decrypt;
sjcl.misc._pbkdf2Cache = {};
sjcl.misc.cachedPbkdf2 = function(password, obj) {
  var cache = sjcl.misc._pbkdf2Cache, c, cp, str, salt, iter;
  obj = obj || {};
  iter = obj.iter || 1e3;
  cp = cache[password] = cache[password] || {};
  c = cp[iter] = cp[iter] || { firstSalt: obj.salt && obj.salt.length ? obj.salt.slice(0) : sjcl.random.randomWords(2, 0) };
  salt = obj.salt === void 0 ? c.firstSalt : obj.salt;
  c[salt] = c[salt] || sjcl.misc.pbkdf2(password, salt, obj.iter);
  return { key: c[salt].slice(0), salt: salt.slice(0) };
};
sjcl.bn = function(it) {
  this.initWith(it);
};
sjcl.bn.prototype = {
  radix: 24,
  maxMul: 8,
  _class: sjcl.bn,
  copy: function() {
    return new this._class(this);
  },
  /**
   * Initializes this with it, either as a bn, a number, or a hex string.
   */
  initWith: function(it) {
    var i = 0, k;
    switch (typeof it) {
      case "object":
        this.limbs = it.limbs.slice(0);
        break;
      case "number":
        this.limbs = [it];
        this.normalize();
        break;
      case "string":
        it = it.replace(/^0x/, "");
        this.limbs = [];
        k = this.radix / 4;
        for (i = 0; i < it.length; i += k) {
          this.limbs.push(parseInt(it.substring(Math.max(it.length - i - k, 0), it.length - i), 16));
        }
        break;
      default:
        this.limbs = [0];
    }
    return this;
  },
  /**
   * Returns true if "this" and "that" are equal.  Calls fullReduce().
   * Equality test is in constant time.
   */
  equals: function(that) {
    if (typeof that === "number") {
      that = new this._class(that);
    }
    var difference = 0, i;
    this.fullReduce();
    that.fullReduce();
    for (i = 0; i < this.limbs.length || i < that.limbs.length; i++) {
      difference |= this.getLimb(i) ^ that.getLimb(i);
    }
    return difference === 0;
  },
  /**
   * Get the i'th limb of this, zero if i is too large.
   */
  getLimb: function(i) {
    return i >= this.limbs.length ? 0 : this.limbs[i];
  },
  /**
   * Constant time comparison function.
   * Returns 1 if this >= that, or zero otherwise.
   */
  greaterEquals: function(that) {
    if (typeof that === "number") {
      that = new this._class(that);
    }
    var less = 0, greater = 0, i, a, b;
    i = Math.max(this.limbs.length, that.limbs.length) - 1;
    for (; i >= 0; i--) {
      a = this.getLimb(i);
      b = that.getLimb(i);
      greater |= b - a & ~less;
      less |= a - b & ~greater;
    }
    return (greater | ~less) >>> 31;
  },
  /**
   * Convert to a hex string.
   */
  toString: function() {
    this.fullReduce();
    var out = "", i, s, l = this.limbs;
    for (i = 0; i < this.limbs.length; i++) {
      s = l[i].toString(16);
      while (i < this.limbs.length - 1 && s.length < 6) {
        s = "0" + s;
      }
      out = s + out;
    }
    return "0x" + out;
  },
  /** this += that.  Does not normalize. */
  addM: function(that) {
    if (typeof that !== "object") {
      that = new this._class(that);
    }
    var i, l = this.limbs, ll = that.limbs;
    for (i = l.length; i < ll.length; i++) {
      l[i] = 0;
    }
    for (i = 0; i < ll.length; i++) {
      l[i] += ll[i];
    }
    return this;
  },
  /** this *= 2.  Requires normalized; ends up normalized. */
  doubleM: function() {
    var i, carry = 0, tmp, r = this.radix, m = this.radixMask, l = this.limbs;
    for (i = 0; i < l.length; i++) {
      tmp = l[i];
      tmp = tmp + tmp + carry;
      l[i] = tmp & m;
      carry = tmp >> r;
    }
    if (carry) {
      l.push(carry);
    }
    return this;
  },
  /** this /= 2, rounded down.  Requires normalized; ends up normalized. */
  halveM: function() {
    var i, carry = 0, tmp, r = this.radix, l = this.limbs;
    for (i = l.length - 1; i >= 0; i--) {
      tmp = l[i];
      l[i] = tmp + carry >> 1;
      carry = (tmp & 1) << r;
    }
    if (!l[l.length - 1]) {
      l.pop();
    }
    return this;
  },
  /** this -= that.  Does not normalize. */
  subM: function(that) {
    if (typeof that !== "object") {
      that = new this._class(that);
    }
    var i, l = this.limbs, ll = that.limbs;
    for (i = l.length; i < ll.length; i++) {
      l[i] = 0;
    }
    for (i = 0; i < ll.length; i++) {
      l[i] -= ll[i];
    }
    return this;
  },
  mod: function(that) {
    var neg = !this.greaterEquals(new sjcl.bn(0));
    that = new sjcl.bn(that).normalize();
    var out = new sjcl.bn(this).normalize(), ci = 0;
    if (neg)
      out = new sjcl.bn(0).subM(out).normalize();
    for (; out.greaterEquals(that); ci++) {
      that.doubleM();
    }
    if (neg)
      out = that.sub(out).normalize();
    for (; ci > 0; ci--) {
      that.halveM();
      if (out.greaterEquals(that)) {
        out.subM(that).normalize();
      }
    }
    return out.trim();
  },
  /** return inverse mod prime p.  p must be odd. Binary extended Euclidean algorithm mod p. */
  inverseMod: function(p) {
    var a = new sjcl.bn(1), b = new sjcl.bn(0), x = new sjcl.bn(this), y = new sjcl.bn(p), tmp, i, nz = 1;
    if (!(p.limbs[0] & 1)) {
      throw new sjcl.exception.invalid("inverseMod: p must be odd");
    }
    do {
      if (x.limbs[0] & 1) {
        if (!x.greaterEquals(y)) {
          tmp = x;
          x = y;
          y = tmp;
          tmp = a;
          a = b;
          b = tmp;
        }
        x.subM(y);
        x.normalize();
        if (!a.greaterEquals(b)) {
          a.addM(p);
        }
        a.subM(b);
      }
      x.halveM();
      if (a.limbs[0] & 1) {
        a.addM(p);
      }
      a.normalize();
      a.halveM();
      for (i = nz = 0; i < x.limbs.length; i++) {
        nz |= x.limbs[i];
      }
    } while (nz);
    if (!y.equals(1)) {
      throw new sjcl.exception.invalid("inverseMod: p and x must be relatively prime");
    }
    return b;
  },
  /** this + that.  Does not normalize. */
  add: function(that) {
    return this.copy().addM(that);
  },
  /** this - that.  Does not normalize. */
  sub: function(that) {
    return this.copy().subM(that);
  },
  /** this * that.  Normalizes and reduces. */
  mul: function(that) {
    if (typeof that === "number") {
      that = new this._class(that);
    } else {
      that.normalize();
    }
    this.normalize();
    var i, j, a = this.limbs, b = that.limbs, al = a.length, bl = b.length, out = new this._class(), c = out.limbs, ai, ii = this.maxMul;
    for (i = 0; i < this.limbs.length + that.limbs.length + 1; i++) {
      c[i] = 0;
    }
    for (i = 0; i < al; i++) {
      ai = a[i];
      for (j = 0; j < bl; j++) {
        c[i + j] += ai * b[j];
      }
      if (!--ii) {
        ii = this.maxMul;
        out.cnormalize();
      }
    }
    return out.cnormalize().reduce();
  },
  /** this ^ 2.  Normalizes and reduces. */
  square: function() {
    return this.mul(this);
  },
  /** this ^ n.  Uses square-and-multiply.  Normalizes and reduces. */
  power: function(l) {
    l = new sjcl.bn(l).normalize().trim().limbs;
    var i, j, out = new this._class(1), pow = this;
    for (i = 0; i < l.length; i++) {
      for (j = 0; j < this.radix; j++) {
        if (l[i] & 1 << j) {
          out = out.mul(pow);
        }
        if (i == l.length - 1 && l[i] >> j + 1 == 0) {
          break;
        }
        pow = pow.square();
      }
    }
    return out;
  },
  /** this * that mod N */
  mulmod: function(that, N) {
    return this.mod(N).mul(that.mod(N)).mod(N);
  },
  /** this ^ x mod N */
  powermod: function(x, N) {
    x = new sjcl.bn(x);
    N = new sjcl.bn(N);
    if ((N.limbs[0] & 1) == 1) {
      var montOut = this.montpowermod(x, N);
      if (montOut != false) {
        return montOut;
      }
    }
    var i, j, l = x.normalize().trim().limbs, out = new this._class(1), pow = this;
    for (i = 0; i < l.length; i++) {
      for (j = 0; j < this.radix; j++) {
        if (l[i] & 1 << j) {
          out = out.mulmod(pow, N);
        }
        if (i == l.length - 1 && l[i] >> j + 1 == 0) {
          break;
        }
        pow = pow.mulmod(pow, N);
      }
    }
    return out;
  },
  /** this ^ x mod N with Montomery reduction */
  montpowermod: function(x, N) {
    x = new sjcl.bn(x).normalize().trim();
    N = new sjcl.bn(N);
    var i, j, radix = this.radix, out = new this._class(1), pow = this.copy();
    var R, s, wind, bitsize = x.bitLength();
    R = new sjcl.bn({
      limbs: N.copy().normalize().trim().limbs.map(function() {
        return 0;
      })
    });
    for (s = this.radix; s > 0; s--) {
      if ((N.limbs[N.limbs.length - 1] >> s & 1) == 1) {
        R.limbs[R.limbs.length - 1] = 1 << s;
        break;
      }
    }
    if (bitsize == 0) {
      return this;
    } else if (bitsize < 18) {
      wind = 1;
    } else if (bitsize < 48) {
      wind = 3;
    } else if (bitsize < 144) {
      wind = 4;
    } else if (bitsize < 768) {
      wind = 5;
    } else {
      wind = 6;
    }
    var RR = R.copy(), NN = N.copy(), RP = new sjcl.bn(1), NP = new sjcl.bn(0), RT = R.copy();
    while (RT.greaterEquals(1)) {
      RT.halveM();
      if ((RP.limbs[0] & 1) == 0) {
        RP.halveM();
        NP.halveM();
      } else {
        RP.addM(NN);
        RP.halveM();
        NP.halveM();
        NP.addM(RR);
      }
    }
    RP = RP.normalize();
    NP = NP.normalize();
    RR.doubleM();
    var R2 = RR.mulmod(RR, N);
    if (!RR.mul(RP).sub(N.mul(NP)).equals(1)) {
      return false;
    }
    var montIn = function(c) {
      return montMul(c, R2);
    }, montMul = function(a, b) {
      var k, ab, right, abBar, mask = (1 << s + 1) - 1;
      ab = a.mul(b);
      right = ab.mul(NP);
      right.limbs = right.limbs.slice(0, R.limbs.length);
      if (right.limbs.length == R.limbs.length) {
        right.limbs[R.limbs.length - 1] &= mask;
      }
      right = right.mul(N);
      abBar = ab.add(right).normalize().trim();
      abBar.limbs = abBar.limbs.slice(R.limbs.length - 1);
      for (k = 0; k < abBar.limbs.length; k++) {
        if (k > 0) {
          abBar.limbs[k - 1] |= (abBar.limbs[k] & mask) << radix - s - 1;
        }
        abBar.limbs[k] = abBar.limbs[k] >> s + 1;
      }
      if (abBar.greaterEquals(N)) {
        abBar.subM(N);
      }
      return abBar;
    }, montOut = function(c) {
      return montMul(c, 1);
    };
    pow = montIn(pow);
    out = montIn(out);
    var h2, precomp = {}, cap = (1 << wind - 1) - 1;
    precomp[1] = pow.copy();
    precomp[2] = montMul(pow, pow);
    for (h2 = 1; h2 <= cap; h2++) {
      precomp[2 * h2 + 1] = montMul(precomp[2 * h2 - 1], precomp[2]);
    }
    var getBit = function(exp, i2) {
      var off = i2 % exp.radix;
      return (exp.limbs[Math.floor(i2 / exp.radix)] & 1 << off) >> off;
    };
    for (i = x.bitLength() - 1; i >= 0; ) {
      if (getBit(x, i) == 0) {
        out = montMul(out, out);
        i = i - 1;
      } else {
        var l = i - wind + 1;
        while (getBit(x, l) == 0) {
          l++;
        }
        var indx = 0;
        for (j = l; j <= i; j++) {
          indx += getBit(x, j) << j - l;
          out = montMul(out, out);
        }
        out = montMul(out, precomp[indx]);
        i = l - 1;
      }
    }
    return montOut(out);
  },
  trim: function() {
    var l = this.limbs, p;
    do {
      p = l.pop();
    } while (l.length && p === 0);
    l.push(p);
    return this;
  },
  /** Reduce mod a modulus.  Stubbed for subclassing. */
  reduce: function() {
    return this;
  },
  /** Reduce and normalize. */
  fullReduce: function() {
    return this.normalize();
  },
  /** Propagate carries. */
  normalize: function() {
    var carry = 0, i, pv = this.placeVal, ipv = this.ipv, l, m, limbs = this.limbs, ll = limbs.length, mask = this.radixMask;
    for (i = 0; i < ll || carry !== 0 && carry !== -1; i++) {
      l = (limbs[i] || 0) + carry;
      m = limbs[i] = l & mask;
      carry = (l - m) * ipv;
    }
    if (carry === -1) {
      limbs[i - 1] -= pv;
    }
    this.trim();
    return this;
  },
  /** Constant-time normalize. Does not allocate additional space. */
  cnormalize: function() {
    var carry = 0, i, ipv = this.ipv, l, m, limbs = this.limbs, ll = limbs.length, mask = this.radixMask;
    for (i = 0; i < ll - 1; i++) {
      l = limbs[i] + carry;
      m = limbs[i] = l & mask;
      carry = (l - m) * ipv;
    }
    limbs[i] += carry;
    return this;
  },
  /** Serialize to a bit array */
  toBits: function(len) {
    this.fullReduce();
    len = len || this.exponent || this.bitLength();
    var i = Math.floor((len - 1) / 24), w = sjcl.bitArray, e = (len + 7 & -8) % this.radix || this.radix, out = [w.partial(e, this.getLimb(i))];
    for (i--; i >= 0; i--) {
      out = w.concat(out, [w.partial(Math.min(this.radix, len), this.getLimb(i))]);
      len -= this.radix;
    }
    return out;
  },
  /** Return the length in bits, rounded up to the nearest byte. */
  bitLength: function() {
    this.fullReduce();
    var out = this.radix * (this.limbs.length - 1), b = this.limbs[this.limbs.length - 1];
    for (; b; b >>>= 1) {
      out++;
    }
    return out + 7 & -8;
  }
};
sjcl.bn.fromBits = function(bits) {
  var Class = this, out = new Class(), words = [], w = sjcl.bitArray, t = this.prototype, l = Math.min(this.bitLength || 4294967296, w.bitLength(bits)), e = l % t.radix || t.radix;
  words[0] = w.extract(bits, 0, e);
  for (; e < l; e += t.radix) {
    words.unshift(w.extract(bits, e, t.radix));
  }
  out.limbs = words;
  return out;
};
sjcl.bn.prototype.ipv = 1 / (sjcl.bn.prototype.placeVal = Math.pow(2, sjcl.bn.prototype.radix));
sjcl.bn.prototype.radixMask = (1 << sjcl.bn.prototype.radix) - 1;
sjcl.bn.pseudoMersennePrime = function(exponent, coeff) {
  function p(it) {
    this.initWith(it);
  }
  var ppr = p.prototype = new sjcl.bn(), i, tmp, mo;
  mo = ppr.modOffset = Math.ceil(tmp = exponent / ppr.radix);
  ppr.exponent = exponent;
  ppr.offset = [];
  ppr.factor = [];
  ppr.minOffset = mo;
  ppr.fullMask = 0;
  ppr.fullOffset = [];
  ppr.fullFactor = [];
  ppr.modulus = p.modulus = new sjcl.bn(Math.pow(2, exponent));
  ppr.fullMask = 0 | -Math.pow(2, exponent % ppr.radix);
  for (i = 0; i < coeff.length; i++) {
    ppr.offset[i] = Math.floor(coeff[i][0] / ppr.radix - tmp);
    ppr.fullOffset[i] = Math.floor(coeff[i][0] / ppr.radix) - mo + 1;
    ppr.factor[i] = coeff[i][1] * Math.pow(1 / 2, exponent - coeff[i][0] + ppr.offset[i] * ppr.radix);
    ppr.fullFactor[i] = coeff[i][1] * Math.pow(1 / 2, exponent - coeff[i][0] + ppr.fullOffset[i] * ppr.radix);
    ppr.modulus.addM(new sjcl.bn(Math.pow(2, coeff[i][0]) * coeff[i][1]));
    ppr.minOffset = Math.min(ppr.minOffset, -ppr.offset[i]);
  }
  ppr._class = p;
  ppr.modulus.cnormalize();
  ppr.reduce = function() {
    var i2, k, l, mo2 = this.modOffset, limbs = this.limbs, off = this.offset, ol = this.offset.length, fac = this.factor, ll;
    i2 = this.minOffset;
    while (limbs.length > mo2) {
      l = limbs.pop();
      ll = limbs.length;
      for (k = 0; k < ol; k++) {
        limbs[ll + off[k]] -= fac[k] * l;
      }
      i2--;
      if (!i2) {
        limbs.push(0);
        this.cnormalize();
        i2 = this.minOffset;
      }
    }
    this.cnormalize();
    return this;
  };
  ppr._strongReduce = ppr.fullMask === -1 ? ppr.reduce : function() {
    var limbs = this.limbs, i2 = limbs.length - 1, k, l;
    this.reduce();
    if (i2 === this.modOffset - 1) {
      l = limbs[i2] & this.fullMask;
      limbs[i2] -= l;
      for (k = 0; k < this.fullOffset.length; k++) {
        limbs[i2 + this.fullOffset[k]] -= this.fullFactor[k] * l;
      }
      this.normalize();
    }
  };
  ppr.fullReduce = function() {
    var greater, i2;
    this._strongReduce();
    this.addM(this.modulus);
    this.addM(this.modulus);
    this.normalize();
    this._strongReduce();
    for (i2 = this.limbs.length; i2 < this.modOffset; i2++) {
      this.limbs[i2] = 0;
    }
    greater = this.greaterEquals(this.modulus);
    for (i2 = 0; i2 < this.limbs.length; i2++) {
      this.limbs[i2] -= this.modulus.limbs[i2] * greater;
    }
    this.cnormalize();
    return this;
  };
  ppr.inverse = function() {
    return this.power(this.modulus.sub(2));
  };
  p.fromBits = sjcl.bn.fromBits;
  return p;
};
var sbp = sjcl.bn.pseudoMersennePrime;
sjcl.bn.prime = {
  p127: sbp(127, [[0, -1]]),
  // Bernstein's prime for Curve25519
  p25519: sbp(255, [[0, -19]]),
  // Koblitz primes
  p192k: sbp(192, [[32, -1], [12, -1], [8, -1], [7, -1], [6, -1], [3, -1], [0, -1]]),
  p224k: sbp(224, [[32, -1], [12, -1], [11, -1], [9, -1], [7, -1], [4, -1], [1, -1], [0, -1]]),
  p256k: sbp(256, [[32, -1], [9, -1], [8, -1], [7, -1], [6, -1], [4, -1], [0, -1]]),
  // NIST primes
  p192: sbp(192, [[0, -1], [64, -1]]),
  p224: sbp(224, [[0, 1], [96, -1]]),
  p256: sbp(256, [[0, -1], [96, 1], [192, 1], [224, -1]]),
  p384: sbp(384, [[0, -1], [32, 1], [96, -1], [128, -1]]),
  p521: sbp(521, [[0, -1]])
};
sjcl.bn.random = function(modulus, paranoia) {
  if (typeof modulus !== "object") {
    modulus = new sjcl.bn(modulus);
  }
  var words, i, l = modulus.limbs.length, m = modulus.limbs[l - 1] + 1, out = new sjcl.bn();
  while (true) {
    do {
      words = sjcl.random.randomWords(l, paranoia);
      if (words[l - 1] < 0) {
        words[l - 1] += 4294967296;
      }
    } while (Math.floor(words[l - 1] / m) === Math.floor(4294967296 / m));
    words[l - 1] %= m;
    for (i = 0; i < l - 1; i++) {
      words[i] &= modulus.radixMask;
    }
    out.limbs = words;
    if (!out.greaterEquals(modulus)) {
      return out;
    }
  }
};
if (typeof ArrayBuffer === "undefined") {
  (function(globals) {
    "use strict";
    globals.ArrayBuffer = function() {
    };
    globals.DataView = function() {
    };
  })(void 0);
}
sjcl.codec.arrayBuffer = {
  /** Convert from a bitArray to an ArrayBuffer.
   * Will default to 8byte padding if padding is undefined*/
  fromBits: function(arr, padding, padding_count) {
    var out, i, ol, tmp, smallest;
    padding = padding == void 0 ? true : padding;
    padding_count = padding_count || 8;
    if (arr.length === 0) {
      return new ArrayBuffer(0);
    }
    ol = sjcl.bitArray.bitLength(arr) / 8;
    if (sjcl.bitArray.bitLength(arr) % 8 !== 0) {
      throw new sjcl.exception.invalid("Invalid bit size, must be divisble by 8 to fit in an arraybuffer correctly");
    }
    if (padding && ol % padding_count !== 0) {
      ol += padding_count - ol % padding_count;
    }
    tmp = new DataView(new ArrayBuffer(arr.length * 4));
    for (i = 0; i < arr.length; i++) {
      tmp.setUint32(i * 4, arr[i] << 32);
    }
    out = new DataView(new ArrayBuffer(ol));
    if (out.byteLength === tmp.byteLength) {
      return tmp.buffer;
    }
    smallest = tmp.byteLength < out.byteLength ? tmp.byteLength : out.byteLength;
    for (i = 0; i < smallest; i++) {
      out.setUint8(i, tmp.getUint8(i));
    }
    return out.buffer;
  },
  /** Convert from an ArrayBuffer to a bitArray. */
  toBits: function(buffer) {
    var i, out = [], len, inView, tmp;
    if (buffer.byteLength === 0) {
      return [];
    }
    inView = new DataView(buffer);
    len = inView.byteLength - inView.byteLength % 4;
    for (var i = 0; i < len; i += 4) {
      out.push(inView.getUint32(i));
    }
    if (inView.byteLength % 4 != 0) {
      tmp = new DataView(new ArrayBuffer(4));
      for (var i = 0, l = inView.byteLength % 4; i < l; i++) {
        tmp.setUint8(i + 4 - l, inView.getUint8(len + i));
      }
      out.push(sjcl.bitArray.partial(inView.byteLength % 4 * 8, tmp.getUint32(0)));
    }
    return out;
  },
  /** Prints a hex output of the buffer contents, akin to hexdump **/
  hexDumpBuffer: function(buffer) {
    var stringBufferView = new DataView(buffer);
    var string = "";
    var pad = function(n, width) {
      n = n + "";
      return n.length >= width ? n : new Array(width - n.length + 1).join("0") + n;
    };
    for (var i = 0; i < stringBufferView.byteLength; i += 2) {
      if (i % 16 == 0)
        string += "\n" + i.toString(16) + "	";
      string += pad(stringBufferView.getUint16(i).toString(16), 4) + " ";
    }
    if (typeof console === void 0) {
      console = console || { log: function() {
      } };
    }
    console.log(string.toUpperCase());
  }
};
if (typeof module !== "undefined" && module.exports) {
  module = { exports: sjcl };
}
if (typeof define === "function") {
  define([], function() {
    return sjcl;
  });
}
var sjcl_default = sjcl;

// node_modules/@cloudflare/blindrsa-ts/lib/src/util.js
function assertNever(name, x) {
  throw new Error(`unexpected ${name} identifier: ${x}`);
}
function getHashParams(hash) {
  switch (hash) {
    case "SHA-1":
      return { name: hash, hLen: 20 };
    case "SHA-256":
      return { name: hash, hLen: 32 };
    case "SHA-384":
      return { name: hash, hLen: 48 };
    case "SHA-512":
      return { name: hash, hLen: 64 };
    default:
      assertNever("Hash", hash);
  }
}
function os2ip(bytes) {
  return sjcl_default.bn.fromBits(sjcl_default.codec.bytes.toBits(Array.from(bytes)));
}
function i2osp(num, byteLength) {
  if (Math.ceil(num.bitLength() / 8) > byteLength) {
    throw new Error(`number does not fit in ${byteLength} bytes`);
  }
  const bytes = new Uint8Array(byteLength);
  const unpadded = new Uint8Array(sjcl_default.codec.bytes.fromBits(num.toBits(void 0)));
  bytes.set(unpadded, byteLength - unpadded.length);
  return bytes;
}
function joinAll(a) {
  let size = 0;
  for (const ai of a) {
    size += ai.length;
  }
  const ret = new Uint8Array(new ArrayBuffer(size));
  let offset = 0;
  for (const ai of a) {
    ret.set(ai, offset);
    offset += ai.length;
  }
  return ret;
}
function xor(a, b) {
  if (a.length !== b.length || a.length === 0) {
    throw new Error(`arrays of different length: ${a.length} - ${b.length}`);
  }
  const ai = a[Symbol.iterator]();
  const bi = b[Symbol.iterator]();
  return new Uint8Array(a.length).map(() => ai.next().value ^ bi.next().value);
}
function incCounter(c) {
  c[3]++;
  if (c[3] != 0) {
    return;
  }
  c[2]++;
  if (c[2] != 0) {
    return;
  }
  c[1]++;
  if (c[1] != 0) {
    return;
  }
  c[0]++;
  return;
}
async function mgf1(h2, seed, mLen) {
  const n = Math.ceil(mLen / h2.hLen);
  if (n > Math.pow(2, 32)) {
    throw new Error("mask too long");
  }
  let T = new Uint8Array();
  const counter = new Uint8Array(4);
  for (let i = 0; i < n; i++) {
    const hash = new Uint8Array(await crypto.subtle.digest(h2.name, joinAll([seed, counter])));
    T = joinAll([T, hash]);
    incCounter(counter);
  }
  return T.subarray(0, mLen);
}
async function emsa_pss_encode(msg, emBits, opts, mgf = mgf1) {
  const { hash, sLen } = opts;
  const hashParams = getHashParams(hash);
  const { hLen } = hashParams;
  const emLen = Math.ceil(emBits / 8);
  const mHash = new Uint8Array(await crypto.subtle.digest(hash, msg));
  if (emLen < hLen + sLen + 2) {
    throw new Error("encoding error");
  }
  const salt = crypto.getRandomValues(new Uint8Array(sLen));
  const mPrime = joinAll([new Uint8Array(8), mHash, salt]);
  const h2 = new Uint8Array(await crypto.subtle.digest(hash, mPrime));
  const ps = new Uint8Array(emLen - sLen - hLen - 2);
  const db = joinAll([ps, Uint8Array.of(1), salt]);
  const dbMask = await mgf(hashParams, h2, emLen - hLen - 1);
  const maskedDB = xor(db, dbMask);
  maskedDB[0] &= 255 >> 8 * emLen - emBits;
  const em = joinAll([maskedDB, h2, Uint8Array.of(188)]);
  return em;
}
function rsavp1(pkS, s) {
  if (!s.greaterEquals(new sjcl_default.bn(0)) || s.greaterEquals(pkS.n)) {
    throw new Error("signature representative out of range");
  }
  const m = s.powermod(pkS.e, pkS.n);
  return m;
}
function rsasp1(skS, m) {
  if (!m.greaterEquals(new sjcl_default.bn(0)) || m.greaterEquals(skS.n)) {
    throw new Error("signature representative out of range");
  }
  const s = m.powermod(skS.d, skS.n);
  return s;
}
function is_coprime(x, n) {
  try {
    x.inverseMod(n);
  } catch {
    return false;
  }
  return true;
}
function random_integer_uniform(n, kLen) {
  const MAX_NUM_TRIES = 128;
  for (let i = 0; i < MAX_NUM_TRIES; i++) {
    const r = os2ip(crypto.getRandomValues(new Uint8Array(kLen)));
    if (!(r.greaterEquals(n) || r.equals(0))) {
      return r;
    }
  }
  throw new Error("reached maximum tries for random integer generation");
}
var NATIVE_SUPPORT_NAME = "RSA-RAW";
async function rsaRawBlingSign(privateKey, blindMsg) {
  if (privateKey.algorithm.name !== NATIVE_SUPPORT_NAME) {
    privateKey = await crypto.subtle.importKey("pkcs8", await crypto.subtle.exportKey("pkcs8", privateKey), { ...privateKey.algorithm, name: NATIVE_SUPPORT_NAME }, privateKey.extractable, privateKey.usages);
  }
  const signature = await crypto.subtle.sign({ name: privateKey.algorithm.name }, privateKey, blindMsg);
  return new Uint8Array(signature);
}

// node_modules/@cloudflare/blindrsa-ts/lib/src/blindrsa.js
var PrepareType;
(function(PrepareType2) {
  PrepareType2[PrepareType2["Deterministic"] = 0] = "Deterministic";
  PrepareType2[PrepareType2["Randomized"] = 32] = "Randomized";
})(PrepareType || (PrepareType = {}));
var BlindRSA = class _BlindRSA {
  params;
  static NAME = "RSA-PSS";
  constructor(params) {
    this.params = params;
    switch (params.prepareType) {
      case PrepareType.Deterministic:
      case PrepareType.Randomized:
        return;
      default:
        assertNever("PrepareType", params.prepareType);
    }
  }
  toString() {
    const hash = this.params.hash.replace("-", "");
    const pssType = "PSS" + (this.params.saltLength === 0 ? "ZERO" : "");
    const prepare = PrepareType[this.params.prepareType];
    return `RSABSSA-${hash}-${pssType}-${prepare}`;
  }
  prepare(msg) {
    const msg_prefix_len = this.params.prepareType;
    const msg_prefix = crypto.getRandomValues(new Uint8Array(msg_prefix_len));
    return joinAll([msg_prefix, msg]);
  }
  // Returns the parameters of the input key: the JSONWebKey data, the length
  // in bits and in bytes of the modulus, and the hash function used.
  async extractKeyParams(key, type) {
    if (key.type !== type || key.algorithm.name !== _BlindRSA.NAME) {
      throw new Error(`key is not ${_BlindRSA.NAME}`);
    }
    if (!key.extractable) {
      throw new Error("key is not extractable");
    }
    const { modulusLength: modulusLengthBits, hash: hashFn } = key.algorithm;
    const modulusLengthBytes = Math.ceil(modulusLengthBits / 8);
    const hash = hashFn.name;
    if (hash.toLowerCase() !== this.params.hash.toLowerCase()) {
      throw new Error(`hash is not ${this.params.hash}`);
    }
    const jwkKey = await crypto.subtle.exportKey("jwk", key);
    return { jwkKey, modulusLengthBits, modulusLengthBytes, hash };
  }
  async blind(publicKey, msg) {
    const { jwkKey, modulusLengthBits: modulusLength, modulusLengthBytes: kLen, hash } = await this.extractKeyParams(publicKey, "public");
    if (!jwkKey.n || !jwkKey.e) {
      throw new Error("key has invalid parameters");
    }
    const n = sjcl_default.bn.fromBits(sjcl_default.codec.base64url.toBits(jwkKey.n));
    const e = sjcl_default.bn.fromBits(sjcl_default.codec.base64url.toBits(jwkKey.e));
    const pk = { e, n };
    const opts = { sLen: this.params.saltLength, hash };
    const encoded_msg = await emsa_pss_encode(msg, modulusLength - 1, opts);
    const m = os2ip(encoded_msg);
    const c = is_coprime(m, n);
    if (!c) {
      throw new Error("invalid input");
    }
    const r = random_integer_uniform(n, kLen);
    let inv;
    try {
      inv = i2osp(r.inverseMod(n), kLen);
    } catch (e2) {
      throw new Error(`blinding error: ${e2.toString()}`);
    }
    const x = rsavp1(pk, r);
    const z = m.mulmod(x, n);
    const blindedMsg = i2osp(z, kLen);
    return { blindedMsg, inv };
  }
  async blindSign(privateKey, blindMsg) {
    if (this.params.supportsRSARAW) {
      return rsaRawBlingSign(privateKey, blindMsg);
    }
    const { jwkKey, modulusLengthBytes: kLen } = await this.extractKeyParams(privateKey, "private");
    if (!jwkKey.n || !jwkKey.d || !jwkKey.e) {
      throw new Error("key has invalid parameters");
    }
    const n = sjcl_default.bn.fromBits(sjcl_default.codec.base64url.toBits(jwkKey.n));
    const d = sjcl_default.bn.fromBits(sjcl_default.codec.base64url.toBits(jwkKey.d));
    const e = sjcl_default.bn.fromBits(sjcl_default.codec.base64url.toBits(jwkKey.e));
    const sk = { n, d };
    const pk = { n, e };
    const m = os2ip(blindMsg);
    const s = rsasp1(sk, m);
    const mp = rsavp1(pk, s);
    if (!m.equals(mp)) {
      throw new Error("signing failure");
    }
    return i2osp(s, kLen);
  }
  async finalize(publicKey, msg, blindSig, inv) {
    const { jwkKey, modulusLengthBytes: kLen } = await this.extractKeyParams(publicKey, "public");
    if (!jwkKey.n) {
      throw new Error("key has invalid parameters");
    }
    const n = sjcl_default.bn.fromBits(sjcl_default.codec.base64url.toBits(jwkKey.n));
    if (inv.length != kLen) {
      throw new Error("unexpected input size");
    }
    const rInv = os2ip(inv);
    if (blindSig.length != kLen) {
      throw new Error("unexpected input size");
    }
    const z = os2ip(blindSig);
    const s = z.mulmod(rInv, n);
    const sig = i2osp(s, kLen);
    const algorithm = { name: _BlindRSA.NAME, saltLength: this.params.saltLength };
    if (!await crypto.subtle.verify(algorithm, publicKey, sig, msg)) {
      throw new Error("invalid signature");
    }
    return sig;
  }
  static generateKey(algorithm) {
    return crypto.subtle.generateKey({ ...algorithm, name: _BlindRSA.NAME }, true, [
      "sign",
      "verify"
    ]);
  }
  generateKey(algorithm) {
    return _BlindRSA.generateKey({ ...algorithm, hash: this.params.hash });
  }
  verify(publicKey, signature, message) {
    return crypto.subtle.verify({ name: _BlindRSA.NAME, saltLength: this.params.saltLength }, publicKey, signature, message);
  }
};

// node_modules/@cloudflare/blindrsa-ts/lib/src/index.js
var Params = {
  RSABSSA_SHA384_PSS_Randomized: {
    name: "RSABSSA-SHA384-PSS-Randomized",
    hash: "SHA-384",
    saltLength: 48,
    prepareType: PrepareType.Randomized
  },
  RSABSSA_SHA384_PSS_Deterministic: {
    name: "RSABSSA-SHA384-PSS-Deterministic",
    hash: "SHA-384",
    saltLength: 48,
    prepareType: PrepareType.Deterministic
  },
  RSABSSA_SHA384_PSSZERO_Randomized: {
    name: "RSABSSA-SHA384-PSSZERO-Randomized",
    hash: "SHA-384",
    saltLength: 0,
    prepareType: PrepareType.Randomized
  },
  RSABSSA_SHA384_PSSZERO_Deterministic: {
    name: "RSABSSA-SHA384-PSSZERO-Deterministic",
    hash: "SHA-384",
    saltLength: 0,
    prepareType: PrepareType.Deterministic
  },
  RSAPBSSA_SHA384_PSS_Randomized: {
    name: "RSAPBSSA-SHA384-PSS-Randomized",
    hash: "SHA-384",
    saltLength: 48,
    prepareType: PrepareType.Randomized
  },
  RSAPBSSA_SHA384_PSS_Deterministic: {
    name: "RSAPBSSA-SHA384-PSS-Deterministic",
    hash: "SHA-384",
    saltLength: 48,
    prepareType: PrepareType.Deterministic
  },
  RSAPBSSA_SHA384_PSSZERO_Randomized: {
    name: "RSAPBSSA-SHA384-PSSZERO-Randomized",
    hash: "SHA-384",
    saltLength: 0,
    prepareType: PrepareType.Randomized
  },
  RSAPBSSA_SHA384_PSSZERO_Deterministic: {
    name: "RSAPBSSA-SHA384-PSSZERO-Deterministic",
    hash: "SHA-384",
    saltLength: 0,
    prepareType: PrepareType.Deterministic
  }
};
var RSABSSA = {
  SHA384: {
    generateKey: (algorithm) => BlindRSA.generateKey({ ...algorithm, hash: "SHA-384" }),
    PSS: {
      Randomized: (params = { supportsRSARAW: false }) => new BlindRSA({ ...Params.RSABSSA_SHA384_PSS_Randomized, ...params }),
      Deterministic: (params = { supportsRSARAW: false }) => new BlindRSA({ ...Params.RSABSSA_SHA384_PSS_Deterministic, ...params })
    },
    PSSZero: {
      Randomized: (params = { supportsRSARAW: false }) => new BlindRSA({ ...Params.RSABSSA_SHA384_PSSZERO_Randomized, ...params }),
      Deterministic: (params = { supportsRSARAW: false }) => new BlindRSA({ ...Params.RSABSSA_SHA384_PSSZERO_Deterministic, ...params })
    }
  }
};

// src/token.ts
var MODULUS_BYTES = 384;
var MESSAGE_BYTES = 16;
function readInvitation(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const [code, print2] = [parts.get("i"), parts.get("k")];
  const whole = code && print2 && /^[a-z2-7]{26}$/.test(code) && /^[0-9a-f]{64}$/.test(print2);
  return whole ? { code, print: print2 } : null;
}
async function isNamedBy({ print: print2 }, { key, asked: asked2 }) {
  const modulus = fromBase64(key?.n ?? "");
  if (modulus.length !== MODULUS_BYTES || key?.e !== "AQAB") return false;
  return await sha256(new Uint8Array([...modulus, ...new TextEncoder().encode(asked2)])) === print2;
}
function keptToken({ code }, key, keeper, ask) {
  return keeper.alone("token", async () => {
    const kept = keeper.get("token");
    if (kept) return kept;
    const suite = RSABSSA.SHA384.PSS.Randomized();
    const algorithm = { name: "RSA-PSS", hash: "SHA-384" };
    const jwk = { ...key, ext: true };
    const publicKey = await crypto.subtle.importKey("jwk", jwk, algorithm, true, ["verify"]);
    let blinding = keeper.get("blinding");
    if (!blinding) {
      const message = crypto.getRandomValues(new Uint8Array(MESSAGE_BYTES));
      const prepared2 = suite.prepare(message);
      const { blindedMsg, inv } = await suite.blind(publicKey, prepared2);
      blinding = {
        prepared: toBase64(prepared2),
        inverse: toBase64(inv),
        blinded: toBase64(blindedMsg)
      };
      keeper.set("blinding", blinding);
    }
    const { blinded } = blinding;
    const answer = await ask(JSON.stringify({ invitation: code, blinded }));
    const [prepared, inverse] = [fromBase64(blinding.prepared), fromBase64(blinding.inverse)];
    const signed = fromBase64(answer.signature);
    const signature = await suite.finalize(publicKey, prepared, signed, inverse);
    const token = toBase64(new Uint8Array([...prepared, ...signature]));
    keeper.set("token", token);
    keeper.remove("blinding");
    return token;
  });
}
var toBase64 = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
var fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

// src/flow.ts
async function start(root2) {
  const fragment = location.hash;
  const preview = fragment === "#preview";
  const early = new Page(root2, null, navigator.language, preview);
  if (!globalThis.crypto?.subtle) return early.end(notice("insecure"));
  let survey;
  try {
    const offline = () => early.end(notice("offline"));
    survey = await surveyOf(await persistently(() => get("api/survey"), offline));
    read(survey.design);
    for (const group of groupsOf(survey)) shownOf(survey, group);
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
  byHand,
  channelNames,
  disguise,
  encode,
  keeperFor,
  keptCoins,
  lawOf,
  practiceSurvey,
  read,
  readReceipt,
  receiptId,
  rowsOf,
  textsFor,
  throwCoins,
  toss,
  writeReceipt
};
