import { endpoints } from '@headrace/contract/api';
import type { Endpoint } from '@headrace/contract/endpoint';
import { type Call, hostileCalls, mixedCalls } from './hostile-calls.ts';
import { type Answer, faultsOf } from './judge.ts';
import { createPatience, type Patience, type Sleep } from './patience.ts';
import { type Random, seeded } from './random.ts';
import { sampleOf } from './sample-of.ts';
import { type Seen, seenBy } from './seen.ts';
import { openTarget, type Target } from './target.ts';
import { mayCall, type Role, type Visitor, visitorOf } from './visitors.ts';

interface Account {
  readonly email: string;
  readonly password: string;
}
export interface Attack {
  readonly url: string;
  readonly first: Account;
  readonly other: Account | null;
  readonly visitors: readonly (Account & { readonly role: Role })[];
  readonly seed: number;
  /** Hostile values for each place. */
  readonly each: number;
  /** How long to wait in all where the server says that it was asked too often, ms. */
  readonly waitMs: number;
  /** Endpoints whose key has this; null: all. */
  readonly only: RegExp | null;
  readonly sleep?: Sleep;
}
/** As the program ends. */
export const exits = { fine: 0, faults: 1, inPart: 3 } as const;

/** What would end the attack itself: they sign out, close the account, or change its password or address. */
const LEFT_OUT =
  /\/account\/(logout|close|change-password|details|session|sessions|device|reset-password|new-email|undo-email)$/;
/** Ids of the other account for each place of a call. */
const OTHERS = 3;

/** Throws where nothing could be tried. */
export async function runAttack(attack: Attack, say: (line: string) => void): Promise<number> {
  const target = openTarget(attack.url.replace(/\/+$/, ''));
  const { token } = await target.signIn(attack.first.email, attack.first.password);
  const own = await seenBy(target, { token }, attack.first.email);
  const [farm = ''] = own.farms;
  const other = attack.other && (await otherOf(target, attack.other, own));
  const visitors: Visitor[] = [];
  for (const one of attack.visitors) visitors.push(await visitorOf(target, one.role, one, farm));
  say(
    `Seed ${attack.seed}. ${own.farms.length + own.things.length} ids of ${attack.first.email}, ${other ? other.ids.length : 'none'} of another account.`,
  );
  const tries = new Tries(
    createPatience(target, attack.waitMs, attack.sleep),
    token,
    own,
    other?.seen ?? null,
  );
  const random = seeded(attack.seed);
  const tried = endpoints.filter(({ key }) => !LEFT_OUT.test(key) && (attack.only?.test(key) ?? true));
  for (const endpoint of tried) await tries.withoutSession(endpoint);
  for (const endpoint of tried) for (const one of visitors) await tries.asVisitor(endpoint, one);
  for (const endpoint of tried) await tries.withOtherIds(endpoint);
  for (const endpoint of tried) await tries.hostile(endpoint, random, attack.each);
  if (other) {
    const { names } = await seenBy(target, other, attack.other?.email ?? '');
    if (names.join('\n') !== other.seen.names.join('\n'))
      tries.found.push('Something of the other account has another name now, is new or gone');
  }
  const { status } = await target.send('GET /account/details', {}, token);
  if (status !== 200)
    tries.found.push(`The session ended on the way (${status}): what was refused since then says nothing`);
  return report(tries, missing(attack), say);
}

/** Accounts that were not given, as they are asked for: what they would show was not tried. */
function missing({ other, visitors }: Attack): string[] {
  const roles = (['guest', 'ended', 'staff'] as const).filter(
    (role) => !visitors.some((visitor) => visitor.role === role),
  );
  return [...(other ? [] : ['--other']), ...roles.map((role) => `--${role}`)];
}

/** Somebody else's farms, of which nothing may be told or changed. */
async function otherOf(target: Target, { email, password }: Account, own: Seen) {
  const { token } = await target.signIn(email, password);
  const all = await seenBy(target, { token }, email);
  const known = new Set([...own.farms, ...own.things]);
  const [farms, things] = [all.farms, all.things].map((ids) => ids.filter((id) => !known.has(id)));
  const seen = { ...all, farms: farms ?? [], things: things ?? [] };
  if (seen.farms.length === 0)
    throw new Error(`${email} has no farm that the first account doesn't see. Nothing was tried.`);
  return { token, seen, ids: [...seen.farms, ...seen.things] };
}

class Tries {
  readonly found: string[] = [];
  readonly cutShort = new Set<string>();
  /** Calls about others' things whose right was never asked for, since the call itself was refused. */
  readonly undecided = new Set<string>();
  readonly #own: Seen;
  readonly #others: Seen | null;
  readonly #token: string;
  readonly patience: Patience;

  constructor(patience: Patience, token: string, own: Seen, others: Seen | null) {
    this.patience = patience;
    this.#token = token;
    this.#own = own;
    this.#others = others;
  }

  async withoutSession(endpoint: Endpoint): Promise<void> {
    if ('public' in endpoint.needs) return;
    const good = this.#goodCall(endpoint);
    const { status } = await this.#send(endpoint, good, null);
    if (status !== 401 && status !== 429)
      this.#note(endpoint, good, [`answered ${status} without a session`]);
  }

