import type { CommandName } from '@headrace/contract/command-types';
import { sprinklerGateways } from '@headrace/contract/gateway-types';
import { commandOf, commandTypes } from '@headrace/device/commands';
import { isValveOff, laneOf, lanes } from '@headrace/device/lanes';
import { inhibitedCrc, type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';
import { normaliseMac } from '@headrace/device/topics';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import { remember } from '../../remember.ts';
import { unitEntries } from './down-messages.ts';
import type { NewUnit } from './commands.repo.ts';
import type { Payload } from './payloads.ts';
import { cycleDaysOf, type ScheduleSet, type SetUnit } from '../schedules/schedule-sets.ts';
import type { ByService, TargetGateway, TargetsRepo, TargetUnit } from './targets.repo.ts';
import type { SentSchedules } from './wanted-by-send.ts';

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
  schedules?: SentSchedules;
  /** Of a send to the whole farm: those of its units that the set has nothing for, to be cleared. */
  notInSet?: readonly number[];
  /** Names of those that it isn't for: not in the set and left with what they hold; spare or out of service. */
  keeping?: readonly string[];
  outOfService?: readonly string[];
  /** Of a stop: names of its units that are spare or out of service, and may water all the same. */
  outOfServiceToo?: readonly string[];
  /** How many of those that were chosen are on the farm, or in the group, no more. */
  gone?: number;
}

const WHOLE_FARM = 'FARM';
const DEFAULT_OPEN_MINUTES = 60;

/** Throws a 400 or 404 that says which unit, group or set isn't there. */
export async function findTargets(repo: TargetsRepo, request: TargetRequest): Promise<Targets> {
  if (!['', '-'].includes(request.mac) && !normaliseMac(request.mac))
    throw invalid('mac: give the 12 or 16 hex digits of the unit, or "-".', 'mac');
  const target = commandOf(request.name).target;
  if (request.name === 'Ping')
    return gatewayTargets(await gatewaysToPing(repo, request, await repo.gateways(request.farmId)));
  if (target === 'gateway')
    return gatewayTargets(chosenGateways(request, await repo.gateways(request.farmId)));
  const [gateways, found] = await Promise.all([
    repo.gateways(request.farmId),
    target === 'unit' ? oneUnit(repo, request) : severalUnits(repo, request),
  ]);
  return { ...found, gateways: gatewaysOf(found.units, gateways) };
}

function gatewayTargets(chosen: readonly TargetGateway[]): Targets {
  const [first] = chosen;
  const isOne = chosen.length === 1;
  return {
    name: isOne && first ? first.name : 'All gateways',
    serialNumber: isOne && first ? first.serialNumber : '-',
    units: chosen.map(({ deviceId }) => ({ deviceId, gatewayId: deviceId })),
    gateways: [...chosen],
  };
}

/** Those that the command after it is for: the one that is named or hears the unit that is named, or the group's units. */
async function gatewaysToPing(
  repo: TargetsRepo,
  request: TargetRequest,
  all: readonly TargetGateway[],
): Promise<TargetGateway[]> {
  const { farmId, mac, serialNumber, payload } = request;
  if (payload.groupUID) {
    const { id } = await groupOf(repo, farmId, payload.groupUID);
    const heard = (await repo.unitsByService(farmId, id)).inService.map(asNewUnit);
    return heard.length > 0 ? gatewaysOf(heard, all) : chosenGateways(request, all);
  }
  const unit =
    isNamed(request) && !namedGateway(request, all) && (await repo.unit(farmId, mac, serialNumber));
  return unit ? gatewaysOf([asNewUnit(unit)], all) : chosenGateways(request, all);
}

const isNamed = ({ mac, serialNumber }: TargetRequest) =>
  normaliseMac(mac) !== null || !['', '-'].includes(serialNumber);

/** By MAC where that is one, else by serial number. */
function namedGateway({ mac, serialNumber }: TargetRequest, all: readonly TargetGateway[]) {
  const address = normaliseMac(mac);
  return all.find((gateway) =>
    address ? gateway.mac === address : gateway.serialNumber.toLowerCase() === serialNumber.toLowerCase(),
  );
}

