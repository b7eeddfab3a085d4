/** Was die Seite selbst sagt, auf Deutsch. */

import type { Texts } from "./en.ts";

const personen = (count: number) => (count === 1 ? "1 Person" : `${count} Personen`);
const senden = (count: number) => (count === 1 ? "1 sendet" : `${count} senden`);

export const de: Texts = {
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
    disguisedAnswer: "Ihre eigene Antwort, wo sie verschleiert ist?",
    learns: "Was sie erfahren können",
    never: "Nie mit Sicherheit",
    neverBut: (values) =>
      `Nie mit Sicherheit, außer ${values.map((value) => `„${value}“`).join(", ")}`,
    share: "Den Anteil in der Gruppe",
    rows: [
      "Die Forschenden",
      "Wer den Server betreibt",
      "Wer den Server hackt und alles stiehlt",
      "Ein Gericht, das die Herausgabe anordnet",
    ],
    because:
      "Ihre Antworten werden auf diesem Gerät verschleiert, bevor etwas gesendet wird. Bei einer " +
      "einzelnen Person kann das niemand rückgängig machen, denn niemand sonst erfährt, " +
      "was der Schleier verändert hat.",
    guess: ({ before, after }) =>
      "Aus dem, was Sie senden, lässt sich Ihre Antwort nur erraten. Wären alle Antworten gleich häufig, so läge man " +
      `bei etwa ${after} von 100 Personen richtig, und ohne das Gesendete bei etwa ${before}.`,
    public: "Fragen mit dem Zeichen „wie gesagt“ werden ohne Schleier gesendet.",
    notDirect: (some, of) =>
      `${some} von ${personen(of)} ${some === 1 ? "wird" : "werden"} zum Vergleich direkt gefragt. Sie gehören nicht dazu.`,
    agree: "Einverstanden, los geht’s",
    stop: "Die Teilnahme ist freiwillig. Sie können jederzeit aufhören, indem Sie diese Seite schließen; vor dem letzten Schritt wird nichts gesendet.",
  },

  plain: {
    title: "Bevor Sie sich entscheiden",
    lead: "In dieser Umfrage werden die Antworten so gesendet, wie sie sind.",
    body: "Sie werden ohne Ihren Namen gesendet, aber so, wie Sie sie geben.",
  },

  oneBit: {
    title: "Bevor Sie sich entscheiden",
    lead: "Ihre Antworten bleiben auf diesem Gerät. Gesendet wird ein Ja oder Nein.",
    body:
      "Dieses Gerät vergleicht Ihre Antworten mit einer Vermutung, die es vorher für alle Kombinationen von Antworten " +
      "gab, und sendet, ob sie stimmt. Es sendet keine Antwort und keinen Namen. Sie sehen das Ja oder Nein, bevor es " +
      "gesendet wird.",
  },

  direct: {
    title: "Bevor Sie sich entscheiden",
    lead: "In Ihrem Fall werden die Antworten so gesendet, wie sie sind.",
    body: (some, of) =>
      `${some} von ${personen(of)}, ausgelost, ${some === 1 ? "antwortet" : "antworten"} ohne Schleier, damit sich beide Arten zu fragen ` +
      "vergleichen lassen. Das Los fiel auf Sie. Ihre Antworten werden ohne Ihren Namen gesendet, aber so, wie Sie sie geben: " +
      "Die Forschenden und wer die Daten hat können sie lesen.",
    stop: "Sie können jetzt oder jederzeit vor dem letzten Schritt aufhören, indem Sie diese Seite schließen. Dann wird nichts gesendet, und niemand nimmt es übel.",
    agree: "Einverstanden, ich antworte offen",
  },

  how: {
    title: "Wie Ihre Antworten verschleiert werden",
    asIs: (count) => `${senden(count)} die wirklichen Antworten`,
    oneAsIs: (count) => `${senden(count)} die wirkliche Antwort`,
    others: {
      opposite: (count) => `${senden(count)} das Gegenteil`,
      another: (count) => `${senden(count)} eine andere, ausgeloste Antwort`,
      personal: (count) => `${senden(count)} die Antwort auf eine harmlose zweite Frage`,
      drawn: (count) => `${senden(count)} eine ausgeloste Antwort`,
    },
    says: (count, value) => `${senden(count)} „${value}“`,
    saysAnyway: (count, value) => `${senden(count)} „${value}“, was auch immer die Antwort ist`,
    of: (count, exact) => `Von ${exact ? "" : "etwa "}${personen(count)} wie Ihnen:`,
    ofThose: (count, exact, value) =>
      `Von ${exact ? "" : "etwa "}${personen(count)}, deren Antwort „${value}“ ist:`,
    sentences:
      "Eine Münze entscheidet, zu welchen Sie gehören, und niemand sonst sieht je, wie sie fällt. " +
      "Über viele Menschen gleichen sich die Münzen aus; so können die Forschenden den Anteil in der " +
      "Gruppe berechnen, aber nicht Ihre Antwort.",
    together: "Eine einzige Münze entscheidet für alle diese Fragen zusammen.",
    apart: "Jede dieser Fragen hat ihre eigene Münze.",
    readerTitle: "Was könnte jemand aus meiner Meldung schließen?",
    reader: (question, value, having, sent, theirs) =>
      `Nehmen wir „${question}“ und an, ${having} von 100 Personen würden wirklich „${value}“ antworten. ` +
      `Dann senden etwa ${sent} von 100 ein „${value}“, und nur bei etwa ${theirs} von diesen ${sent} ist es die ` +
      `wirkliche Antwort.`,
    allThatIsRead: (value) => `Mehr kann niemand aus einem gesendeten „${value}“ lesen.`,
    admission: (value) => `Ein gesendetes „${value}“ ist kein Geständnis.`,
    admissionWhy: "Es kann Ihre Antwort sein oder der Schleier. Niemand kann das unterscheiden.",
    choose: "Welche Münze soll entscheiden?",
    page: "Die Münze dieser Seite",
    pageHelp:
      "Schnell. Die Seite wirft sie einmal, auf diesem Gerät, und behält es für sich. Browser löschen langsam: Wenn " +
      "jemand dieses Gerät durchsuchen könnte, nehmen Sie Ihre eigene Münze.",
    own: "Meine eigene Münze oder mein Würfel",
    ownHelp:
      "Sie werfen für sich; die Seite sagt, was jedes Ergebnis bedeutet, und fragt nie danach.",
    noStorage:
      "Dieser Browser behält zwischen zwei Besuchen nichts (vielleicht ein privates Fenster), daher " +
      "könnte die Münze der Seite nicht dieselbe bleiben. Bitte nehmen Sie Ihre eigene Münze, oder öffnen Sie den Link in einem normalen Fenster.",
    chooseFirst: "Bitte wählen Sie eine Münze.",
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
    onlyClicked:
      "Was Sie anklicken, würde gesendet. Nur Sie wissen, wie Ihre Münze fiel und ob das Ihre Antwort ist.",
    first: "Bitte erst antworten, dann werfen.",
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
        why: "Es kann die wirkliche Antwort sein oder der Schleier; niemand kann das unterscheiden.",
      },
      {
        text: "Wie erfahren die Forschenden trotzdem etwas?",
        options: [
          "Sie lüften bei jeder Person den Schleier",
          "Sie wissen, wie oft Antworten verschleiert werden, und berechnen den Anteil in der Gruppe",
          "Sie fragen einige nach ihrem Namen",
        ],
        right: 1,
        why: "Über viele Menschen gleicht sich der Schleier aus; bei einer Person lässt er sich nicht lüften.",
      },
    ],
  },

  questions: {
    title: (number, of) =>
      of === 1 ? "Ihre Antworten" : `Ihre Antworten, Teil ${number} von ${of}`,
    public: "wie gesagt",
    stays: "bleibt auf diesem Gerät",
    disguised: "verschleiert",
    direct: "wie gesagt gesendet",
    pageCoin:
      "Antworten Sie, wie es wirklich ist. Die Münze der Seite verschleiert Ihre Antworten, bevor sie gesendet werden.",
    both: "Bitte beantworten Sie A und B. Die Münze wählt, welche der beiden Antworten gesendet wird; die andere verlässt Ihr Gerät nie.",
    several: "Kreuzen Sie alles Zutreffende an.",
    none: "Nichts davon",
    missing: (count) =>
      count === 1
        ? "Eine Frage braucht noch eine Antwort."
        : `${count} Fragen brauchen noch eine Antwort.`,
    needed: "Bitte beantworten Sie diese Frage.",
    all: "Alle Fragen brauchen eine Antwort.",
  },

  own: {
    title: "Werfen Sie für sich, dann klicken Sie",
    tools: {
      coin: "Werfen Sie eine Münze.",
      die: "Würfeln Sie.",
      digit:
        "Starten Sie eine Stoppuhr, etwa die Ihres Telefons, und halten Sie sie blind an. Es zählt ihre letzte Ziffer.",
      dice: "Werfen Sie zwei Würfel und zählen Sie die Augen zusammen.",
      digits:
        "Starten Sie eine Stoppuhr, etwa die Ihres Telefons, und halten Sie sie blind an. Es zählen ihre letzten zwei Ziffern.",
    },
    heads: "Kopf",
    tails: "Zahl",
    outcome: "Zeigt sich",
    todo: "dann klicken Sie",
    truth: (many) => (many ? "Ihre wirklichen Antworten" : "Ihre wirkliche Antwort"),
    opposite: (many) =>
      many
        ? "das Gegenteil Ihrer wirklichen Antworten, bei allen diesen Fragen"
        : "das Gegenteil Ihrer wirklichen Antwort",
    ticks: "; wo Sie mehreres ankreuzen können, kreuzen Sie genau das an, was nicht zutrifft",
    first: (many) =>
      many ? "Ihre wirklichen Antworten auf die Fragen A" : "Ihre wirkliche Antwort auf Frage A",
    second: (many) =>
      many ? "Ihre wirklichen Antworten auf die Fragen B" : "Ihre wirkliche Antwort auf Frage B",
    say: (value) => `„${value}“, was auch immer Ihre Antwort ist`,
    never:
      "Sagen Sie niemandem, was kam; diese Seite fragt nicht danach. Gesendet wird, was Sie anklicken.",
    same: "Hier gilt derselbe Wurf wie zuvor. Werfen Sie nicht noch einmal.",
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
    literalNote: (size) =>
      `Immer ${size} Zeichen, was Sie auch antworten; Punkte füllen auf. Kein Name, keine Uhrzeit, keine Adresse.`,
    parts:
      "Darin stehen der Fingerabdruck der Umfrage, eine Zufallszahl, {token}wie Sie gefragt wurden, wessen Münze es war, " +
      "wie viele der zwei kurzen Fragen Sie richtig hatten, und ein Zeichen je Antwort.",
    partsBit:
      "Darin stehen der Fingerabdruck der Umfrage, eine Zufallszahl, {token}drei Angaben, die für alle gleich sind, " +
      "und ein Zeichen: das Ja oder Nein.",
    token: "ein Beleg, dass Sie eingeladen sind, aber nicht, wer Sie sind, ",
    send: "Senden",
    ticket: "Ihr Einladungsbeleg wird vom Server geholt …",
    none: "nichts davon",
  },

  sending: {
    title: "Wird gesendet …",
    waiting:
      "Ihre verschleierten Antworten warten auf diesem Gerät und werden gesendet, sobald das Netz wieder da ist.",
    waitingDirect:
      "Ihre Antworten warten auf diesem Gerät und werden gesendet, sobald das Netz wieder da ist.",
    waitingBit:
      "Ihr Ja oder Nein wartet auf diesem Gerät und wird gesendet, sobald das Netz wieder da ist.",
    open: "Sie können diese Seite offen lassen oder später wiederkommen.",
    keepOpen: "Bitte lassen Sie diese Seite bis dahin offen: Dieser Browser behält nichts.",
  },

  done: {
    title: "Vielen Dank",
    lead: "Ihre Antwort ist angekommen und gespeichert.",
    leadBit:
      "Ihr Ja oder Nein ist angekommen und gespeichert. Ihre Antworten haben dieses Gerät nie verlassen.",
    preview: "In der wirklichen Umfrage wäre Ihre Antwort jetzt gesendet.",
    receipt: "Ihre Quittung",
    why: "Mit diesem Code können Sie später prüfen, ob Ihre Antwort gezählt wurde, oder sie löschen. Er enthält nichts über Sie; behalten Sie ihn für sich.",
    copy: "Kopieren",
    copied: "Kopiert",
    print: "Drucken",
    kept: "Die Quittung bleibt auch auf diesem Gerät.",
    forget: "Auf diesem Gerät vergessen",
    forgotten: "Dieses Gerät hat sie vergessen.",
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
    malformed:
      "Das ist keine Quittung: Sie hat sechzehn Buchstaben und Ziffern. Bitte übertragen Sie sie noch einmal.",
    included: "Ja: Die Antwort mit dieser Quittung ist gespeichert.",
    missing:
      "Es gibt keine Antwort mit dieser Quittung: Sie ist nicht angekommen oder wurde gelöscht.",
    deleted: "Die Antwort mit dieser Quittung ist gelöscht.",
    nothing: "Es gibt keine Antwort mit dieser Quittung; nichts wurde gelöscht.",
    unreachable:
      "Der Server ist gerade nicht erreichbar. Bitte versuchen Sie es später noch einmal.",
  },

  trouble: {
    closed: [
      "Diese Umfrage ist geschlossen",
      "Vielen Dank für Ihr Interesse. Es werden keine Antworten mehr angenommen.",
    ],
    wrongLink: [
      "Bitte öffnen Sie den Link aus Ihrer Einladung",
      "Diese Umfrage geht nur mit Einladung, und die Adresse in Ihrem Browser enthält keine vollständige. Öffnen Sie den Link noch einmal, oder kopieren Sie ihn ganz.",
    ],
    unknownInvitation: [
      "Diese Einladung ist hier nicht bekannt",
      "Vielleicht wurde der Link abgeschnitten. Öffnen Sie ihn noch einmal aus Ihrer Einladung, oder schreiben Sie uns.",
    ],
    usedInvitation: [
      "Diese Einladung wurde schon benutzt",
      "Sie wurde schon geöffnet, vielleicht auf einem anderen Gerät oder in einem anderen Browser. Wenn Sie das waren, machen Sie bitte dort weiter; wenn Sie geantwortet haben, ist nichts mehr zu tun.",
    ],
    wrongKey: [
      "Diese Seite hat zu Ihrem Schutz angehalten",
      "Der Schlüssel oder die Fragen des Servers sind nicht die aus Ihrer Einladung; Ihre Antwort hätte daran erkannt werden können. Nichts wurde gesendet. Bitte sagen Sie den Forschenden Bescheid.",
    ],
    givenUp: [
      "Sie sind hier fertig",
      "Ihre Antwort wurde nicht angenommen, und dieses Gerät hat sie vergessen. Sie werden nicht noch einmal gefragt.",
    ],
    insecure: [
      "Diese Verbindung ist nicht sicher",
      "Ohne sichere Verbindung kann Ihr Browser Antworten nicht verschleiern. Bitte öffnen Sie die Adresse mit https://.",
    ],
    noStorage: [
      "Dieser Browser behält zwischen zwei Besuchen nichts",
      "Daher könnte die Münze, die Ihre Antworten verschleiert, nicht dieselbe bleiben, und wir fragen lieber nicht. Bitte öffnen Sie den Link in einem normalen Fenster, oder erlauben Sie dieser Seite, Daten zu behalten.",
    ],
    offline: [
      "Noch keine Verbindung",
      "Die Umfrage konnte nicht geladen werden. Diese Seite versucht es weiter.",
    ],
    broken: [
      "Mit dieser Umfrage stimmt etwas nicht",
      "Sie kann nicht gezeigt werden. Nichts wurde gesendet. Bitte sagen Sie den Forschenden Bescheid.",
    ],
    refusedFull: [
      "Ihre Antwort wurde nicht angenommen",
      "Entweder wurde mit dieser Einladung schon geantwortet, oder es haben genug Menschen wie Sie teilgenommen. Trotzdem vielen Dank.",
    ],
    refused: [
      "Ihre Antwort wurde nicht angenommen",
      "Der Server nimmt sie nicht an. Sie bleibt auf diesem Gerät; Sie können es noch einmal versuchen oder uns schreiben.",
    ],
  },
  tryAgain: "Noch einmal versuchen",
};
