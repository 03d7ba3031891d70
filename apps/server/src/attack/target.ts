import type { AccountType } from '@headrace/contract/accounts';
import { fillPath, splitKey } from '@headrace/contract/endpoint';
import type { Call } from './hostile-calls.ts';
import type { Answer } from './judge.ts';

/** A server that is tried over the network. */
export interface Target {
  /** `token`: null for nobody. */
  send(key: string, call: Call, token: string | null): Promise<Answer>;
  /** Throws where that leads to no session: whatever is refused then says nothing. */
  signIn(email: string, password: string): Promise<SignedIn>;
}

export interface SignedIn {
  readonly token: string;
  readonly type: AccountType;
  readonly isStaff: boolean;
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
    return {
      status: reply.status,
      body: text,
      ms: performance.now() - start,
      retryAfterS: Number(reply.headers.get('retry-after')) || null,
    };
  }
  return {
    send,
    async signIn(email, password) {
      const { status, body } = await send('POST /account/auth', { body: { email, password } }, null);
      if (status !== 200) throw new Error(`${email} can't sign in: ${status} ${body.slice(0, 200)}`);
      const signedIn = JSON.parse(body) as Partial<SignedIn>;
      const { token, type = 'SUBSCRIBER', isStaff = false } = signedIn;
      if (!token)
        throw new Error(
          `${email} has a second step, which this can't answer: take an account without one. Nothing was tried.`,
        );
      return { token, type, isStaff };
    },
  };
}

/** Every uid in a reply. */
export const uidsIn = (text: string): string[] => [...new Set(text.match(/\b[0-9a-f]{24}\b/g) ?? [])];
