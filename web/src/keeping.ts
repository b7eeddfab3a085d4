/**
 * What the page keeps on this device, and only there. True answers are never among it, but for
 * those of people who are asked directly, while they wait to be sent.
 *
 * Everything of one survey and one invitation stands under one prefix, so that it can be forgotten.
 */

export interface Keeper {
  /** Whether what is kept outlives this page. */
  readonly lasting: boolean;
  get<T>(name: string): T | undefined;
  set(name: string, value: unknown): void;
  remove(name: string): void;
  forget(): void;
  /** Runs a task that no other tab runs at the same time. */
  alone<T>(name: string, task: () => Promise<T>): Promise<T>;
}

/** Keeps in localStorage; in memory where the browser keeps nothing, or nothing may be kept. */
export function keeperFor(scope: string, lasting: boolean): Keeper {
  const storage = lasting ? deviceStorage() : null;
  return storage ? keeperOn(storage, scope, true) : keeperOn(memoryStorage(), scope, false);
}

function keeperOn(storage: Shelf, scope: string, lasting: boolean): Keeper {
  const prefix = `deniable:${scope}:`;
  return {
    lasting,
    get(name) {
      const text = storage.getItem(prefix + name);
      try {
        return text === null ? undefined : JSON.parse(text);
      } catch {
        return undefined; // not written by this page
      }
    },
    set: (name, value) => storage.setItem(prefix + name, JSON.stringify(value)),
    remove: (name) => storage.removeItem(prefix + name),
    forget() {
      for (const name of NAMES) storage.removeItem(prefix + name);
    },
    alone: (name, task) =>
      lasting && navigator.locks ? navigator.locks.request(prefix + name, task) : task(),
  };
}

/** All that is ever kept. */
const NAMES = ["coins", "blinding", "token", "pending", "sent", "givenUp"];

type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function deviceStorage(): Shelf | null {
  try {
    const probe = "deniable:probe";
    localStorage.setItem(probe, "");
    localStorage.removeItem(probe);
    return localStorage;
  } catch {
    return null; // switched off, or full
  }
}

function memoryStorage(): Shelf {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
