import { fillPath, splitKey } from '@headrace/contract/endpoint';
import type { Call } from './hostile-calls.ts';
import type { Answer } from './judge.ts';

/** A server that is tried over the network. */
export interface Target {
  /** `token`: null for nobody. */
  send(key: string, call: Call, token: string | null): Promise<Answer>;
  signIn(email: string, password: string): Promise<string>;
}

/** Longer than the server itself waits for anything. */
const GIVE_UP_MS = 90_000;

export function openTarget(base: string): Target {
  async function send(key: string, { query, body }: Call, token: string | null): Promise<Answer> {
    const { method, path } = splitKey(key);
    const filled = fillPath(path, query);
    const url = new URL(`${base}/v1${filled.path}`);
    for (const [name, value] of Object.entries(filled.query)) url.searchParams.set(name, String(value));
    const start = performance.now();
    const reply = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(GIVE_UP_MS),
      headers: {
        ...(token !== null && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && method !== 'GET' && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text, ms: performance.now() - start };
  }
  return {
    send,
    async signIn(email, password) {
      const { status, body } = await send('POST /account/auth', { body: { email, password } }, null);
      if (status !== 200) throw new Error(`${email} can't sign in: ${status} ${body.slice(0, 200)}`);
      return (JSON.parse(body) as { token: string }).token;
    },
  };
}

/** Every uid in a reply. */
export const uidsIn = (text: string): string[] => [...new Set(text.match(/\b[0-9a-f]{24}\b/g) ?? [])];
