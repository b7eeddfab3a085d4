/** A kind sentence where the survey cannot go on. */

import { h } from "../dom.ts";
import type { Step } from "../page.ts";
import type { Texts } from "../texts/index.ts";

export type Trouble = keyof Texts["trouble"] | "insecure" | "offline";

interface Ways {
  readonly again: () => void;
  readonly forget: () => void;
}

/** Says what is the matter, and offers another try where there is something to try. */
export const notice =
  (trouble: Trouble, ways?: Ways): Step =>
  ({ texts }) => {
    const { title, text } = { ...texts.early, ...texts.trouble }[trouble];
    return {
      title,
      content: [
        h("p", { class: "lead" }, text),
        ways &&
          h(
            "p",
            { class: "ways" },
            h("button", { type: "button", class: "primary", click: ways.again }, texts.tryAgain),
            h("button", { type: "button", click: ways.forget }, texts.done.forget),
          ),
      ],
      ending: true,
    };
  };
