/** Whether an answer is there, and taking it back: by its receipt alone. */

import { around, h } from "../dom.ts";
import { post } from "../network.ts";
import type { Page, Screen } from "../page.ts";
import { readReceipt, receiptId, writeReceipt } from "../protocol.ts";

export const receipts = (page: Page): Screen => {
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
    dir: "ltr",
    "aria-describedby": "receipt-help receipt-said",
  });
  const confirm = h("div", { class: "confirm" });

  const ask = async (task: (receipt: Uint8Array<ArrayBuffer>) => Promise<string>) => {
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
  const check = async (receipt: Uint8Array<ArrayBuffer>) => {
    const body = JSON.stringify({ id: await receiptId(receipt) });
    const { included } = (await post("api/receipts/check", body)) as { included: boolean };
    return included ? texts.included : texts.missing;
  };
  const erase = async (receipt: Uint8Array<ArrayBuffer>) => {
    const body = JSON.stringify({ receipt: writeReceipt(receipt).replaceAll("-", "") });
    const { deleted } = (await post("api/receipts/delete", body)) as { deleted: boolean };
    return deleted ? texts.deleted : texts.nothing;
  };
  const button = (label: string, click: () => void, look = "") =>
    h("button", { type: "button", class: look, click }, label);
  const confirmed = () => {
    said.textContent = "";
    const yes = button(texts.reallyErase, () => void ask(erase), "danger");
    const no = button(texts.keep, () => confirm.replaceChildren());
    confirm.replaceChildren(
      h("p", { class: "lead" }, texts.sure),
      h("p", { class: "ways" }, yes, no),
    );
    no.focus();
  };

  // Back to where one was: the address may hold an invitation.
  const leave = (event: Event) => {
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
          h("bdi", { class: "example" }, "K7QF-2M0P-X4TD-9RWB"),
        ),
      ),
      h("p", {}, input),
      h(
        "p",
        { class: "ways" },
        h("button", { type: "submit", class: "primary" }, texts.check),
        button(texts.erase, confirmed),
      ),
      confirm,
      said,
      h("p", {}, h("a", { href: "#", click: leave }, page.texts.backToSurvey)),
    ],
    submit: () => void ask(check),
    ending: true,
  };
};
