import type { Pool } from 'pg';
import type { UnitState } from '@headrace/contract/command-types';
import { typesThat } from '@headrace/device/commands';
import { lanes } from '@headrace/device/lanes';
import { inTransaction } from '../../db/partitions.ts';
import { commandIsLive, unitIsLive } from '../../db/under-way.ts';
import { waitToBeHeard } from '../programmes/catch-up-writer.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import { begunSince } from './begun-since.ts';
import { expiryNote } from './command-life.ts';
import { type CommandProgress, lockCommands, writeCommandStates, writeUnits } from './command-writer.ts';
import type { Deliver } from './deliver.ts';
import { followMoved } from './moved-units.ts';
import type { OwnCommands } from './own-commands.ts';
import { queueStopsAgain } from './stop-again.ts';
import { valveOffTypes, valveOnTypes } from './valve-types.ts';
import { GATEWAY_SAYS } from './settle.ts';

/** A gateway that took a command may still be at it when its time runs out, ms. */
const RESULT_GRACE_MS = 5 * 60_000;
const AT_ONCE = 500;

interface LiveRow extends CommandKey {
  deviceId: number;
  state: UnitState;
  isGivenOut: boolean;
  /** What the gateway said of the command as a whole; empty: nothing. */
  note: string;
  isOpening: boolean;
  isClosing: boolean;
  isUninhibit: boolean;
  createdAt: Date;
}

// A window of a send waits for its gateway to come back, and what wasn't handed over yet for its next turn: until the command ends.
const deadline = `case when u.lane = ${lanes.many} and (u.state = 'queued' or not g.online)
    then c.expires_at else coalesce(u.expires_at, c.expires_at) end`;
const isDue = (now: string, grace: string) =>
  `(${deadline} <= case when u.state = 'accepted' then ${grace}::timestamptz else ${now}::timestamptz end)`;

const unitText = `command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join gateway_state g on g.farm_id = u.farm_id and g.device_id = u.gateway_id`;

const overdueText = `select u.farm_id as "farmId", u.command_id as "commandId" from (
    select u.farm_id, u.command_id from ${unitText}
      where ${commandIsLive('c')} and c.expires_at <= $1
        and ${unitIsLive('u')} and ${isDue('$1', '$2')}
    union
    select u.farm_id, u.command_id from ${unitText}
      where u.expires_at <= $1 and ${unitIsLive('u')} and ${isDue('$1', '$2')}) u
  order by 1, 2 limit ${AT_ONCE}`;

const expiredUnitsText = `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId", u.state,
    u.sending > 0 as "isGivenOut",
    case when starts_with(u.note, '${GATEWAY_SAYS}') then u.note else '' end as note, c.type in (${valveOnTypes}) as "isOpening",
    c.type in (${valveOffTypes}) as "isClosing", c.type in (${typesThat('uninhibits').join(', ')}) as "isUninhibit", c.created_at as "createdAt"
  from ${unitText}
  join unnest($1::int[], $2::int[]) as k (farm_id, id) on k.farm_id = c.farm_id and k.id = c.id
  where ${unitIsLive('u')} and ${isDue('$3', '$4')} order by u.farm_id, u.command_id, u.position`;

/** Ends what ran out of time, each unit with what is known of it. */
export function expire(pool: Pool, now: Date): Promise<CommandProgress[]> {
  return inTransaction(pool, async (client) => {
    const grace = new Date(now.getTime() - RESULT_GRACE_MS);
    const { rows: overdue } = await client.query<CommandKey>(overdueText, [now, grace]);
    if (overdue.length === 0) return [];
    await lockCommands(client, overdue);
    const { rows } = await client.query<LiveRow>(expiredUnitsText, [
      overdue.map(({ farmId }) => farmId),
      overdue.map(({ commandId }) => commandId),
      now,
      grace,
    ]);
    const begun = await begunSince(
      client,
      rows.filter(({ isClosing }) => isClosing),
      now,
    );
    await writeUnits(
      client,
      rows.map((row) => ({
        ...row,
        state: 'expired',
        at: now,
        note: expiryNote(row.state, row.isGivenOut, {
          said: row.note,
          isOpening: row.isOpening,
          isUninhibit: row.isUninhibit,
          hasBegunAnew: row.isClosing && begun.has(row.deviceId),
        }),
      })),
    );
    await waitToBeHeard(client, rows, now);
    return writeCommandStates(client, rows, now);
  });
}

/**
 * Every few seconds: ends what ran out of time, queues what is sent of our own accord, and sends what still waits, as after
 * a crash between storing and sending. All servers do it; locks keep them apart.
 */
export function startCommandClock(options: {
  pool: Pool;
  deliver: Deliver;
  /** Gateways that are there and have something to be sent. */
  waiting: () => Promise<GatewayKey[]>;
  own: OwnCommands;
  now: () => Date;
  onChanged: (changed: readonly CommandProgress[]) => void;
  log: { warn(details: object, message: string): void };
  everyMs?: number;
}): { tick(): Promise<void>; stop(): Promise<void> } {
  const { pool, deliver, now } = options;
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;

  async function tick(): Promise<void> {
    const expired = await expire(pool, now());
    if (expired.length > 0) options.onChanged(expired);
    options.onChanged(await followMoved(pool, now()));
    options.onChanged(await queueStopsAgain(pool, now()));
    options.onChanged(await options.own.queueDue());
    const gateways = [...deliver.owed(), ...(await options.waiting())];
    // Together: a gateway that takes long must not keep the others waiting.
    await Promise.all(gateways.map((gateway) => deliver.run(gateway)));
  }

  const turn = () => {
    if (isBusy) return;
    isBusy = true;
    running = tick()
      .catch((error: unknown) => options.log.warn({ err: error }, 'commands not looked after'))
      .finally(() => (isBusy = false));
  };
  const timer = setInterval(turn, options.everyMs ?? 5000);
  timer.unref();
  return {
    tick,
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
