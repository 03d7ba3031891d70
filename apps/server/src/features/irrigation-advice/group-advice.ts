import type { WaterApplication } from '@headrace/contract/farms';
import type { AdviceSettings, GroupAdvice } from '@headrace/contract/irrigation-advice';
import { type Advice, advise } from '@headrace/contract/rules/schedule/advise';
import { depletionAfter } from '@headrace/contract/rules/schedule/advise-depth';
import { defaultSoil, fullMm, type SoilSettings } from '@headrace/contract/rules/schedule/soil-settings';
import { waterBalance } from '@headrace/contract/rules/schedule/water-balance';
import { millimetresPerMinute } from '@headrace/contract/rules/water-application';
import type { AppliedMm } from '../irr-diary/applied-days.ts';
import type { AppliedRow, GroupRow } from './advice.repo.ts';
import { dayAfter, type DayWeather, daysFrom, knownDays } from './advice-days.ts';

export interface ProbeNow {
  readonly name: string;
  readonly kpa: number | null;
  readonly at: string | null;
}

/** What all groups of a farm share. Days are YYYY-MM-DD. */
export interface FarmFacts {
  readonly today: string;
  readonly water: WaterApplication;
  readonly settings: AdviceSettings;
  readonly weather: (day: string) => DayWeather;
  /** Of the reference crop today and on the days after it, mm, as far as anybody knows. */
  readonly et0Ahead: readonly number[];
  readonly rainAheadMm: number | null;
  /** Six in the morning of tomorrow. */
  readonly heldBackUntil: string;
  readonly probes: ReadonlyMap<string, ProbeNow>;
}

export interface GroupFacts {
  readonly group: GroupRow;
  readonly settings: AdviceSettings;
  /** By day, today left out. */
  readonly applied: ReadonlyMap<string, AppliedRow>;
  readonly appliedToday: AppliedMm | null;
}

const toHundredth = (mm: number) => Math.round(mm * 100) / 100;
const rounded = (mm: number | null) => (mm === null ? null : toHundredth(mm));

/** What a group needs, with all that it rests on. */
export function groupAdvice(farm: FarmFacts, facts: GroupFacts): GroupAdvice {
  const { group, settings } = facts;
  const soil = settings.soil ?? farm.settings.soil ?? defaultSoil;
  const soilFrom = settings.soil ? 'group' : farm.settings.soil ? 'farm' : 'default';
  const tawMm = fullMm(soil);
  const now = soilNow(farm, facts, soil);
  const probe = probeOf(farm, settings);
  const cycle = cycleOf(group, farm.water);
  const advice = adviceOf(now, { farm, soil, cycle, isDry: probe?.isDry ?? false });
  const { rainMm } = farm.weather(farm.today);
  return {
    groupUID: group.uid,
    name: group.name,
    sprinklers: group.sprinklers,
    heardAt: group.heardAt === null ? null : new Date(group.heardAt).toISOString(),
    soil,
    soilFrom,
    tawMm: toHundredth(tawMm),
    settings,
    cycle: { ...cycle, mm: toHundredth(cycle.mm) },
    state: group.sprinklers === 0 ? 'noSprinklers' : now.state,
    stateDay: now.stateDay,
    since: knownOf(farm, settings)?.day ?? null,
    depletionMm: rounded(now.depletionMm),
    leastMm: rounded(now.leastMm),
    fullness: now.depletionMm === null ? null : shareOf(now.depletionMm, tawMm),
    today: { rainMm, appliedMm: rounded(facts.appliedToday?.mm ?? null) },
    notKnown: now.notKnown,
    rainNotKnown: now.rainNotKnown,
    probe,
    advice: group.sprinklers === 0 ? null : advice,
  };
}

const shareOf = (mm: number, tawMm: number) => Math.round(Math.max(0, 1 - mm / tawMm) * 1000) / 1000;

/** What people know of it; the farm's where the group has none. */
function knownOf(farm: Pick<FarmFacts, 'settings'>, settings: AdviceSettings) {
  const { knownDay, knownMm } = settings.knownDay === null ? farm.settings : settings;
  return knownDay === null || knownMm === null ? null : { day: knownDay, depletionMm: knownMm };
}

interface SoilNow {
  readonly state: Exclude<GroupAdvice['state'], 'noSprinklers'>;
  readonly stateDay: string | null;
  readonly depletionMm: number | null;
  readonly leastMm: number | null;
  readonly notKnown: number;
  readonly rainNotKnown: number;
}

const nothing = { stateDay: null, depletionMm: null, leastMm: null, notKnown: 0, rainNotKnown: 0 };

