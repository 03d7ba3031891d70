import { checker } from '@headrace/device/check';
import { commandInfo, listAckId, setAckId } from '@headrace/device/commands';
import * as downlinks from '@headrace/device/downlinks';
import { parseJson } from '@headrace/device/json';
import { type AckMessage, PumpControlConfig } from '@headrace/device/messages';
import type { GatewayDownKind } from '@headrace/device/topics';
import type { GatewayProfile } from '@headrace/demo/profile';
import type { LiveFarm } from './live-farm.ts';
import type { GatewayLink } from './links.ts';
import type { UnitState } from './models/sprinkler.ts';
import type { Log } from './mqtt-link.ts';
import type { Scheduler } from './scheduler.ts';

export type CommandOptions = {
  readonly gateway: GatewayProfile;
  readonly link: () => GatewayLink | undefined;
  readonly live: LiveFarm;
  readonly scheduler: Scheduler;
  readonly now: () => number;
  /** How long a gateway takes to answer, ms; a unit, which has to wake up first, takes four times as long. */
  readonly ackDelayMs: number;
  readonly log: Log;
};

type Outcome = { state: 'done' | 'failed'; error?: string; done?: number; total?: number };

const checkCommand = checker(downlinks.CommandDown);
const checkList = checker(downlinks.IpcListDown);
const checkSchedules = checker(downlinks.SchedulesDown);
const checkConfig = checker(downlinks.ConfigDown);
const checkTime = checker(downlinks.TimeDown);
const checkPumpControl = checker(PumpControlConfig);

const rememberedCommands = 1000;
const hourMs = 3_600_000;
const modes = ['Mesh', 'Local', 'Hybrid'] as const;

