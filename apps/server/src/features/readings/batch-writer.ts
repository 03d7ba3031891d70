import type { PoolClient } from 'pg';
import { USAGE_LIMITS } from '@headrace/contract/limits';
import { ensurePartitions, inTransaction } from '../../db/partitions.ts';
import { nothingSettled, type Settled } from '../commands/answers.ts';
import { deadLetterOf } from './dead-letter.ts';
import type { DeviceDirectory, FindDevice, FindGoneFarm } from './device-directory.ts';
import {
  type ConfiguredDevice,
  writeConfigAnswers,
  writeFacts,
  writeGatewayChanges,
  writeIoTaken,
} from './gateway-writer.ts';
import type { Held, IngestMetrics, IngestOptions } from './ingest-options.ts';
import {
  allAskedFor,
  devicesAskedFor,
  gatewaysAskedFor,
  type Hello,
  interpret,
  type Interpretation,
} from './interpret.ts';
import { takeOut } from './kept-messages.ts';
import { writeLastUplinks } from './last-uplinks.ts';
import { writeDeadLetters } from './letter-writer.ts';
import { createQuotas, type Tally } from './quotas.ts';
import { countUplinks, type DueUplink, endWaiting, keepUplinks, type UplinkCount } from './raw-uplinks.ts';
import { writeReadings, type WrittenReadings } from './reading-writer.ts';
import type { DeviceReading, SeriesDirectory } from './series-directory.ts';
import type { SeriesReading } from './fold-rollups.ts';
import { type UnitHeldReport, writeHeld } from '../programmes/held-writer.ts';
import { type UnitReport, writeWaterings } from '../waterings/watering-writer.ts';
import type { Replay } from './uplink.ts';
import type { UplinkStore } from './uplink-store.ts';
import type { UsageCounter } from './usage-counter.ts';
import { EventCollector, eventTypeOf, type StatusEvent } from './status-events.ts';

/** What one commit stored. */
interface Written {
  readings: WrittenReadings;
  factsChanged: ReadonlySet<number>;
  configured: readonly ConfiguredDevice[];
  settled: Settled;
  uplinkCounts: readonly UplinkCount[];
}

/** The devices that a batch speaks of. */
interface Known {
  readonly findDevice: FindDevice;
  readonly goneFarm: FindGoneFarm;
}

interface WriterParts {
  readonly devices: DeviceDirectory;
  readonly series: SeriesDirectory;
  readonly store: UplinkStore;
  readonly usage: UsageCounter;
}

/** Some of what was decoded doesn't wait for it any more. */
class DecodedElsewhereError extends Error {
  constructor(readonly waited: ReadonlySet<string>) {
    super('decoded elsewhere meanwhile');
  }
}

const DAY_MS = 86_400_000;

