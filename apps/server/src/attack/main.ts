import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endpoints } from '@headrace/contract/api';
import { type Call, hostileCalls, mixedCalls } from './hostile-calls.ts';
import { faultsOf } from './judge.ts';
import { seeded } from './random.ts';
import { sampleOf } from './sample-of.ts';
import { openTarget, type Target, uidsIn } from './target.ts';

const HELP = `npm run attack -- --url <server> --email <test account> [--other <second test account>] [--seed <number>] [--each <calls a place, 3>]

Sends hostile calls to a Headrace server of yours and says which answers are wrong: 5xx, slower than 5 s, telling of the inside,
answered without a session, or telling one account something of the other. It says the seed, with which the same calls come again.

It signs in with accounts that you made for this, by passwords on standard input, one a line. It MAKES, CHANGES AND DELETES
whatever these accounts may: farms, devices, schedules, shares. Commands go to their gateways. Never give it an account that
somebody uses, and none that a real farm is shared with. It sends some thousand calls, each after the one before.`;

/** What would end the attack itself: they sign out, close the account, or change its password or address. */
const LEFT_OUT =
  /\/account\/(logout|close|change-password|details|session|sessions|reset-password|new-email|undo-email)$/;
const FARM_LISTS = ['GET /farms-card', 'GET /farms-summary', 'GET /account/usage'];
const OF_A_FARM = [
  'GET /irrigation/devices',
  'GET /gateway/devices',
  'GET /groups',
  'GET /schedule-templates',
];

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      email: { type: 'string' },
      other: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      each: { type: 'string', default: '3' },
    },
  });
  if (!values.url || !values.email) {
    say(HELP);
    process.exitCode = 2;
    return;
  }
  const [password = '', otherPassword = ''] = readFileSync(0, 'utf8').split('\n');
  const target = openTarget(values.url.replace(/\/+$/, ''));
  const token = await target.signIn(values.email, password.trim());
  const own = await idsOf(target, token);
  const others = values.other
    ? await idsOf(target, await target.signIn(values.other, otherPassword.trim()))
    : [];
  say(`Seed ${values.seed}. ${own.length} ids of ${values.email}, ${others.length} of the other account.`);
  const faults = await attack(target, {
    token,
    own,
    others,
    seed: Number(values.seed),
    each: Number(values.each),
  });
  for (const fault of faults) say(fault);
  say(faults.length === 0 ? 'Nothing wrong was found.' : `${faults.length} answers are wrong.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

/** What an account sees, by its lists. */
async function idsOf(target: Target, token: string): Promise<string[]> {
  const lists = await Promise.all(FARM_LISTS.map((key) => target.send(key, {}, token)));
  const ids = new Set(lists.flatMap(({ body }) => uidsIn(body)));
  for (const farmUID of [...ids].slice(0, 3))
    for (const key of OF_A_FARM)
      for (const id of uidsIn((await target.send(key, { query: { farmUID } }, token)).body)) ids.add(id);
  return [...ids];
}

interface Attack {
  readonly token: string;
  readonly own: readonly string[];
  readonly others: readonly string[];
  readonly seed: number;
  readonly each: number;
}

async function attack(target: Target, { token, own, others, seed, each }: Attack): Promise<string[]> {
  const random = seeded(seed);
  const found: string[] = [];
  let sent = 0;
  const anyOf = (ids: readonly string[]) => ids[Math.floor(random() * ids.length)] ?? 'f'.repeat(24);
  const note = (key: string, call: Call, faults: readonly string[]) => {
    for (const fault of faults) found.push(`${key} ${fault}: ${JSON.stringify(call).slice(0, 300)}`);
  };
  for (const endpoint of endpoints) {
    if (LEFT_OUT.test(endpoint.key)) continue;
    const idFor = (name: string) => (/farm/i.test(name) ? (own[0] ?? 'f'.repeat(24)) : anyOf(own));
    const good = {
      ...(endpoint.query && { query: sampleOf(endpoint.query, idFor) as Record<string, string> }),
      ...(endpoint.body && { body: sampleOf(endpoint.body, idFor) }),
    };
    if (!('public' in endpoint.needs)) {
      const { status } = await target.send(endpoint.key, good, null);
      if (status !== 401 && status !== 429)
        note(endpoint.key, good, [`answered ${status} without a session`]);
    }
    const calls = [...hostileCalls(endpoint, good, random, each), ...mixedCalls(good, () => anyOf(others))];
    for (const call of calls) {
      const answer = await target.send(endpoint.key, call, token);
      sent += 1;
      const secrets = others.filter((id) => !own.includes(id) && !JSON.stringify(call).includes(id));
      note(endpoint.key, call, faultsOf(answer, secrets));
      if (answer.status === 429) break; // As often as a minute allows: on with the next.
    }
  }
  say(`${sent} calls sent.`);
  return found;
}

await main();
