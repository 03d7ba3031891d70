/** What vite/early.js asked for before the app's code was there: by address, until it is taken. */
interface EarlyReply {
  token: string;
  /** On `performance.now()`. */
  at: number;
  reply: Promise<Response>;
}

declare global {
  var headraceEarly: Map<string, EarlyReply> | undefined;
}

/** An answer that waited for longer is asked for again, ms. */
const FRESH_MS = 10_000;

/** The reply to this call where it was asked for early by the same session; each is given once. Undefined: ask anew. */
export function takeEarlyReply(url: string, token: string): Promise<Response | undefined> | undefined {
  const early = globalThis.headraceEarly?.get(url);
  globalThis.headraceEarly?.delete(url);
  const isOurs = early?.token === token && performance.now() - early.at < FRESH_MS;
  return isOurs ? early.reply.catch(() => undefined) : undefined;
}

/** The next time, vite/early.js asks for these of the dashboard of this farm. */
export function rememberFirstCalls(farmUID: string, urls: readonly string[]): void {
  try {
    localStorage.setItem('headrace.first-calls', JSON.stringify({ farmUID, urls }));
  } catch {
    // Storage refused or full: the data comes a little later.
  }
}
