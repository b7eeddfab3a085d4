/** Talking to the survey's own server, and to nobody else; again and again while it is out of reach. */

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
  const response = await fetch(path, {
    ...options,
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (response.ok) return response.json();
  const { status } = response;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new Refused(status);
  throw new Busy(Number(response.headers.get("Retry-After")) * 1000 || 0);
}

class Busy extends Error {
  constructor(readonly pause: number) {
    super("The server is busy.");
  }
}

/** Tries until the server answers; pauses grow, and end early when the network is back. */
export async function persistently<T>(task: () => Promise<T>, onWaiting: () => void): Promise<T> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await task();
    } catch (error) {
      if (error instanceof Refused) throw error;
      onWaiting();
      await waited(error instanceof Busy ? Math.max(pause, error.pause) : pause);
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
