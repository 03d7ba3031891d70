import type { FarmSummary } from '@headrace/contract/farms';
import { ipcStatus, type SprinklerCounts } from '@headrace/contract/groups';
import { meets, needs, type Permissions } from '@headrace/contract/permissions';
import {
  attentionOf,
  type FarmFacts,
  type Findings,
  farmStanding,
  type LastWatering,
} from '@headrace/contract/rules/attention';
import type { TankSite, TankSummary } from '@headrace/contract/tanks';
import type { FarmRow } from '../../db/schema.ts';
import type { FailedCommand } from '@headrace/contract/attention';
import { unseenCommands } from '@headrace/contract/commands';
import { wateringProof } from '@headrace/contract/irr-diary';
import type { MeterNow } from '../flow/flow.service.ts';
import type { SiteNow } from '../soil-moisture/soil-moisture.service.ts';
import type { UnitCounts } from './farms.repo.ts';

/** Where what a farm's card says is known. */
export interface FarmSources {
  tanks: {
    summaries(farm: FarmRow, now: Date): Promise<TankSummary[]>;
    radios(farm: FarmRow): Promise<Pick<TankSite, 'gateways' | 'repeaters'>>;
  };
  flow: { metersNow(farm: FarmRow, now: Date): Promise<MeterNow[]> };
  soil: { sitesNow(farm: FarmRow, now: Date): Promise<SiteNow[]> };
  sprinklers: { counts(farm: FarmRow, now: Date): Promise<SprinklerCounts> };
  insights: { findings(farm: FarmRow, now: Date): Promise<Findings> };
  diary: { missedLately(farm: FarmRow, now: Date): Promise<LastWatering | null> };
  commands: {
    unseen(viewer: { farmId: number; accountId: number }, now: Date): Promise<FailedCommand[]>;
  };
}

export interface SummaryAsked {
  farm: FarmRow;
  accountId: number;
  permissions: Permissions;
  counts: UnitCounts;
  now: Date;
}

/** Of each thing that is wrong so many devices, or commands, are named; the farm's own page names all. */
const NAMED = 5;

/** What a farm's card says to somebody with these permissions. */
export async function farmSummary(sources: FarmSources, asked: SummaryAsked): Promise<FarmSummary> {
  const { farm, counts, now } = asked;
  const facts = await readFacts(sources, asked);
  const attention = attentionOf(facts, now.getTime());
  const known = {
    tanks: facts.tanks?.length ?? 0,
    meters: facts.meters?.length ?? 0,
    sites: facts.sites?.length ?? 0,
    gateways: facts.gateways?.length ?? 0,
    repeaters: facts.repeaters?.length ?? 0,
    sprinklers: facts.sprinklers?.total ?? 0,
  };
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    farmUID: farm.uid,
    ...counts,
    known,
    standing: farmStanding(attention, known, all),
    attention: attention.map((one) => ({
      ...one,
      devices: one.devices.slice(0, NAMED),
      ...(one.commands && { commands: one.commands.slice(0, NAMED) }),
    })),
    lowestTank: lowestTank(facts.tanks),
    flow: largestFlow(facts.meters),
    driestSite: driestSite(facts.sites),
    lastContact: lastContact(facts),
  };
}

interface Facts extends FarmFacts {
  tanks?: TankSummary[] | undefined;
  meters?: MeterNow[] | undefined;
  sites?: SiteNow[] | undefined;
}

/** What the caller may not read isn't asked for, nor what the farm has none of. */
async function readFacts(
  sources: FarmSources,
  { farm, accountId, permissions, counts, now }: SummaryAsked,
): Promise<Facts> {
  const { tanks, flow, soil, sprinklers, insights, diary, commands } = sources;
  const maySum = meets(permissions, needs.tankSummary);
  const hasMeters = maySum && !farm.tank_only && counts.meters > 0;
  const hasRadios = meets(permissions, needs.tankSite) && counts.gateways + counts.repeaters > 0;
  const canWater = !farm.tank_only && counts.sprinklers > 0;
  const hasSprinklers = meets(permissions, ipcStatus.needs) && canWater;
  const hasDiary = meets(permissions, wateringProof.needs) && canWater;
  const hasCommands = meets(permissions, unseenCommands.needs) && counts.gateways > 0;
  const [ofTanks, meters, sites, radios, units, findings, lastWatering, failedCommands] = await Promise.all([
    maySum && counts.tanks > 0 ? tanks.summaries(farm, now) : undefined,
    hasMeters ? flow.metersNow(farm, now) : undefined,
    maySum && !farm.tank_only && counts.sites > 0 ? soil.sitesNow(farm, now) : undefined,
    hasRadios ? tanks.radios(farm) : undefined,
    hasSprinklers ? sprinklers.counts(farm, now) : undefined,
    (maySum && counts.tanks > 0) || hasMeters ? insights.findings(farm, now) : undefined,
    hasDiary ? diary.missedLately(farm, now) : undefined,
    hasCommands ? commands.unseen({ farmId: farm.id, accountId }, now) : undefined,
  ]);
  return {
    tanks: ofTanks,
    meters,
    sites,
    ...radios,
    sprinklers: units,
    findings,
    lastWatering,
    failedCommands,
  };
}

/** Of those in contact whose level is known. */
function lowestTank(tanks: readonly TankSummary[] = []): FarmSummary['lowestTank'] {
  const [lowest] = tanks
    .flatMap(({ _id, name, level, statusTime, isOutOfContact }) =>
      isOutOfContact || level.invalid || level.value === null || statusTime === null
        ? []
        : [{ _id, name, at: statusTime, percent: level.value }],
    )
    .sort((a, b) => a.percent - b.percent);
  return lowest ?? null;
}

function largestFlow(meters: readonly MeterNow[] = []): FarmSummary['flow'] {
  const [largest] = meters
    .flatMap(({ _id, name, statusTime, isOutOfContact, litresPerSecond }) =>
      isOutOfContact || statusTime === null || litresPerSecond === null
        ? []
        : [{ _id, name, at: statusTime, litresPerSecond }],
    )
    .sort((a, b) => b.litresPerSecond - a.litresPerSecond);
  return largest ?? null;
}

function driestSite(sites: readonly SiteNow[] = []): FarmSummary['driestSite'] {
  const [driest] = sites
    .flatMap(({ id, name, statusTime, isOutOfContact, kpa }) =>
      isOutOfContact || statusTime === null || kpa === null ? [] : [{ _id: id, name, at: statusTime, kpa }],
    )
    .sort((a, b) => b.kpa - a.kpa);
  return driest ?? null;
}

/** Of any of its devices; sprinklers and repeaters are heard by way of a gateway. */
function lastContact({ tanks, meters, sites, gateways }: Facts): string | null {
  const heard = [tanks, meters, sites, gateways].flatMap((devices) =>
    (devices ?? []).flatMap(({ statusTime }) => statusTime ?? []),
  );
  return heard.toSorted().at(-1) ?? null;
}
