import { ANNEX_DAYS, ANNEX_LEAKS, type PlanAnnex } from '@headrace/contract/plan-annex';
import { groupMonths, type GroupDays, rainMonths } from '@headrace/contract/rules/annex-months';
import { addDays, dayStart, hourStart, parseDay } from '@headrace/contract/rules/farm-time';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { areaHectares } from '@headrace/contract/rules/polygon';
import type { Timezone } from '@headrace/contract/farms';
import type { Group as FarmGroup, IpcStatus } from '@headrace/contract/groups';
import type { LatLng } from '@headrace/contract/schemas';
import type { WaterTake } from '@headrace/contract/water-takes';
import type { AnnexData } from '@headrace/paper/reports/plan-annex';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import type { AlertsFeature } from '../alerts/alerts.feature.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Season, SeasonService } from '../irrigation-advice/season.service.ts';
import { daysBetween } from '../series/history-range.ts';
import type { SoilMoistureService } from '../soil-moisture/soil-moisture.service.ts';
import type { WateringsService } from '../waterings/waterings.service.ts';

const HOUR_MS = 3_600_000;
/** How old the soil's last whole hour may be when a watering begins. */
const SOIL_HOURS = 3;

type Group = Pick<FarmGroup, '_id' | 'name'>;

export interface AnnexParts {
  readonly groups: (farm: FarmRow) => Promise<readonly Group[]>;
  readonly units: (farm: FarmRow, now: Date) => Promise<readonly IpcStatus[]>;
  readonly season: SeasonService;
  readonly waterings: Pick<WateringsService, 'dayStarts'>;
  readonly soil: Pick<SoilMoistureService, 'sites' | 'tensions'>;
  readonly takes: (farm: FarmRow) => Promise<{ readonly takes: readonly WaterTake[] }>;
  readonly leaks: AlertsFeature['leaks'];
}

interface Days {
  readonly start?: string | undefined;
  readonly stop?: string | undefined;
}

/** What a farm environment plan asks, gathered from what is stored. */
export function createPlanAnnex(parts: AnnexParts) {
  /** By group, how dry the soil was when it began to water on each day; of groups with a site. */
  async function soilAtStarts(farm: FarmRow, { probes }: Season, { days, starts }: AskedDays, now: Date) {
    const { heard, first } = await parts.waterings.dayStarts(farm, [...probes.keys()], starts);
    const sites = new Map((await parts.soil.sites(farm, now)).map(({ id, name }) => [id, name]));
    const range = { from: (starts[0] ?? 0) - SOIL_HOURS * HOUR_MS, to: starts.at(-1) ?? 0 };
    const tensions = new Map<string, ReadonlyMap<number, number>>();
    // One after the other: nobody else's call waits for all sites at once.
    for (const uid of new Set([...probes.values()].map((probe) => probe.uid.toLowerCase())))
      if (sites.has(uid)) tensions.set(uid, await parts.soil.tensions(farm, uid, range));
    const zone = toZone(farm);
    const of = new Map<string, Map<string, number | null>>();
    for (const { groupUid, nth, at } of first) {
      const told = tensions.get(probes.get(groupUid)?.uid.toLowerCase() ?? '');
      const kpa = told ? lastBefore(told, zone, at) : null;
      of.set(groupUid, (of.get(groupUid) ?? new Map()).set(days[nth] ?? '', kpa));
    }
    return { heard: new Set([...heard].map((nth) => days[nth] ?? '')), sites, of };
  }

  return {
    /** Throws invalid for days that are none, not over, or too many. */
    async of(farm: FarmRow, asked: Days, now: Date): Promise<AnnexData> {
      const span = askedDays(farm, asked, now.getTime());
      const { days, starts } = span;
      const season = await parts.season.of(farm, days, now);
      const soil = await soilAtStarts(farm, season, span, now);
      const [groups, units, { takes }] = await Promise.all([
        parts.groups(farm),
        parts.units(farm, now),
        parts.takes(farm),
      ]);
      const told = await parts.leaks(farm.id, {
        from: starts[0] ?? 0,
        to: starts.at(-1) ?? 0,
        most: ANNEX_LEAKS,
      });
      const inService = units.filter(({ outOfService, isSpareUnit }) => !outOfService && !isSpareUnit);
      const shown = groups
        .map((group) => annexGroup(group, inService, season, soil.sites))
        .toSorted((one, other) => compareNatural(one.name, other.name));
      return {
        start: days[0] ?? '',
        stop: days.at(-1) ?? '',
        boundary: farm.boundary,
        boundaryHa: farm.boundary.length > 0 ? areaHectares(farm.boundary) : null,
        irrigatedHa: farm.irrigation_area_ha > 0 ? farm.irrigation_area_ha : null,
        places: inService.flatMap(({ lat, lng }) => placeOf(lat, lng)),
        sprinklers: inService.length,
        groups: shown,
        months: shown.flatMap(({ uid, probe }) =>
          groupMonths(days, soil.heard, {
            groupUID: uid,
            given: givenOf(season, uid),
            kpaAtStart: soil.of.get(uid) ?? new Map(),
            refillKpa: probe?.refillKpa ?? null,
          } satisfies GroupDays),
        ),
        rain: rainMonths(days, season.rain),
        gauge: season.gauge,
        meters: takes.flatMap(metersOf),
        leaks: told.leaks.map(({ tank, since, until, watchedUntil }) => ({
          tank,
          since: since.toISOString(),
          until: until?.toISOString() ?? null,
          watchedUntil: watchedUntil?.toISOString() ?? null,
        })),
        leakCount: told.count,
        isWatchedForLeaks: told.isWatched,
        toReckon: season.toReckon,
      };
    },
  };
}