function theGateway(request: TargetRequest, all: readonly TargetGateway[]): TargetGateway {
  const named = namedGateway(request, all);
  if (!named) throw notFound('This farm has no gateway with this MAC address or serial number.');
  return named;
}

/** Of what is for all units of a gateway: the one that is named; null: all are meant. */
const oneGateway = async (repo: TargetsRepo, request: TargetRequest): Promise<TargetGateway | null> =>
  isNamed(request) ? theGateway(request, await repo.gateways(request.farmId)) : null;

/** The one that is named, else all that speak for sprinklers; a relay is on one gateway. */
function chosenGateways(request: TargetRequest, all: readonly TargetGateway[]): TargetGateway[] {
  if (isNamed(request)) return [theGateway(request, all)];
  const speaking = all.filter(({ type }) => sprinklerGateways.includes(type));
  const chosen = speaking.length > 0 ? speaking : [...all];
  return request.name === 'ToggleIO' ? chosen.slice(0, 1) : chosen;
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
    units: [asNewUnit(unit)],
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
  await repo.refuseSecondReplace(farmId, [unit.mac, mac]);
  // Where isn't told: it may be a farm that this person may not see.
  if (await repo.isElsewhere(farmId, mac))
    throw conflict(
      'Sorry, cannot replace: this unit is on another farm. Please delete it there first.',
      'payload',
    );
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
  if (name === 'IncScheduleAll') return scheduledAnew(repo, request);
  if (name === 'RefreshAll') return allOfGateway(repo, request);
  const group = await groupOf(repo, farmId, payload.groupUID);
  const all = await repo.unitsByService(farmId, group.id);
  if (!payload.uids) return ofGroup(repo, request, group, all);
  const chosen = onlyChosen(all, payload.uids);
  const found = await ofGroup(repo, request, group, chosen);
  const gone = new Set(payload.uids).size - chosen.inService.length - chosen.others.length;
  return { ...found, name: chosenName(found.units, chosen, group), gone };
}

/** Who is in service and heard by the gateway that is named, or by any. */
async function allOfGateway(repo: TargetsRepo, request: TargetRequest): Promise<FoundUnits> {
  const gateway = await oneGateway(repo, request);
  const { inService, others } = await repo.unitsByService(request.farmId, null);
  const isOfIt = ({ gatewayId }: TargetUnit) => !gateway || gatewayId === gateway.deviceId;
  const units = inService.filter(isOfIt);
  if (units.length === 0)
    throw invalid(
      gateway
        ? 'No sprinkler in service is heard by this gateway.'
        : 'This farm has no sprinkler in service.',
      'mac',
    );
  return {
    name: gateway?.name ?? 'Whole farm',
    serialNumber: gateway?.serialNumber ?? '-',
    units: units.map(asNewUnit),
    outOfService: namesOf(others.filter(isOfIt)),
  };
}

async function ofGroup(
  repo: TargetsRepo,
  request: TargetRequest,
  group: Group,
  { inService: units, others }: ByService,
): Promise<FoundUnits> {
  const { farmId, name, payload } = request;
  if (laneOf(commandTypes[name]) === lanes.stop) return stopped(repo, request, group, { units, others });
  const label = { name: group.name, serialNumber: '-', outOfService: namesOf(others) };
  if (name === 'SendScheduleSet')
    return { ...label, ...(await scheduledByGroup(repo, farmId, payload, units, group.id)) };
  if (units.length === 0) throw invalid('There are no sprinklers in this group.', 'payload');
  return { ...label, units: units.map(asNewUnit) };
}

/**
 * Whoever can water: being spare or out of service is our record, and a unit's clock and valve know nothing of it. An Off goes to
 * all of them. An Inhibit has no end until it is answered, so it is for those that may hold a schedule: on a shelf nobody answers.
 */