/** At the end of yesterday, less what fell and was given today; what the crop uses today is still to come. */
function soilNow(
  farm: FarmFacts,
  { settings, applied, appliedToday }: GroupFacts,
  soil: SoilSettings,
): SoilNow {
  const known = knownOf(farm, settings);
  if (!known) return { ...nothing, state: 'noStart' };
  const { today, weather } = farm;
  const days = daysFrom(dayAfter(known.day), dayAfter(today, -1));
  const balance = waterBalance(known, knownDays(days, weather, applied), soil);
  const notKnown = days.reduce(
    (sum, day) => sum + (applied.get(day)?.notKnown ?? 0),
    appliedToday?.notKnown ?? 0,
  );
  const rainNotKnown = days.filter((day) => weather(day).rainMm === null).length;
  const broken = balance.find(({ depletionMm }) => depletionMm === null);
  if (broken) {
    const state = broken.et0Mm === null ? 'noEt0' : 'noIrrigation';
    return { ...nothing, state, stateDay: broken.day, notKnown, rainNotKnown };
  }
  const end = balance.at(-1);
  const before = { mm: end?.depletionMm ?? known.depletionMm, least: end?.leastMm ?? known.depletionMm };
  // Of the day itself it was said what was so in the evening.
  const rain = known.day === today ? 0 : (weather(today).rainMm ?? 0);
  const after = (mm: number, appliedMm: number) =>
    depletionAfter(
      Math.min(mm, fullMm(soil)),
      { tawMm: fullMm(soil), easyShare: soil.easyShare },
      {
        et0Mm: 0,
        kc: 0,
        rainMm: rain < 0.2 * (farm.et0Ahead[0] ?? 0) ? 0 : rain,
        appliedMm: known.day === today ? 0 : appliedMm,
        efficiency: soil.efficiency,
      },
    );
  return {
    state: 'advised',
    stateDay: null,
    depletionMm: after(before.mm, appliedToday?.mm ?? 0),
    leastMm: after(before.least, appliedToday?.mostMm ?? 0),
    notKnown,
    rainNotKnown,
  };
}

/** By what was last sent to its sprinklers; by what the group is set to give where nothing was. */
function cycleOf({ water, minutes, cycleDays }: GroupRow, ofFarm: WaterApplication): GroupAdvice['cycle'] {
  const set = water ?? ofFarm;
  if (minutes === null || minutes === 0) return { mm: set.wal, days: 0, from: 'setting' };
  return { mm: minutes * millimetresPerMinute(set), days: Math.max(0, (cycleDays ?? 1) - 1), from: 'sent' };
}

function probeOf(farm: FarmFacts, { probeUID, refillKpa }: AdviceSettings): GroupAdvice['probe'] {
  const probe = probeUID === null ? undefined : farm.probes.get(probeUID.toLowerCase());
  if (!probe || refillKpa === null) return null;
  return { ...probe, refillKpa, isDry: probe.kpa !== null && probe.kpa >= refillKpa };
}

interface AdviceParts {
  readonly farm: FarmFacts;
  readonly soil: SoilSettings;
  readonly cycle: GroupAdvice['cycle'];
  readonly isDry: boolean;
}

/** A probe at its refill point asks for a cycle whatever the balance says; it is not held back for rain. */
function adviceOf(
  { depletionMm, leastMm }: SoilNow,
  { farm, soil, cycle, isDry }: AdviceParts,
): GroupAdvice['advice'] {
  if (depletionMm === null) return null;
  const etcMm = farm.et0Ahead.map((et0) => et0 * soil.kc);
  const facts = { etcMm, cycleMm: cycle.mm, roundDays: cycle.days, rainAheadMm: farm.rainAheadMm };
  const by = (mm: number): Advice => advise({ ...facts, depletionMm: mm }, soil);
  const told = by(depletionMm);
  const isByProbe = isDry && told.cycles === 0;
  const { outlook } = isByProbe ? by(Math.max(0, depletionMm - cycle.mm * soil.efficiency)) : told;
  const cycles = isByProbe ? 1 : told.cycles;
  const least = by(leastMm ?? depletionMm).cycles;
  return {
    cycles,
    mm: toHundredth(cycles * cycle.mm),
    leastCycles: isByProbe ? 1 : least,
    isByProbe,
    fullnessAtLastTurn: Math.round(told.fullnessAtLastTurn * 1000) / 1000,
    heldBackUntil: told.isHeldBack && !isDry ? farm.heldBackUntil : null,
    rainAheadMm: farm.rainAheadMm,
    outlook: outlook.map(({ fullness, depletionMm: mm, cycles: then }, index) => ({
      day: dayAfter(farm.today, index + 1),
      fullness: Math.round(fullness * 1000) / 1000,
      depletionMm: toHundredth(mm),
      cycles: then,
    })),
  };
}