/** `starts`: when each of the days began, epoch ms, and where the last ends. */
interface AskedDays {
  readonly days: readonly string[];
  readonly starts: readonly number[];
}

/** Up to yesterday unless it is said: today isn't over. */
function askedDays(farm: FarmRow, { start, stop }: Days, now: number): AskedDays {
  const zone = toZone(farm);
  const yesterday = addDays(zone, dayStart(zone, now), -1);
  const last = stop === undefined ? yesterday : (parseDay(zone, stop) ?? yesterday);
  const usual = dayText(zone, addDays(zone, last, 1 - ANNEX_DAYS.usual));
  const range = daysBetween(
    zone,
    { name: 'start', text: start ?? usual },
    { name: 'stop', text: stop ?? dayText(zone, yesterday) },
    now,
  );
  if (last > yesterday) throw invalid('The last day must be over.', 'stop');
  if (range.days > ANNEX_DAYS.most)
    throw invalid(`Ask for at most ${ANNEX_DAYS.most} days at once.`, 'start');
  const starts = Array.from({ length: range.days + 1 }, (_none, nth) => addDays(zone, range.from, nth));
  return { days: starts.slice(0, -1).map((at) => dayText(zone, at)), starts };
}

/** Of the last whole hours before a watering; null: the site was silent. */
function lastBefore(tensions: ReadonlyMap<number, number>, zone: Timezone, at: number): number | null {
  for (let back = 1; back <= SOIL_HOURS; back += 1) {
    const kpa = tensions.get(hourStart(zone, at - back * HOUR_MS));
    if (kpa !== undefined) return kpa;
  }
  return null;
}

const placeOf = (lat: number | null, lng: number | null): LatLng[] =>
  lat === null || lng === null ? [] : [{ lat, lng }];

const givenOf = ({ applied }: Season, uid: string) =>
  new Map(applied.flatMap((row) => (row.groupUid === uid ? [[row.day, row] as const] : [])));

function annexGroup(
  { _id: uid, name }: Group,
  units: readonly IpcStatus[],
  { probes }: Season,
  sites: ReadonlyMap<string, string>,
): PlanAnnex['groups'][number] {
  const members = units.filter(({ groups }) => groups.includes(name));
  const places = members.flatMap(({ lat, lng }) => placeOf(lat, lng));
  const mean = (of: (place: LatLng) => number) =>
    places.reduce((sum, place) => sum + of(place), 0) / places.length;
  const probe = probes.get(uid);
  const site = probe && sites.get(probe.uid.toLowerCase());
  return {
    uid,
    name,
    sprinklers: members.length,
    parts: members.filter(({ isPartSprinkler }) => isPartSprinkler).length,
    middle: places.length === 0 ? null : { lat: mean(({ lat }) => lat), lng: mean(({ lng }) => lng) },
    probe: probe && site !== undefined ? { name: site, refillKpa: probe.refillKpa } : null,
  };
}

/** Those that are in place, and those that were. */
const metersOf = ({ consentNo, meters }: WaterTake): PlanAnnex['meters'] =>
  meters.map(({ site, device, endsAt, verifiedOn, nextVerification }) => ({
    consentNo,
    site,
    device,
    endsAt,
    verifiedOn,
    nextVerification,
  }));