/** Turns held parts into one transaction; afterwards acknowledges them and says what changed. */
export function createBatchWriter(
  options: IngestOptions,
  counts: IngestMetrics,
  { devices, series, store: uplinkStore, usage }: WriterParts,
) {
  const { pool, log, limits = USAGE_LIMITS } = options;
  const quotas = createQuotas({ pool, now: options.now, limits, usage });

  async function commit(parts: readonly Held[]): Promise<void> {
    try {
      await judge(parts, await lookUp(parts));
    } catch (error) {
      if (!(error instanceof DecodedElsewhereError)) throw error;
      const isOver = ({ due }: Held) => due !== undefined && !error.waited.has(due.uplinkId);
      for (const part of parts) if (isOver(part)) part.settled();
      const left = parts.filter((part) => !isOver(part));
      if (left.length > 0) await commit(left);
    }
  }

  async function judge(parts: readonly Held[], { findDevice, goneFarm }: Known): Promise<void> {
    await quotas.load(farmsOf(parts, findDevice));
    const tally = quotas.begin();
    const { retentionDays, clock } = options;
    const { hasRoom } = uplinkStore;
    const judgement = { retentionDays, clock, take: tally.take, hasRoom, goneFarm };
    await store(parts, interpret(parts, findDevice, judgement), tally);
  }

  async function store(parts: readonly Held[], meaning: Interpretation, tally: Tally): Promise<void> {
    const tooMany = new Set<DeviceReading>();
    const rows = await series.assign(meaning.readings, (reading) => tooMany.add(reading));
    if (tooMany.size > 0) refuseSeries(meaning, tooMany, tally, limits.farmSeries);
    await ensurePartitions(pool, new Set(rows.map(({ at }) => at - (at % DAY_MS))));
    const replays = replaysOf(parts, meaning);
    const due = parts.flatMap((part) => part.due ?? []);
    const written = await write(meaning, rows, { replays, due });
    tally.settle(written.readings.byFarm);
    count(meaning, written);
    for (const part of parts) part.settled();
    uplinkStore.stored(written.uplinkCounts);
    announce(eventsOf(meaning, rows, written), meaning.hellos, written.settled);
  }

  async function lookUp(parts: readonly Held[]): Promise<Known> {
    const findGateway = await devices.load(parts.flatMap(gatewaysAskedFor));
    const findDevice = await devices.load(parts.flatMap((part) => devicesAskedFor(part, findGateway)));
    const unknown = parts
      .flatMap((part) => allAskedFor(part, findGateway))
      .filter((query) => query.farmId === null && !findDevice(query));
    return { findDevice, goneFarm: await devices.loadGone(unknown) };
  }

  function write(
    meaning: Interpretation,
    rows: readonly SeriesReading[],
    { replays, due }: { replays: readonly Replay[]; due: readonly DueUplink[] },
  ): Promise<Written> {
    return inTransaction(pool, async (client) => {
      const waited = await endWaiting(client, due);
      if (waited.size < due.length) throw new DecodedElsewhereError(waited);
      const more = await keepUplinks(client, meaning.rawUplinks);
      const readings = await writeReadings(client, rows);
      await writeGatewayChanges(client, [...meaning.gateways.values()]);
      const factsChanged = await writeFacts(client, meaning.facts);
      const configured = await writeConfigAnswers(client, meaning.configAnswers);
      await writeIoTaken(client, meaning.ioTaken);
      const settled = await settle(client, meaning);
      await writeWaterings(client, valveReports(meaning, settled));
      await writeHeld(client, heldReports(meaning, settled));
      await writeLastUplinks(client, meaning.uplinks);
      await takeOut(client, replays);
      await writeDeadLetters(client, meaning.deadLetters, options.now(), options.letterBounds);
      const uplinkCounts = await countUplinks(client, more, due);
      return { readings, factsChanged, configured, settled, uplinkCounts };
    });
  }

  async function settle(client: PoolClient, { answers, valves }: Interpretation): Promise<Settled> {
    if (!options.settle || (answers.length === 0 && valves.length === 0)) return nothingSettled;
    return options.settle(client, answers, valves, options.now());
  }

  function count(meaning: Interpretation, { readings, configured, settled }: Written): void {
    counts.commits += 1;
    counts.readings += readings.inserted;
    counts.repeatedReadings += meaning.readings.length - readings.inserted;
    counts.lateReadings += readings.late;
    counts.deadLetters += meaning.deadLetters.length;
    const done = meaning.answers.filter(
      ({ answer, cmdId }) => answer === 'done' && !/^(list|io)-/.test(cmdId),
    );
    const known = configured.filter(({ isDone }) => isDone).length + settled.matched;
    counts.unknownAcks += Math.max(0, done.length - known);
  }

  /** What listens must not be able to stop what stores. */
  function announce(events: StatusEvent[], hellos: readonly Hello[], settled: Settled): void {
    try {
      if (settled !== nothingSettled) options.onSettled?.(settled);
      if (events.length > 0) options.onCommitted(events);
      for (const { gateway, bootId, receivedAt } of hellos) {
        const { farmId, farmUid, id: deviceId, uid, mac, zone } = gateway;
        options.onHello?.({ farmId, farmUid, deviceId, uid, mac, zone, bootId, receivedAt });
      }
    } catch (error) {
      log.error({ err: error }, 'a listener failed after device messages were stored');
    }
  }

  return {
    commit,
    /** Of one farm, or of all after a failure: what is remembered may be why. */
    forget(farmId?: number): void {
      devices.forget(farmId);
      if (farmId === undefined) series.forgetAll();
    },
  };
}