  async asVisitor(endpoint: Endpoint, visitor: Visitor): Promise<void> {
    const good = this.#goodCall(endpoint);
    if ('public' in endpoint.needs || mayCall(visitor, endpoint, good)) return;
    const answer = await this.#send(endpoint, good, visitor.token);
    this.#judgeRight(
      endpoint,
      good,
      answer,
      `answered ${answer.status} to ${visitor.role}, who may not do this`,
    );
  }

  async withOtherIds(endpoint: Endpoint): Promise<void> {
    const good = this.#goodCall(endpoint);
    if ('operator' in endpoint.needs || 'staff' in endpoint.needs) {
      const answer = await this.#send(endpoint, good, this.#token);
      this.#judgeRight(
        endpoint,
        good,
        answer,
        `answered ${answer.status} to somebody who has an account alone`,
      );
    }
    if (!this.#others) return;
    const { farms, things } = this.#others;
    for (const call of callsAbout(endpoint, good, farms, things)) {
      const answer = await this.#send(endpoint, call, this.#token);
      this.#judgeRight(endpoint, call, answer, `answered ${answer.status} about the other account's`);
    }
    for (const ids of [farms, things])
      for (const call of mixedCalls(good, (id) => (this.#isOwn(id) ? (ids[0] ?? null) : null)))
        this.#note(
          endpoint,
          call,
          faultsOf(await this.#send(endpoint, call, this.#token), this.#secrets(call)),
        );
  }

  async hostile(endpoint: Endpoint, random: Random, each: number): Promise<void> {
    const good = this.#goodCall(endpoint);
    for (const call of hostileCalls(endpoint, good, random, each, (name) => this.#idFor(name))) {
      const answer = await this.#send(endpoint, call, this.#token);
      this.#note(endpoint, call, faultsOf(answer, this.#secrets(call)));
      if (answer.status === 429) return; // It was waited for already.
    }
  }

  async #send(endpoint: Endpoint, call: Call, token: string | null): Promise<Answer> {
    const answer = await this.patience.send(endpoint.key, call, token);
    if (answer.status === 429) this.cutShort.add(endpoint.key);
    return answer;
  }

  /** A success is a fault. A call that is wrong in itself was never asked whether it may be. */
  #judgeRight(endpoint: Endpoint, call: Call, answer: Answer, text: string): void {
    const isNothing = answer.status === endpoint.emptyStatus;
    // A conflict is found by who was let in.
    const isDone = (answer.status < 300 && !isNothing) || answer.status === 409;
    if (answer.status === 400 || answer.status === 413) this.undecided.add(endpoint.key);
    this.#note(endpoint, call, [...(isDone ? [text] : []), ...faultsOf(answer, this.#secrets(call))]);
  }

  #note({ key }: Endpoint, call: Call, faults: readonly string[]): void {
    for (const fault of faults) this.found.push(`${key} ${fault}: ${JSON.stringify(call).slice(0, 300)}`);
  }

  readonly #isOwn = (id: string) => this.#own.farms.includes(id) || this.#own.things.includes(id);

  #idFor(name: string): string {
    const [ofFarm, ofThing] = [this.#own.farms[0], this.#own.things[0]];
    return (/farm/i.test(name) ? ofFarm : (ofThing ?? ofFarm)) ?? 'f'.repeat(24);
  }

  #goodCall(endpoint: Endpoint): Call {
    const idFor = (name: string) => this.#idFor(name);
    return {
      ...(endpoint.query && { query: sampleOf(endpoint.query, idFor) as Record<string, string> }),
      ...(endpoint.body && { body: sampleOf(endpoint.body, idFor) }),
    };
  }

  #secrets(call: Call): string[] {
    const said = JSON.stringify(call);
    const ids = [...(this.#others?.farms ?? []), ...(this.#others?.things ?? [])];
    return ids.filter((id) => !said.includes(id));
  }
}

/** The call about somebody else's farm or thing, where the contract says where it stands. */
function* callsAbout(
  { target }: Endpoint,
  good: Call,
  farms: readonly string[],
  things: readonly string[],
): Generator<Call> {
  if (!target || 'serial' in target) return;
  const [[kind, { in: part, name }] = ['', { in: 'query', name: '' }]] = Object.entries(target);
  const members = (good[part === 'body' ? 'body' : 'query'] ?? {}) as Record<string, string>;
  const ids = kind === 'farm' ? farms : things;
  for (const id of ids.slice(0, OTHERS)) yield { ...good, [part]: { ...members, [name]: id } };
}

function report(
  { found, cutShort, undecided, patience }: Tries,
  without: readonly string[],
  say: (line: string) => void,
): number {
  const { sent, taken, refused } = patience.counts;
  for (const fault of found) say(fault);
  say(`${sent} calls sent: ${taken} were done, ${refused} refused.`);
  if (without.length > 0) say(`Not tried, since no account was given for it: ${without.join(', ')}`);
  if (undecided.size > 0)
    say(
      `Not known: ${undecided.size} calls were refused for what they say, before the right to them was asked for: ${[...undecided].join(', ')}`,
    );
  if (cutShort.size > 0)
    say(`Cut short, since they may not be asked for so often (--wait): ${[...cutShort].join(', ')}`);
  if (found.length > 0) {
    say(`${found.length} answers are wrong.`);
    return exits.faults;
  }
  const isWhole = without.length + undecided.size + cutShort.size === 0;
  say(isWhole ? 'Nothing wrong was found.' : 'Nothing wrong was found in what was tried.');
  return isWhole ? exits.fine : exits.inPart;
}
