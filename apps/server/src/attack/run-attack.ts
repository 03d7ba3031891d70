import { endpoints } from '@headrace/contract/api';
import type { Endpoint } from '@headrace/contract/endpoint';
import { type Call, hostileCalls, mixedCalls } from './hostile-calls.ts';
import { type Answer, faultsOf } from './judge.ts';
import { createPatience, type Patience, type Sleep } from './patience.ts';
import { type Random, seeded } from './random.ts';
import { sampleOf } from './sample-of.ts';
import { type Kind, type Seen, seenBy, without } from './seen.ts';
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

/** Ids of the other account for each place of a call. */
const OTHERS = 3;
/** Found among the caller's own, so no target names them: which member of a listed sign-in each takes as its `id`. */
const OF_SIGN_INS: Readonly<Record<string, 'id' | 'device'>> = {
  'DELETE /account/session': 'id',
  'DELETE /account/device': 'device',
};

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
  // Calls that say nothing, as signing out, which would end the attack, are sent without a session alone.
  const tried = endpoints.filter(({ key }) => attack.only?.test(key) ?? true);
  for (const endpoint of tried) await tries.withoutSession(endpoint);
  for (const endpoint of tried) for (const one of visitors) await tries.asVisitor(endpoint, one);
  for (const endpoint of tried) await tries.withOtherIds(endpoint);
  for (const endpoint of tried) await tries.hostile(endpoint, random, attack.each);
  if (other) tries.found.push(...(await harmDone(target, other, attack.other?.email ?? '')));
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
  const seen = without(await seenBy(target, { token }, email), own);
  if (seen.farms.length === 0)
    throw new Error(`${email} has no farm that the first account doesn't see. Nothing was tried.`);
  return { token, seen, ids: [...seen.farms, ...seen.things] };
}

/** What was done to the other account, whichever call did it. */
async function harmDone(target: Target, { token, seen }: Other, email: string): Promise<string[]> {
  const { status } = await target.send('GET /account/details', {}, token);
  if (status === 401) return ['The other account was signed out on the way'];
  const { names } = await seenBy(target, { token }, email);
  if (names.join('\n') === seen.names.join('\n')) return [];
  return ['Something of the other account has another name now, is new or gone'];
}
type Other = Awaited<ReturnType<typeof otherOf>>;

class Tries {
  readonly found: string[] = [];
  readonly cutShort = new Set<string>();
  /** Calls about others' things whose right was never asked for, since the call itself was refused. */
  readonly undecided = new Set<string>();
  /** Calls about what the other account has none of. */
  readonly aboutNothing = new Set<string>();
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
    await this.#endsOthersSignIns(endpoint, this.#others);
    const about = callsAbout(endpoint, good, this.#others);
    if (endpoint.target && about.length === 0) this.aboutNothing.add(endpoint.key);
    for (const call of about) {
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

  async #endsOthersSignIns(endpoint: Endpoint, { signIns }: Seen): Promise<void> {
    const member = OF_SIGN_INS[endpoint.key];
    if (!member) return;
    for (const one of signIns.slice(0, OTHERS)) {
      const call = { query: { id: one[member] } };
      const answer = await this.#send(endpoint, call, this.#token);
      const isDone = answer.status < 300 && (JSON.parse(answer.body) as { success: boolean }).success;
      this.#note(endpoint, call, [...(isDone ? ['signed the other account out'] : []), ...faultsOf(answer)]);
    }
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

/** The calls about somebody else's farm or thing, where the contract says where it stands. */
function callsAbout({ target }: Endpoint, good: Call, { farms, of }: Seen): Call[] {
  if (!target) return [];
  const [[kind, at] = ['', { in: 'query' as const, name: '' }]] = Object.entries(target);
  const { [at.name]: _own, ...members } = (good[at.in] ?? {}) as Record<string, string>;
  const about = (name: string, ids: readonly string[]) =>
    ids.slice(0, OTHERS).map((id): Call => ({ ...good, [at.in]: { ...members, [name]: id } }));
  if (kind === 'farm') return about(at.name, farms);
  if ('sprinkler' in target)
    return [...about(at.name, of.device), ...about(target.sprinkler.serial, of.serial)];
  return about(at.name, of[kind as Kind]);
}

function report(
  { found, cutShort, undecided, aboutNothing, patience }: Tries,
  accounts: readonly string[],
  say: (line: string) => void,
): number {
  const { sent, taken, refused } = patience.counts;
  for (const fault of found) say(fault);
  say(`${sent} calls sent: ${taken} were done, ${refused} refused.`);
  if (accounts.length > 0) say(`Not tried, since no account was given for it: ${accounts.join(', ')}`);
  if (aboutNothing.size > 0)
    say(
      `Not tried, since the other account has nothing that they are about: ${[...aboutNothing].join(', ')}`,
    );
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
  const isWhole = accounts.length + aboutNothing.size + undecided.size + cutShort.size === 0;
  say(isWhole ? 'Nothing wrong was found.' : 'Nothing wrong was found in what was tried.');
  return isWhole ? exits.fine : exits.inPart;
}