/** Reports of valves, and what answers say of them. */
function valveReports({ valves }: Interpretation, settled: Settled): UnitReport[] {
  return [
    ...valves.map((valve) => ({ ...valve, how: 'said' as const })),
    ...settled.valves.map((valve) => ({ ...valve, how: 'answered' as const })),
  ];
}

/** Checksums that units reported, and schedules that they answered to have taken. */
function heldReports({ facts }: Interpretation, settled: Settled): UnitHeldReport[] {
  const said = facts.filter(({ name }) => name === 'ipcCrc');
  return [
    ...said.map(({ device: { farmId, id }, at, value }) => ({
      farmId,
      deviceId: id,
      at,
      crc: value,
      how: 'said' as const,
      programme: null,
    })),
    ...settled.held,
  ];
}

/** What comes again, each with whether any of it is refused once more. */
function replaysOf(parts: readonly Held[], { deadLetters }: Interpretation): Replay[] {
  const replays = new Set(parts.flatMap(({ message }) => message.replay ?? []));
  for (const { message, reason } of deadLetters) if (message.replay) message.replay.refused ??= reason;
  return [...replays];
}

/** The farms whose devices speak here: one message is of one farm. */
function farmsOf(parts: readonly Held[], findDevice: FindDevice): Set<number> {
  const farms = new Set<number>();
  let last: Held['message'] | null = null;
  for (const part of parts) {
    if (part.message === last) continue;
    last = part.message;
    for (const query of devicesAskedFor(part, findDevice)) {
      const device = findDevice(query);
      if (device) farms.add(device.farmId);
    }
  }
  return farms;
}

/** Takes readings out whose series would be their farm's too many. */
function refuseSeries(
  meaning: Interpretation,
  tooMany: ReadonlySet<DeviceReading>,
  { refused }: Tally,
  most: number,
): void {
  meaning.readings = meaning.readings.filter((reading) => !tooMany.has(reading));
  const messages = new Set<Held['message']>();
  for (const { held, device } of tooMany) {
    const { farmId } = device;
    refused.set(farmId, (refused.get(farmId) ?? 0) + 1);
    if (!held || messages.has(held.message)) continue;
    messages.add(held.message);
    const reason = `over the limit of ${most} values that are kept of a farm: remove devices, or ask the operator for more`;
    meaning.deadLetters.push(deadLetterOf(held, reason, { farmId }));
  }
}

function eventsOf(meaning: Interpretation, rows: readonly SeriesReading[], written: Written): StatusEvent[] {
  const events = new EventCollector();
  const deviceOf = new Map<number, DeviceReading['device']>();
  for (const [index, row] of rows.entries()) {
    const device = meaning.readings[index]?.device;
    if (device) deviceOf.set(row.series.id, device);
  }
  for (const { seriesId, at } of written.readings.advanced) {
    const device = deviceOf.get(seriesId);
    if (device) events.add(device, eventTypeOf(device), at);
  }
  for (const { device, at } of meaning.facts)
    if (written.factsChanged.has(device.id)) events.add(device, eventTypeOf(device), at);
  for (const device of written.configured)
    events.add(device, eventTypeOf(device), device.answeredAt.getTime());
  for (const { gateway, at } of meaning.ioTaken) events.add(gateway, 'io', at);
  for (const { gateway, isNews, contactAt, state } of meaning.gateways.values())
    if (isNews) events.add(gateway, 'gateway', Math.max(contactAt ?? 0, state?.at ?? 0));
  return events.all();
}
