import { type CommandName, commandTypes } from '@headrace/contract/command-types';
import { sprinklerGateways } from '@headrace/contract/gateway-types';
import { commandInfo } from '@headrace/device/commands';
import { type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';
import { normaliseMac } from '@headrace/device/topics';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import { unitEntries } from './down-messages.ts';
import type { NewUnit } from './commands.repo.ts';
import type { Payload } from './payloads.ts';
import type { TargetGateway, TargetsRepo, TargetUnit } from './targets.repo.ts';

export interface TargetRequest {
  farmId: number;
  name: CommandName;
  mac: string;
  serialNumber: string;
  payload: Payload;
}

/** Whom a command is for, and what each unit is to get. */
export interface Targets {
  /** As the log names it. */
  name: string;
  serialNumber: string;
  units: NewUnit[];
  gateways: TargetGateway[];
  /** Of a send to the whole farm: what it waters by from now on. */
  currentSetId: number | null;
}

const WHOLE_FARM = 'FARM';
const DEFAULT_OPEN_MINUTES = 60;

/** Throws a 400 or 404 that says which unit, group or set isn't there. */
export async function findTargets(repo: TargetsRepo, request: TargetRequest): Promise<Targets> {
  if (!['', '-'].includes(request.mac) && !normaliseMac(request.mac))
    throw invalid('mac: give the 12 or 16 hex digits of the unit, or "-".', 'mac');
  const gateways = await repo.gateways(request.farmId);
  const target = commandInfo(commandTypes[request.name])?.target ?? 'gateway';
  if (target === 'gateway') return gatewayTargets(request, gateways);
  const found = target === 'unit' ? await oneUnit(repo, request) : await severalUnits(repo, request);
  return { ...found, gateways: gatewaysOf(found.units, gateways) };
}

function gatewayTargets({ mac, serialNumber, name }: TargetRequest, all: readonly TargetGateway[]): Targets {
  const chosen = chosenGateways(mac, serialNumber, name, all);
  const [first] = chosen;
  const isOne = chosen.length === 1;
  return {
    name: isOne && first ? first.name : 'All gateways',
    serialNumber: isOne && first ? first.serialNumber : '-',
    units: chosen.map(({ deviceId }) => ({ deviceId, gatewayId: deviceId })),
    gateways: chosen,
    currentSetId: null,
  };
}

/** The one that is named, else all that speak for sprinklers; a relay is on one gateway. */
function chosenGateways(
  mac: string,
  serialNumber: string,
  name: CommandName,
  all: readonly TargetGateway[],
): TargetGateway[] {
  const address = normaliseMac(mac);
  const serial = serialNumber.toLowerCase();
  if (address || (serial && serial !== '-')) {
    const named = all.find((gateway) =>
      address ? gateway.mac === address : gateway.serialNumber.toLowerCase() === serial,
    );
    if (!named) throw notFound('This farm has no gateway with this MAC address or serial number.');
    return [named];
  }
  const speaking = all.filter(({ type }) => sprinklerGateways.includes(type));
  const chosen = speaking.length > 0 ? speaking : [...all];
  return name === 'ToggleIO' ? chosen.slice(0, 1) : chosen;
}

type FoundUnits = Omit<Targets, 'gateways'>;

async function oneUnit(repo: TargetsRepo, request: TargetRequest): Promise<FoundUnits> {
  const { farmId, mac, serialNumber, name, payload } = request;
  const unit = await repo.unit(farmId, mac, serialNumber);
  if (!unit) throw notFound('This farm has no sprinkler with this MAC address or serial number.');
  if (name === 'Replace') await refuseUnitInUse(repo, farmId, unit, payload);
  return {
    name: unit.name,
    serialNumber: unit.serialNumber,
    units: [{ deviceId: unit.deviceId, gatewayId: gatewayOf(unit) }],
    currentSetId: null,
  };
}

/** The unit that is to take the place: new to the farm, or a spare of it. */
async function refuseUnitInUse(
  repo: TargetsRepo,
  farmId: number,
  unit: TargetUnit,
  { mac = '', serialNumber = '' }: Payload,
): Promise<void> {
  if (mac === unit.mac) throw conflict('This is the unit that is there already.', 'payload');
  const other = await repo.holder(farmId, mac, serialNumber);
  if (!other) return;
  if (other.mac !== mac)
    throw conflict(
      `The serial number ${other.serialNumber} belongs to ${other.name}, with another MAC address.`,
      'payload',
    );
  if (other.kind !== 'sprinkler')
    throw conflict(`This MAC address belongs to ${other.name}, which is no sprinkler.`, 'payload');
  if (!other.outOfService)
    throw conflict(
      `${other.serialNumber} is in use as ${other.name}. Please make it a spare first.`,
      'payload',
    );
}

async function severalUnits(repo: TargetsRepo, request: TargetRequest): Promise<FoundUnits> {
  const { farmId, name, payload } = request;
  if (name === 'UpdateSchedule') return scheduledBySerial(repo, farmId, payload);
  const group = await groupOf(repo, farmId, payload.groupUID);
  const units = await repo.unitsInService(farmId, group.id);
  const label = { name: group.name, serialNumber: '-' };
  if (name === 'SendScheduleSet')
    return { ...label, ...(await scheduledByGroup(repo, farmId, payload, units, group.id)) };
  if (units.length === 0) throw invalid('There are no sprinklers in this group.', 'payload');
  return {
    ...label,
    units: units.map((unit) => ({ deviceId: unit.deviceId, gatewayId: gatewayOf(unit) })),
    currentSetId: null,
  };
}

async function groupOf(
  repo: TargetsRepo,
  farmId: number,
  uid: string | undefined,
): Promise<{ id: number | null; name: string }> {
  if (!uid || uid === WHOLE_FARM) return { id: null, name: 'Whole farm' };
  const group = await repo.group(farmId, uid);
  if (!group) throw notFound('This farm has no such group.');
  return group;
}

async function scheduledBySerial(repo: TargetsRepo, farmId: number, payload: Payload): Promise<FoundUnits> {
  const set = await setOf(repo, farmId, payload);
  const serials = [...new Set((payload.serialNumbers ?? []).map((serial) => serial.toLowerCase()))];
  const units = await repo.unitsBySerial(farmId, serials);
  const known = new Set(units.map(({ serialNumber }) => serialNumber.toLowerCase()));
  refuseMissing(
    serials.filter((serial) => !known.has(serial)),
    'Not sprinklers of this farm',
  );
  const entries = await repo.entries(farmId, set.id);
  refuseMissing(
    units.filter(({ deviceId }) => !entries.has(deviceId)).map(({ serialNumber }) => serialNumber),
    `Not in the schedule set ${set.name}`,
  );
  const [only] = units;
  return {
    name: units.length === 1 && only ? only.name : `${units.length} sprinklers`,
    serialNumber: units.length === 1 && only ? only.serialNumber : '-',
    units: units.map((unit) => withSchedule(unit, entries.get(unit.deviceId) ?? [])),
    currentSetId: null,
  };
}

async function scheduledByGroup(
  repo: TargetsRepo,
  farmId: number,
  payload: Payload,
  units: readonly TargetUnit[],
  groupId: number | null,
): Promise<Pick<FoundUnits, 'units' | 'currentSetId'>> {
  if (units.length === 0)
    throw invalid('There are no sprinklers in this group to send the schedule to.', 'payload');
  const set = await setOf(repo, farmId, payload);
  const entries = await repo.entries(farmId, set.id);
  const scheduled = units.filter(({ deviceId }) => entries.has(deviceId));
  if (scheduled.length === 0)
    throw invalid(`The schedule set ${set.name} has nothing for the sprinklers of this group.`, 'payload');
  return {
    units: scheduled.map((unit) => withSchedule(unit, entries.get(unit.deviceId) ?? [])),
    currentSetId: groupId === null ? set.id : null,
  };
}

async function setOf(
  repo: TargetsRepo,
  farmId: number,
  payload: Payload,
): Promise<{ id: number; name: string }> {
  const set = await repo.set(farmId, payload.setUID ?? '');
  if (!set) throw notFound('This farm has no such schedule set.');
  return set;
}

function withSchedule(unit: TargetUnit, entries: readonly ScheduleEntry[]): NewUnit {
  const held = unitEntries(entries);
  return { deviceId: unit.deviceId, gatewayId: gatewayOf(unit), entries: held, crc: scheduleCrc(held) };
}

function refuseMissing(missing: readonly string[], why: string): void {
  if (missing.length === 0) return;
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
  throw invalid(`${why}: ${missing.slice(0, 5).join(', ')}${more}.`, 'payload');
}

function gatewayOf({ gatewayId }: TargetUnit): number {
  if (gatewayId === null) throw conflict('This farm has no gateway to send through. Please add one first.');
  return gatewayId;
}

function gatewaysOf(units: readonly NewUnit[], all: readonly TargetGateway[]): TargetGateway[] {
  const ids = new Set(units.map(({ gatewayId }) => gatewayId));
  return all.filter(({ deviceId }) => ids.has(deviceId));
}

/** How long a valve may stay open: the longest watering that the farm's current set has for these units, 60 min without one. */
export async function longestWatering(
  repo: TargetsRepo,
  farmId: number,
  currentSetId: number | null,
  units: readonly NewUnit[],
): Promise<number> {
  if (currentSetId === null) return DEFAULT_OPEN_MINUTES;
  const entries = await repo.entries(farmId, currentSetId);
  const durations = units.flatMap(({ deviceId }) =>
    (entries.get(deviceId) ?? []).map(({ duration }) => duration),
  );
  return durations.length > 0 ? Math.max(...durations) : DEFAULT_OPEN_MINUTES;
}