/** What a gateway does with what it is told. Anything that can't be read is left alone, with a line in the log. */
export function createCommandHandler(options: CommandOptions) {
  const { gateway, live, scheduler, now, log } = options;
  const seen = new Set<string>();
  const listParts = new Map<number, Set<number>>();
  let clockOffsetMs = 0;
  const clock = () => now() + clockOffsetMs;

  function handle(kind: GatewayDownKind, payload: Uint8Array): void {
    const parsed = parseJson(payload);
    const problem = parsed.ok ? dispatch(kind, parsed.value) : parsed.reason;
    if (problem) log.warn({ gateway: gateway.name, kind, problem }, 'could not be read');
  }

  function dispatch(kind: GatewayDownKind, value: unknown): string | null {
    switch (kind) {
      case 'time':
        return withChecked(checkTime(value), setTime);
      case 'cmd':
        return withChecked(checkCommand(value), command);
      case 'config':
        return withChecked(checkConfig(value), config);
      case 'ipc-list':
        return withChecked(checkList(value), list);
      case 'schedules':
        return withChecked(checkSchedules(value), schedules);
      case 'io-settings':
        return null;
      default:
        return kind satisfies never;
    }
  }

  function ack(message: Omit<AckMessage, 'at'>): void {
    const full: AckMessage = { ...message, at: new Date(clock()).toISOString() };
    options
      .link()
      ?.publish('ack', full)
      .catch((error: unknown) =>
        log.warn({ gateway: gateway.name, reason: String(error) }, 'ack not published'),
      );
  }

  function later(factor: number, run: () => void): void {
    scheduler.add(now() + options.ackDelayMs * factor, run);
  }

  /** Accepted at once, carried out a while later. */
  function answer(cmdId: string, factor: number, carryOut: () => Outcome, mac?: string): void {
    const about = { cmdId, ...(mac !== undefined && { mac }) };
    ack({ ...about, state: 'accepted' });
    later(factor, () => ack({ ...about, ...carryOut() }));
  }

  function setTime({ utc, cmdId }: downlinks.TimeDown): void {
    clockOffsetMs = Date.parse(utc) - now();
    if (cmdId === undefined || isRepeated(cmdId)) return;
    answer(cmdId, 1, () => {
      live.changeUnits(ownUnits(), (unit, time) => ({ ...unit, clockSetAt: time }), now());
      return { state: 'done' };
    });
  }

  function command(given: downlinks.CommandDown): void {
    if (Date.parse(given.expiresAt) <= clock() || isRepeated(given.cmdId)) return;
    const target = commandInfo(given.type)?.target ?? 'gateway';
    answer(given.cmdId, target === 'gateway' ? 1 : 4, () => carryOut(given, target !== 'gateway'), given.mac);
  }

  function isRepeated(cmdId: string): boolean {
    if (seen.has(cmdId)) return true;
    seen.add(cmdId);
    for (const oldest of seen) {
      if (seen.size <= rememberedCommands) break;
      seen.delete(oldest);
    }
    return false;
  }

  function carryOut(given: downlinks.CommandDown, isForUnits: boolean): Outcome {
    if (!isForUnits) return carryOutHere(given);
    const wanted = given.mac === undefined ? macsOf(given) : [given.mac];
    const reached = wanted.filter((mac) => isInReach(mac));
    const effect = unitEffect(given);
    if (effect !== undefined) live.changeUnits(reached, effect, now());
    if (wanted.length === 1 && reached.length === 0) return { state: 'failed', error: 'unit did not answer' };
    return { state: 'done', ...(wanted.length > 1 && { done: reached.length, total: wanted.length }) };
  }

  function macsOf({ payload, type }: downlinks.CommandDown): string[] {
    const { macs } = payload;
    if (Array.isArray(macs)) return macs.filter((mac) => typeof mac === 'string');
    // RefreshAll and IncScheduleAll name nobody: they mean everyone.
    return type === 29 || type === 17 ? ownUnits() : [];
  }

  function ownUnits(): string[] {
    return [...live.units.values()]
      .filter(({ unit }) => unit.gatewayMac === gateway.mac)
      .map(({ unit }) => unit.mac);
  }

  function isInReach(mac: string): boolean {
    const context = live.units.get(mac);
    return context?.unit.gatewayMac === gateway.mac && context.unit.model.fault !== 'silent';
  }

  function carryOutHere({ type, payload }: downlinks.CommandDown): Outcome {
    if (type === 16) live.publishStatus(gateway, now());
    if (type !== 24) return { state: 'done' };
    const { relay, set } = payload;
    if (typeof relay !== 'number' || relay < 1 || relay > 6 || typeof set !== 'boolean')
      return { state: 'failed', error: 'relay must be 1 to 6 and set true or false' };
    if (!gateway.io) return { state: 'failed', error: 'this gateway has no relays' };
    live.setRelay(gateway, relay, set, now());
    return { state: 'done' };
  }

  function list({ rev, part, parts }: downlinks.IpcListDown): void {
    for (const older of listParts.keys()) if (older < rev) listParts.delete(older);
    const got = listParts.get(rev) ?? new Set();
    listParts.set(rev, got.add(part));
    if (got.size < parts) return;
    listParts.delete(rev);
    live.setListRev(gateway.mac, rev);
    later(1, () => ack({ cmdId: listAckId(rev), state: 'done' }));
  }

  function schedules({ rev, units }: downlinks.SchedulesDown): void {
    for (const [index, { mac, crc, entries }] of units.entries())
      later(4 + index / 4, () => {
        if (!isInReach(mac)) return;
        const change = ({ inhibited: _inhibited, ...unit }: UnitState) => ({
          ...unit,
          crc,
          entries: entries.length,
        });
        live.changeUnits([mac], change, now());
        ack({ cmdId: setAckId(rev), mac, state: 'done' });
      });
  }

  function config(given: downlinks.ConfigDown): void {
    if (isRepeated(given.configId)) return;
    answer(given.configId, 4, () => applyConfig(given), given.mac);
  }

  function applyConfig({ configType, config: wanted, mac }: downlinks.ConfigDown): Outcome {
    if (configType !== 'D100_PumpControl' && configType !== 'LegacyTlm_PumpControl') return { state: 'done' };
    const control = checkPumpControl(wanted);
    if (!control.ok) return { state: 'failed', error: control.reason };
    if (live.sensors.get(mac)?.profile.gatewayMac !== gateway.mac)
      return { state: 'failed', error: 'sensor is not heard here' };
    return live.setPumpControl(mac, control.value, now())
      ? { state: 'done' }
      : { state: 'failed', error: 'sensor has no pump' };
  }

  return { handle };
}

function withChecked<T>(
  checked: { ok: true; value: T } | { ok: false; reason: string },
  run: (value: T) => void,
): string | null {
  if (!checked.ok) return checked.reason;
  run(checked.value);
  return null;
}

/** What a command does to a unit; `null` = it only tells how it is, `undefined` = it answers and nothing changes. */
function unitEffect(
  given: downlinks.CommandDown,
): ((unit: UnitState, time: number) => UnitState) | null | undefined {
  switch (given.type) {
    case 1:
    case 22:
    case 29:
      return null;
    case 2:
    case 30:
      return ({ shutUntil: _shut, ...unit }, time) => ({
        ...unit,
        openUntil: time + (given.maxOpenMinutes ?? 60) * 60_000,
      });
    case 3:
    case 31:
      return ({ openUntil: _open, ...unit }, time) => ({ ...unit, shutUntil: time + 3 * hourMs });
    case 4:
    case 8:
      return ({ openUntil: _open, ...unit }) => ({ ...unit, inhibited: true });
    case 5:
    case 9:
      return ({ inhibited: _inhibited, ...unit }) => unit;
    case 20:
      return (unit) => ({ ...unit, mode: modes[Number(given.payload.commsMode)] ?? 'Mesh' });
    case 27:
      return (unit) => ({ ...unit, mode: String(given.payload.value) });
    default:
      return undefined;
  }
}
