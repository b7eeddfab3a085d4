/** Thanks, and a receipt. */

import { h } from "../dom.ts";
import type { Keeper } from "../keeping.ts";
import type { Page, Screen } from "../page.ts";

export const done =
  (receipt: string, keeper: Keeper, preview = false) =>
  (page: Page): Screen => {
    const texts = page.texts.done;
    const lead = page.survey?.bit ? texts.leadBit : texts.lead;
    const status = h("p", { class: "quiet", role: "status" });
    const code = h("output", { class: "receipt", dir: "ltr" }, receipt);
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(receipt);
        status.textContent = texts.copied;
      } catch {
        getSelection()?.selectAllChildren(code); // not allowed: then by hand
      }
    };
    const forget = () => {
      keeper.forget();
      status.textContent = texts.forgotten;
    };
    const button = (label: string, click: () => void) =>
      h("button", { type: "button", click }, label);
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
            button(texts.print, () => print()),
          ),
          h("p", {}, texts.why),
          h("p", {}, texts.secret),
        ),
        keeper.lasting && h("p", { class: "quiet" }, texts.kept),
        keeper.lasting && h("p", { class: "ways" }, button(texts.forget, forget)),
        status,
      ],
      ending: true,
    };
  };
