/**
 * The page: one step at a time in one <main>, with its heading in focus.
 *
 * What a step needs to know stands in the session. True answers live there, in memory, and are
 * dropped when the page is left and when the answer is on its way.
 */

import type { Coins } from "./coins.ts";
import { around, type Child, h } from "./dom.ts";
import type { Keeper } from "./keeping.ts";
import { type Arm, type DeviceName, type Survey, type Text, textsOf } from "./survey.ts";
import { type Texts, textsFor } from "./texts/index.ts";
import { directionOf } from "./texts/writing.ts";
import type { Invitation } from "./token.ts";

/** What a step shows. */
export interface Screen {
  readonly title: string;
  readonly content: readonly Child[];
  /** The way on; `act` may say false to stay. */
  readonly next?: { readonly label: string; readonly act?: () => boolean | void };
  /** What Enter does where there is no way on. */
  readonly submit?: () => void;
  readonly ending?: boolean;
}

export interface Step {
  (page: Page): Screen;
  /** Whether it is shown to this respondent; without it, it is. */
  wanted?: () => boolean;
}

/** What is known of this respondent, on this page only. */
export interface Session {
  readonly survey: Survey;
  readonly keeper: Keeper;
  readonly coins: Coins;
  readonly arm: Arm;
  readonly invitation: Invitation | null;
  readonly preview: boolean;
  /** Whether somebody agreed here before, and left without sending. */
  readonly begun: boolean;
  device: DeviceName | null;
  understood: number;
  /** Comprehension questions are counted once, at the first try. */
  checked: boolean;
  answers: Map<string, string>;
  personal: Map<string, string>;
  receipt: Uint8Array<ArrayBuffer> | null;
  token: Promise<string> | null;
}

const wants = (step: Step): boolean => step.wanted?.() ?? true;

export class Page {
  language: string;
  private place = 0;
  private furthest = 0;
  private steps: readonly Step[] = [];
  private shown: Step | null = null;
  private last: Step | null = null;
  private readonly said = new Map<string, Texts>();

  constructor(
    private readonly root: HTMLElement,
    readonly survey: Survey | null,
    language: string,
    private readonly banner: boolean,
    /** Set once the respondent is known; steps of the survey need it. */
    public session: Session | null = null,
  ) {
    this.language = language;
  }

  /** Whether there is no way back into the questions. */
  get ended(): boolean {
    return this.last !== null;
  }

  /** Whether there is anything but receipts to go back to. */
  get started(): boolean {
    return this.ended || this.session !== null;
  }

  /** What the page itself says in the language chosen. */
  get texts(): Texts {
    return this.textsIn(this.language);
  }

  private textsIn(language: string): Texts {
    const made = this.said.get(language);
    if (made) return made;
    const texts = this.survey ? textsOf(this.survey, language) : textsFor(language);
    this.said.set(language, texts);
    return texts;
  }

  /** A text of the survey in the language chosen. */
  say(text: Text): string {
    return text[this.language] ?? Object.values(text)[0] ?? "";
  }

  /** Begins a flow; each step is a place in the browser's history, which holds its number only. */
  begin(steps: readonly Step[]): void {
    this.steps = steps;
    this.last = null;
    this.furthest = this.place = 0;
    history.replaceState({ step: 0 }, "");
    this.show(steps[0]);
  }

  /** Goes one step on. */
  forward(): void {
    const next = this.steps.findIndex((step, at) => at > this.place && wants(step));
    this.place = next < 0 ? this.place : next;
    this.furthest = Math.max(this.furthest, this.place);
    history.pushState({ step: this.place }, "");
    this.show(this.steps[this.place]);
  }

  /** Goes to a place of the flow that has been reached before. */
  goTo(place: unknown): void {
    if (this.last) return this.show(this.last);
    const wanted = typeof place === "number" && place <= this.furthest ? place : this.place;
    this.place = wanted;
    if (!wants(this.steps[wanted])) return this.forward();
    this.show(this.steps[wanted]);
  }

  /** Leaves the flow: there is no way back to it. */
  end(step: Step): void {
    this.steps = [];
    this.last = step;
    this.show(step);
  }

  /** Shows a step anew if it is still the one shown. */
  update(step: Step): void {
    if (this.shown === step) this.show(step, false);
  }

  /** Shows a step beside the flow, or again. */
  show(step: Step, focus = true): void {
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
      this.footer(),
    );
    if (!focus) return;
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }

  /** Shows the same step again, such as in another language. */
  again(): void {
    if (this.shown) this.show(this.shown);
  }

  /** Empties the page: nothing of it may outlive its visit. */
  clear(): void {
    this.root.replaceChildren();
  }

  private form(screen: Screen): HTMLElement {
    const { next, submit } = screen;
    const submitted = (event: Event) => {
      event.preventDefault();
      submit?.();
      if (next && next.act?.() !== false) this.forward();
    };
    const canReturn = this.steps.includes(this.shown as Step) && this.place > 0 && !screen.ending;
    return h(
      "form",
      { submit: submitted, autocomplete: "off", novalidate: true },
      ...screen.content,
      (next || canReturn) &&
        h(
          "div",
          { class: "ways" },
          next && h("button", { type: "submit", class: "primary" }, next.label),
          canReturn &&
            h("button", { type: "button", click: () => history.back() }, this.texts.back),
        ),
    );
  }

  private progress(): HTMLElement | null {
    if (!this.steps.includes(this.shown as Step)) return null;
    const [step, of] = [this.place + 1, this.steps.length];
    const label = this.texts.progress({ step, of });
    return h(
      "p",
      { class: "progress" },
      h("progress", { max: of, value: step, "aria-hidden": "true" }),
      h("span", {}, label),
    );
  }

  private header(title: string): HTMLElement {
    return h(
      "header",
      {},
      this.banner && h("p", { class: "banner" }, this.texts.preview),
      h("div", { class: "bar" }, h("p", { class: "survey" }, title), this.languages()),
    );
  }

  private languages(): Child {
    const languages = this.survey?.languages ?? [];
    if (languages.length < 2) return null;
    const chosen = (language: string) => () => {
      this.language = language;
      this.again();
    };
    return h(
      "nav",
      { "aria-label": this.texts.language, class: "languages" },
      ...languages.map((language) =>
        h(
          "button",
          {
            type: "button",
            lang: language,
            dir: directionOf(language),
            "aria-pressed": String(language === this.language),
            click: chosen(language),
          },
          this.textsIn(language).name,
        ),
      ),
    );
  }

  private footer(): HTMLElement {
    const { texts, survey } = this;
    const atReceipts = location.hash === "#receipt";
    return h(
      "footer",
      {},
      survey?.contact && h("p", {}, ...around((contact) => texts.contact({ contact }), contactLink(survey.contact))),
      survey && !atReceipts && h("p", {}, h("a", { href: "#receipt" }, texts.checkReceipt)),
    );
  }
}

const contactLink = (contact: string): Node => {
  const isAddress = /^\S+@\S+$/.test(contact);
  return h("bdi", {}, isAddress ? h("a", { href: `mailto:${contact}` }, contact) : contact);
};
