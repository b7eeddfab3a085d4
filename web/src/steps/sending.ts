/** On its way, until the server has acknowledged it; thanks come only then. */

import { h } from "../dom.ts";
import type { Keeper } from "../keeping.ts";
import { persistently, post, Refused, Unreached } from "../network.ts";
import type { Page, Step } from "../page.ts";
import { done } from "./done.ts";
import { notice, type Trouble } from "./notice.ts";

/** An answer on its way: the body, as it is sent, and its receipt. */
export interface Pending {
  readonly body: string;
  readonly receipt: string;
}

/** Sends until the server has answered. A refused body stays, so that none is ever made anew. */
export async function deliver(page: Page, keeper: Keeper, pending: Pending): Promise<void> {
  let waiting = false;
  const sending: Step = () => ({
    title: page.texts.sending.title,
    content: [
      h(
        "p",
        { class: "lead", role: "status" },
        waiting
          ? page.texts.sending[page.survey?.bit ? "waitingBit" : "waiting"]
          : page.texts.loading,
      ),
      waiting && h("p", {}, page.texts.sending[keeper.lasting ? "open" : "keepOpen"]),
    ],
    ending: true,
  });
  page.end(sending);
  try {
    await persistently(
      () => acknowledged(pending.body),
      () => {
        waiting = true;
        page.update(sending);
      },
    );
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const again = () => void deliver(page, keeper, pending);
    const forget = () => {
      keeper.forget();
      keeper.set("givenUp", true); // fresh coins would give the server a second disguise
      location.reload();
    };
    return page.end(notice(troubleOf(error.status), { again, forget }));
  }
  keeper.set("sent", { receipt: pending.receipt });
  keeper.remove("pending");
  page.end(done(pending.receipt, keeper));
}

async function acknowledged(body: string): Promise<void> {
  const answer = (await post("api/answers", body)) as { kept?: boolean } | null;
  if (answer?.kept !== true) throw new Unreached();
}

function troubleOf(status: number): Trouble {
  if (status === 410) return "closed";
  return status === 409 ? "refusedFull" : "refused";
}
