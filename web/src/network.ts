/** Talking to the survey's own server, and to nobody else; again while it is out of reach. */

/** The server has answered, and will not answer otherwise. */
export class Refused extends Error {
  constructor(readonly status: number) {
    super(`The server answered ${status}.`);
  }
}

const PATIENCE = 20_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** Sends a body, once. Cookies stay behind: nothing may tell who is sending. */
export const post = (path: string, body: string): Promise<unknown> =>
  request(path, { method: "POST", body, headers: { "Content-Type": "application/json" } });

export const get = (path: string): Promise<unknown> => request(path, {});

async function request(path: string, options: RequestInit): Promise<unknown> {
  const unreached = () => {
    throw new Unreached();
  };
  const response = await fetch(path, {
    ...options,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(unreached);
  const { ok, status, headers } = response;
  if (ok) return response.json().catch(unreached); // a page of a hotel's network
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new Refused(status);
  throw new Unreached(Number(headers.get("Retry-After")) * 1000 || 0);
}

/** The server is away or busy; later it may answer. */
export class Unreached extends Error {
  constructor(readonly pause = 0) {
    super("The server cannot be reached.");
  }
}

/** Tries until the server answers; pauses grow, and end early when the network is back. */
export async function persistently<T>(task: () => Promise<T>, onWaiting: () => void): Promise<T> {
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

const waited = (pause: number) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, pause);
    addEventListener("online", done);
  });