async function stopped(
  repo: TargetsRepo,
  { farmId, name }: TargetRequest,
  group: { name: string },
  { units, others }: { units: readonly TargetUnit[]; others: readonly TargetUnit[] },
): Promise<FoundUnits> {
  const mayHold = others.length > 0 ? await repo.mayHold(farmId) : new Set<number>();
  const holding = others.filter(({ deviceId }) => mayHold.has(deviceId));
  const onShelf = others.filter(({ deviceId }) => !mayHold.has(deviceId));
  const isOff = isValveOff(commandTypes[name]);
  const too = isOff ? [...holding, ...onShelf] : holding;
  if (units.length + too.length === 0) throw invalid('There are no sprinklers in this group.', 'payload');
  return {
    name: group.name,
    serialNumber: '-',
    units: [
      ...[...units, ...holding].map(asNewUnit),
      ...(isOff ? onShelf : []).map((unit) => ({ ...asNewUnit(unit), isOnShelf: true })),
    ],
    outOfService: isOff ? [] : namesOf(onShelf),
    outOfServiceToo: namesOf(too),
  };
}

function onlyChosen({ inService, others }: ByService, uids: readonly string[]): ByService {
  const chosen = new Set(uids);
  const isChosen = ({ uid }: TargetUnit) => chosen.has(uid);
  return { inService: inService.filter(isChosen), others: others.filter(isChosen) };
}

/** As the log names those that were chosen one by one: "Rose 4", "12 of North", "12 sprinklers". */
function chosenName(
  units: readonly NewUnit[],
  { inService, others }: ByService,
  { id, name }: Group,
): string {
  const [first] = units;
  const only =
    units.length === 1 && [...inService, ...others].find(({ deviceId }) => deviceId === first?.deviceId);
  if (only) return only.name;
  return id === null ? `${units.length} sprinklers` : `${units.length} of ${name}`;
}

interface Group {
  id: number | null;
  name: string;
}

async function groupOf(repo: TargetsRepo, farmId: number, uid: string | undefined): Promise<Group> {
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
  const inSet = await repo.unitsOfSet(farmId, set.id);
  refuseMissing(
    units.filter(({ deviceId }) => !inSet.has(deviceId)).map(({ serialNumber }) => serialNumber),
    `Not in the schedule set ${set.name}`,
  );
  const [only] = units;
  return {
    name: units.length === 1 && only ? only.name : `${units.length} sprinklers`,
    serialNumber: units.length === 1 && only ? only.serialNumber : '-',
    units: units.map((unit) => withSchedule(asNewUnit(unit), inSet.get(unit.deviceId))),
    schedules: { setId: set.id, cycleDays: cycleDaysOf(set, inSet), isWholeFarm: false },
  };
}

async function scheduledByGroup(
  repo: TargetsRepo,
  farmId: number,
  payload: Payload,
  units: readonly TargetUnit[],
  groupId: number | null,
): Promise<Pick<FoundUnits, 'units' | 'schedules' | 'notInSet' | 'keeping'>> {
  if (units.length === 0)
    throw invalid('There are no sprinklers in this group to send the schedule to.', 'payload');
  const set = await setOf(repo, farmId, payload);
  const [inSet, mayHold] = await Promise.all([repo.unitsOfSet(farmId, set.id), repo.mayHold(farmId)]);
  const scheduled = units.filter(({ deviceId }) => inSet.has(deviceId));
  if (scheduled.length === 0)
    throw invalid(`The schedule set ${set.name} has nothing for the sprinklers of this group.`, 'payload');
  const isWholeFarm = groupId === null && payload.uids === undefined;
  // They would water on by what they hold.
  const others = units.filter(({ deviceId }) => !inSet.has(deviceId) && mayHold.has(deviceId));
  const [cleared, keeping] = isWholeFarm && payload.clearOthers !== false ? [others, []] : [[], others];
  return {
    units: [...scheduled, ...cleared].map((unit) => withSchedule(asNewUnit(unit), inSet.get(unit.deviceId))),
    schedules: { setId: set.id, cycleDays: cycleDaysOf(set, inSet), isWholeFarm },
    notInSet: isWholeFarm ? others.map(({ deviceId }) => deviceId) : [],
    keeping: namesOf(keeping),
  };
}

/**
 * All schedules of a gateway once more: what its units are to water by, not what the gateway may still have of older sends. Units
 * that say that they hold none stay without: this is no way to let them water again.
 */
