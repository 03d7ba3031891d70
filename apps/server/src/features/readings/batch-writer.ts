import type { PoolClient } from 'pg';
import { ensurePartitions, inTransaction } from '../../db/partitions.ts';
import { nothingSettled, type Settled } from '../commands/answers.ts';
import { type DecodeStage, noDecoder, type Undecoded } from './decode-stage.ts';
import { createDeviceDirectory, type FindDevice } from './device-directory.ts';
import {
  type ConfiguredDevice,
  writeConfigAnswers,
  writeDeadLetters,
  writeFacts,
  writeGatewayChanges,
  writeIoTaken,
} from './gateway-writer.ts';
import type { Held, IngestMetrics, IngestOptions } from './ingest-options.ts';
import {
  devicesAskedFor,
  gatewaysAskedFor,
  type Hello,
  interpret,
  type Interpretation,
  sensorAskedFor,
} from './interpret.ts';
import { writeLastUplinks } from './last-uplinks.ts';
import { needsCodec } from './read-payload.ts';
import { writeReadings, type WrittenReadings } from './reading-writer.ts';
import { createSeriesDirectory, type DeviceReading } from './series-directory.ts';
import type { SeriesReading } from './fold-rollups.ts';
import { EventCollector, eventTypeOf, type StatusEvent } from './status-events.ts';

/** What one commit stored. */
interface Written {
  readings: WrittenReadings;
  factsChanged: ReadonlySet<number>;
  configured: readonly ConfiguredDevice[];
  settled: Settled;
}

const DAY_MS = 86_400_000;

/** Turns held parts into one transaction; afterwards acknowledges them and says what changed. */
export function createBatchWriter(options: IngestOptions, counts: IngestMetrics, decodeStage: DecodeStage) {
  const { pool, log, decoder = noDecoder } = options;
  const devices = createDeviceDirectory(pool, options.now);
  const series = createSeriesDirectory(pool);

  /** What a codec has to decode first is handed on when the others are stored: a failed batch is tried again as a whole. */
  async function commit(all: readonly Held[]): Promise<void> {
    const findDevice = await know(all);
    const { parts, undecoded } = apart(all, findDevice);
    const decode = undecoded.length > 0 ? await decoder.load(undecoded.map(({ device }) => device)) : null;
    if (parts.length > 0) await store(parts, interpret(parts, findDevice, options.retentionDays));
    if (decode) for (const one of undecoded) decodeStage.take(one, decode);
  }

  async function store(parts: readonly Held[], meaning: Interpretation): Promise<void> {
    const rows = await series.assign(meaning.readings);
    await ensurePartitions(pool, new Set(rows.map(({ at }) => at - (at % DAY_MS))));
    const written = await write(meaning, rows);
    count(meaning, written);
    for (const part of parts) part.settled();
    announce(eventsOf(meaning, rows, written), meaning.hellos, written.settled);
  }

  async function know(parts: readonly Held[]): Promise<FindDevice> {
    const findGateway = await devices.load(parts.flatMap(gatewaysAskedFor));
    return devices.load(parts.flatMap((part) => devicesAskedFor(part, findGateway)));
  }

  function write(meaning: Interpretation, rows: readonly SeriesReading[]): Promise<Written> {
    return inTransaction(pool, async (client) => {
      const readings = await writeReadings(client, rows);
      await writeGatewayChanges(client, [...meaning.gateways.values()]);
      const factsChanged = await writeFacts(client, meaning.facts);
      const configured = await writeConfigAnswers(client, meaning.configAnswers);
      await writeIoTaken(client, meaning.ioTaken);
      const settled = await settle(client, meaning);
      await writeLastUplinks(client, meaning.uplinks);
      await writeDeadLetters(client, meaning.deadLetters);
      return { readings, factsChanged, configured, settled };
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

function apart(all: readonly Held[], findDevice: FindDevice): { parts: Held[]; undecoded: Undecoded[] } {
  const parts: Held[] = [];
  const undecoded: Undecoded[] = [];
  for (const held of all) {
    const { part, message } = held;
    const device =
      part.kind === 'network' && message.sender.kind !== 'gateway'
        ? findDevice(sensorAskedFor(message, part.uplink.devEui))
        : undefined;
    if (part.kind === 'network' && device && needsCodec(part, device)) undecoded.push({ held, part, device });
    else parts.push(held);
  }
  return { parts, undecoded };
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
