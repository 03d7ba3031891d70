import type { Pool } from 'pg';
import { commandTypes } from '@headrace/contract/command-types';
import { laneOf, lanes } from '@headrace/device/lanes';
import type { Db } from '../../db/client.ts';
import type { LivePublisher } from '../../live/live-publisher.ts';
import type { MqttTransport } from '../../mqtt/transport.ts';
import { createProgrammesRepo } from '../programmes/programmes.repo.ts';
import { createAnnounce } from './announce.ts';
import type { GatewayKey, Settled } from './answers.ts';
import { cancelQueued } from './cancel.ts';
import { startCommandClock } from './command-clock.ts';
import { createCommandsRepo, type NewUnit } from './commands.repo.ts';
import type { CommandsOptions as ServiceOptions, RelayGuard } from './commands-options.ts';
import { createCommandsService } from './commands.service.ts';
import { createDeliver } from './deliver.ts';
import { createDeliverRepo } from './deliver.repo.ts';
import { createOwnCommands } from './own-commands.ts';
import { inLineOrder, lineSamples } from './line-order.ts';
import { firstFinish, type Intended, planSend } from './send-plan.ts';
import { createTargetsRepo } from './targets.repo.ts';
import { readHeard, readLastHeard, readUnitFacts } from './unit-facts.ts';
import { unheardOf } from './unheard.ts';
import { inOrder } from './unit-order.ts';

export interface CommandsOptions {
  db: Db;
  pool: Pool;
  now: () => Date;
  log: { warn(details: object, message: string): void };
  live: Pick<LivePublisher, 'publish' | 'toAccount'>;
  publish: MqttTransport['publish'];
  relays: RelayGuard;
  beyondSupply: ServiceOptions['beyondSupply'];
  /** Units of a farm changed places. */
  onDevicesChanged: (farmId: number) => void;
}

/** Everything of commands, put together: the calls, what ingest hands over, and the clock that looks after what waits. */
export function createCommands(options: CommandsOptions) {
  const { db, pool, now, log, live, publish, relays, beyondSupply, onDevicesChanged } = options;
  const deliverRepo = createDeliverRepo(pool);
  const commands = createCommandsRepo(db, now);
  const programmes = createProgrammesRepo(db);
  const announce = createAnnounce({
    commands,
    stopsOf: programmes.stopsOf,
    farmUidOf: commands.farmUid,
    toFarm: (events) => live.publish(events),
    toAccount: (accountId, frame) => live.toAccount(accountId, frame),
    log,
  });
  const deliver = createDeliver({
    repo: deliverRepo,
    publish,
    now,
    onChanged: announce.changed,
    log,
  });
  const own = createOwnCommands(db, now);

  async function inLines({ farmId, found: { units, schedules } }: Intended): Promise<readonly NewUnit[]> {
    if (!schedules || units.length < 2) return units;
    const before = await programmes.wantedOf(farmId, lineSamples(units));
    return inLineOrder(units, before, schedules.cycleDays);
  }

  return {
    /** When all is sent and told that is under way: before the database is closed. */
    async done(): Promise<void> {
      await deliver.done();
      await announce.done();
    },

    service: createCommandsService(commands, createTargetsRepo(db), {
      deliver,
      relays,
      beyondSupply,
      inOrder: async (intended, at) => {
        const { farmId, name, found } = intended;
        const isStop = laneOf(commandTypes[name]) === lanes.stop;
        const heard = isStop
          ? await readHeard(pool, farmId, found.units)
          : await readLastHeard(pool, farmId, found.units, at);
        const unheard = unheardOf(intended, heard, at);
        return inOrder(name, await inLines(intended), heard, at).map((unit) =>
          unheard.has(unit.deviceId) ? { ...unit, isUnheard: true } : unit,
        );
      },
      firstFinish: (intended, at) => firstFinish(pool, intended, at),
      plan: (intended, at) => planSend(pool, intended, at),
      facts: async (farmId, deviceIds) => [
        ...(
          await readUnitFacts(
            pool,
            farmId,
            deviceIds.map((deviceId) => ({ deviceId, gatewayId: 0 })),
            now(),
          )
        ).values(),
      ],
      cancelQueued: (key, accountId, at) => cancelQueued(pool, key, accountId, at),
      stopUnstopped: own.stopUnstopped,
      onChanged: announce.changed,
      toAccount: (accountId, frame) => live.toAccount(accountId, frame),
      onStops: announce.stops,
    }),

    /** After answers were committed: tells of them, and sends what waited for them. */
    settled(settled: Settled): void {
      announce.settled(settled);
      for (const { farmId } of settled.swaps) onDevicesChanged(farmId);
      for (const gateway of settled.gateways) void deliver.run(gateway);
    },

    /** A gateway has come back and has the time. */
    hello: (gateway: GatewayKey) => deliver.run(gateway, true),

    /** The server that answered gateways may have died before it answered the last of them: what is unanswered goes again. */
    async takeOver(): Promise<void> {
      const gateways = await deliverRepo.withWork(['sent', 'accepted']);
      await Promise.all(gateways.map((gateway) => deliver.run(gateway, true)));
    },

    startClock: (everyMs?: number) =>
      startCommandClock({
        pool,
        deliver,
        waiting: () => deliverRepo.withWork(['queued']),
        own,
        now,
        onChanged: announce.changed,
        log,
        ...(everyMs !== undefined && { everyMs }),
      }),
  };
}
export type Commands = ReturnType<typeof createCommands>;
