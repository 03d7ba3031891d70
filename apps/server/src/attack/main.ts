import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runAttack } from './run-attack.ts';
import type { Role } from './visitors.ts';

const HELP = `npm run attack -- --url <server> --email <test account> [--other <account>] [--guest <account>] [--ended <account>] [--staff <account>]
                  [--seed <number>] [--each <values a place, 3>] [--wait <minutes in all, 30>] [--only <text in a call's name>]

Sends hostile calls to a Headrace server of yours and says which answers are wrong: 5xx, slower than 5 s, telling of the inside,
answered without a session, telling or changing something of the other account, or done by somebody who may not:
  --email   has a farm, best with a gateway and a sprinkler      --other   has another farm, which the first doesn't see
  --guest   has a share of the first farm with few rights        --ended   had one that has ended
  --staff   is support staff without a session on the farm
None of them may have a second step. It says the seed, with which the same calls come again. Where the server says that it was asked too
often it waits. What was not tried is named: what was cut short, what an account is missing for, what the other account has nothing of (best is a farm
with a gateway, a sprinkler, a group, a schedule, an alert and a backup), and calls that were refused for what they say, before the right to
them was asked for. It ends with 3 then, with 0 where all was tried, and with 1 where something is wrong.

It signs in with accounts that you made for this, by their passwords on standard input, one a line, in the order above. It MAKES, CHANGES
AND DELETES whatever these accounts may: farms, devices, schedules, shares. Commands go to their gateways. Never give it an account that
somebody uses, and none that a real farm is shared with. It sends some thousand calls, each after the one before.`;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const roles: readonly Role[] = ['guest', 'ended', 'staff'];

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      url: text,
      email: text,
      other: text,
      guest: text,
      ended: text,
      staff: text,
      only: text,
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      each: { type: 'string', default: '3' },
      wait: { type: 'string', default: '30' },
    },
  });
  if (!values.url || !values.email) {
    say(HELP);
    process.exitCode = 2;
    return;
  }
  const passwords = readFileSync(0, 'utf8').split('\n');
  const account = (email: string) => ({ email, password: (passwords.shift() ?? '').trim() });
  process.exitCode = await runAttack(
    {
      url: values.url,
      first: account(values.email),
      other: values.other ? account(values.other) : null,
      visitors: roles.flatMap((role) => {
        const email = values[role];
        return email ? [{ role, ...account(email) }] : [];
      }),
      seed: Number(values.seed),
      each: Number(values.each),
      waitMs: Number(values.wait) * 60_000,
      only: values.only ? new RegExp(values.only) : null,
    },
    say,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
