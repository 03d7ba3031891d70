import {
  ADVICE_DAYS,
  type AdviceEntries,
  type AdviceLedger,
  type AdviceSettings,
  type IrrigationAdvice,
} from '@headrace/contract/irrigation-advice';
import { addDays, clockTime, dayStart, parseDay } from '@headrace/contract/rules/farm-time';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { defaultSoil, fullMm } from '@headrace/contract/rules/schedule/soil-settings';
import { waterBalance } from '@headrace/contract/rules/schedule/water-balance';
import type { FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import type { SoilMoistureService } from '../soil-moisture/soil-moisture.service.ts';
import type { WeatherService } from '../weather/weather.service.ts';
import type { AdviceRepo, SettingsRow } from './advice.repo.ts';
import { dayAfter, daysFrom, knownDays, weatherOf } from './advice-days.ts';
import { type FarmFacts, groupAdvice } from './group-advice.ts';
import { ledgerDays } from './ledger.ts';

/** Days ahead that advice looks at: today, tomorrow and the day after. */
const AHEAD = 3;
const SIX = 6 * 3600;

export interface AdviceParts {
  readonly repo: AdviceRepo;
  readonly diary: Pick<IrrDiaryService, 'applied'>;
  readonly soil: Pick<SoilMoistureService, 'sitesNow' | 'rainDays'>;
  readonly weather: Pick<WeatherService, 'forecast' | 'pastEt0'>;
}

const nobody: AdviceEntries = {
  soil: null,
  knownDay: null,
  knownMm: null,
  probeUID: null,
  refillKpa: null,
  usualEt0Mm: null,
  rainSiteUID: null,
};

export const toSettings = (row: SettingsRow | undefined): AdviceSettings => ({
  ...nobody,
  ...row?.body,
  version: row?.version ?? 0,
  updatedAt: row?.updatedAt.toISOString() ?? null,
  by: row?.by ?? '',
});

/** What each group needs, by what is known; nothing is written or sent here. */
export function createAdviceService({ repo, diary, soil, weather }: AdviceParts) {
  async function readFarm(farm: FarmRow, now: Date, days: number) {
    const zone = toZone(farm);
    const today = dayText(zone, now.getTime());
    const first = dayAfter(today, -days);
    const [settings, forecast, weatherRows, applied, sites] = await Promise.all([
      repo.settings(farm.id),
      weather.forecast(farm, now),
      repo.weather(farm.id, first, today),
      repo.applied(farm.id, first, today),
      soil.sitesNow(farm, now),
    ]);
    const settingsOf = (groupUid: string) => toSettings(settings.find((row) => row.groupUid === groupUid));
    const ofFarm = settingsOf('');
    const span = { from: parseDay(zone, first) ?? 0, to: now.getTime() + 1 };
    const gauge = await soil.rainDays(farm, ofFarm.rainSiteUID, span, now);
    const rain = new Map([...(gauge?.days ?? [])].map(([at, mm]) => [dayText(zone, at), mm]));
    const of = weatherOf({ rows: weatherRows, gauge: rain, usualEt0Mm: ofFarm.usualEt0Mm });
    return { zone, today, first, settingsOf, ofFarm, forecast, applied, sites, gauge, weather: of };
  }
  type Read = Awaited<ReturnType<typeof readFarm>>;

  function farmFacts(farm: FarmRow, read: Read, now: Date): FarmFacts {
    const { zone, today, ofFarm, forecast, sites, weather: of } = read;
    const ahead = daysFrom(today, dayAfter(today, AHEAD - 1));
    const forecastOf = new Map(forecast?.days.map((day) => [day.date, day]));
    const et0 = ahead.map((day) => {
      const own = of(day);
      if (own.et0From === 'entered') return own.et0Mm;
      return forecastOf.get(day)?.et0 ?? own.et0Mm ?? ofFarm.usualEt0Mm;
    });
    const end = et0.findIndex((mm) => mm === null);
    // What fell of today's is in the soil by now: it is not waited for a second time.
    const rains = ahead.slice(0, 2).map((day) => {
      const rain = forecastOf.get(day)?.rain ?? null;
      return rain === null || day !== today ? rain : Math.max(0, rain - (of(today).rainMm ?? 0));
    });
    const tomorrow = addDays(zone, dayStart(zone, now.getTime()), 1);
    return {
      today,
      water: farm.wal_config,
      settings: ofFarm,
      weather: of,
      et0Ahead: (end < 0 ? et0 : et0.slice(0, end)).map((mm) => mm ?? 0),
      rainAheadMm: rains.some((mm) => mm === null)
        ? null
        : rains.reduce<number>((sum, mm) => sum + (mm ?? 0), 0),
      heldBackUntil: new Date(clockTime(zone, tomorrow, SIX)).toISOString(),
      probes: new Map(
        sites.map(({ id, name, kpa, statusTime }) => [id.toLowerCase(), { name, kpa, at: statusTime }]),
      ),
    };
  }

  return {
    async advice(farm: FarmRow, now: Date): Promise<IrrigationAdvice> {
      const [read, groups, today] = await Promise.all([
        readFarm(farm, now, ADVICE_DAYS.most),
        repo.groups(farm.id),
        diary.applied(farm, [dayStart(toZone(farm), now.getTime())], now.getTime()),
      ]);
      const facts = farmFacts(farm, read, now);
      const { forecast, gauge, sites, ofFarm } = read;
      return {
        farmUID: farm.uid,
        at: now.toISOString(),
        day: read.today,
        settings: ofFarm,
        weather: forecast && {
          source: forecast.source,
          isDemo: forecast.isDemo,
          fetchedAt: forecast.fetchedAt,
          isStale: forecast.isStale,
        },
        gauge: gauge && { uid: gauge.uid, name: gauge.name },
        sites: sites.map(({ id, name }) => ({ uid: id, name })),
        groups: groups
          .map((group) =>
            groupAdvice(facts, {
              group,
              settings: read.settingsOf(group.uid),
              applied: appliedOf(read, group.uid),
              appliedToday: today[0]?.groups.find(({ groupUid }) => groupUid === group.uid) ?? null,
            }),
          )
          .toSorted((one, other) => compareNatural(one.name, other.name)),
      };
    },

    /** Throws notFound for a group that the farm hasn't. */
    async ledger(farm: FarmRow, groupUid: string, days: number, now: Date): Promise<AdviceLedger> {
      const groups = await repo.groups(farm.id);
      const uid = groupUid.toLowerCase();
      if (!groups.some((group) => group.uid === uid)) throw notFound();
      const read = await readFarm(farm, now, ADVICE_DAYS.most);
      const settings = read.settingsOf(uid);
      const soilOf = settings.soil ?? read.ofFarm.soil ?? defaultSoil;
      const { knownDay, knownMm } = settings.knownDay === null ? read.ofFarm : settings;
      const shown = daysFrom(dayAfter(read.today, 1 - days), read.today);
      const yesterday = dayAfter(read.today, -1);
      const balance =
        knownDay === null || knownMm === null
          ? []
          : waterBalance(
              { day: knownDay, depletionMm: knownMm },
              knownDays(daysFrom(dayAfter(knownDay), yesterday), read.weather, appliedOf(read, uid)),
              soilOf,
            );
      const advised = await repo.advised(farm.id, uid, shown[0] ?? read.today);
      const facts = {
        weather: read.weather,
        applied: appliedOf(read, uid),
        balance,
        advised,
        tawMm: fullMm(soilOf),
      };
      return { days: ledgerDays(shown.toReversed(), facts, soilOf.kc) };
    },
  };

  function appliedOf({ applied, today }: Read, groupUid: string) {
    return new Map(
      applied.filter((row) => row.groupUid === groupUid && row.day < today).map((row) => [row.day, row]),
    );
  }
}
export type AdviceService = ReturnType<typeof createAdviceService>;