async function scheduledAnew(repo: TargetsRepo, request: TargetRequest): Promise<FoundUnits> {
  const { farmId } = request;
  const wanted = await repo.wanted(farmId);
  if (wanted.size === 0)
    throw conflict('No schedules have been sent to this farm yet. Please send a schedule set first.');
  const gateway = await oneGateway(repo, request);
  const heldBack = await repo.unitsThatSay(farmId, inhibitedCrc);
  const units = (await repo.unitsByService(farmId, null)).inService.filter(
    ({ deviceId, gatewayId }) =>
      (wanted.get(deviceId)?.entries.length ?? 0) > 0 &&
      !heldBack.has(deviceId) &&
      (!gateway || gatewayId === gateway.deviceId),
  );
  if (units.length === 0)
    throw invalid('No sprinkler of this gateway is to water by a schedule that was sent to it.', 'mac');
  return {
    name: gateway?.name ?? 'Whole farm',
    serialNumber: gateway?.serialNumber ?? '-',
    units: units.map((unit) => withSchedule(asNewUnit(unit), wanted.get(unit.deviceId))),
    schedules: {
      setId: null,
      cycleDays: oneCycle(units.flatMap(({ deviceId }) => wanted.get(deviceId)?.cycleDays ?? [])),
      isWholeFarm: false,
    },
  };
}

/** A message to a gateway names one. */
function oneCycle(days: readonly number[]): number {
  const [one = 1, ...others] = [...new Set(days)].toSorted((a, b) => a - b);
  if (others.length > 0)
    throw conflict(
      `Its sprinklers water by sets with cycles of ${[one, ...others].join(' and ')} days. Please send each set by itself.`,
    );
  return one;
}

async function setOf(repo: TargetsRepo, farmId: number, payload: Payload): Promise<ScheduleSet> {
  const set = await repo.set(farmId, payload.setUID ?? '');
  if (!set) throw notFound('This farm has no such schedule set.');
  return set;
}

/** With what it is to hold; without, it is to hold nothing. */
export function withSchedule(
  unit: NewUnit,
  schedule: Pick<SetUnit, 'entries' | 'scheduleGroup'> | undefined,
): NewUnit {
  const { entries, crc } = heldOf(schedule?.entries ?? NO_ENTRIES);
  const { scheduleGroup = '' } = schedule ?? {};
  // Of thousands: a literal with a spread in it takes twenty times as long.
  return Object.assign({}, unit, { entries, crc, scheduleGroup });
}

const NO_ENTRIES: readonly ScheduleEntry[] = [];
/** Reckoned once for all units that have these. */
const heldOf = remember((entries: readonly ScheduleEntry[]) => {
  const held = unitEntries(entries);
  return { entries: held, crc: scheduleCrc(held) };
});

function refuseMissing(missing: readonly string[], why: string): void {
  if (missing.length === 0) return;
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
  throw invalid(`${why}: ${missing.slice(0, 5).join(', ')}${more}.`, 'payload');
}

const namesOf = (units: readonly TargetUnit[]) => units.map(({ name }) => name);

const asNewUnit = (unit: TargetUnit): NewUnit => ({
  deviceId: unit.deviceId,
  gatewayId: gatewayOf(unit),
  isShelved: unit.outOfService,
});

function gatewayOf({ gatewayId }: TargetUnit): number {
  if (gatewayId === null) throw conflict('This farm has no gateway to send through. Please add one first.');
  return gatewayId;
}

function gatewaysOf(units: readonly NewUnit[], all: readonly TargetGateway[]): TargetGateway[] {
  const ids = new Set(units.map(({ gatewayId }) => gatewayId));
  return all.filter(({ deviceId }) => ids.has(deviceId));
}

/** How long a valve may stay open: the longest watering that these units are to have, 60 min without one. */
export async function longestWatering(
  repo: TargetsRepo,
  farmId: number,
  units: readonly NewUnit[],
): Promise<number> {
  const wanted = await repo.wantedOf(
    farmId,
    units.map(({ deviceId }) => deviceId),
  );
  const durations = [...wanted.values()].flatMap(({ entries }) => entries.map(({ duration }) => duration));
  return durations.length > 0 ? Math.max(...durations) : DEFAULT_OPEN_MINUTES;
}
