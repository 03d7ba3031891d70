import type { Timezone } from '@headrace/contract/farms';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { WateringRun } from '@headrace/contract/waterings';
import { ageText } from '@headrace/contract/rules/contact';
import { applied, isEndHeard, type ReportedRun } from '@headrace/contract/rules/schedule/applied';
import { farmDay } from '../../time-range/period.ts';
import { dayText, exactTime, minuteText, numberText } from '../../ui/format.ts';
import { clockLabel } from './unit-labels.ts';

type Next = SprinklerInfo['next'][number];
type Reason = Next['fate']['reasons'][number];
type Held = SprinklerInfo['held'];
type Entries = NonNullable<Held['entries']>;

const reasonLabels: Record<Reason['code'], string> = {
  inhibited: 'it is inhibited',
  holdsNothing: 'it holds no schedule',
  holdsAnother: 'it holds another schedule',
  foreign: 'it holds a schedule that was not sent from here',
  notKnown: 'nobody knows what it holds',
  onItsWay: 'a new schedule is on its way to it',
  stopWanted: 'it was asked to stop, and has not said so yet',
  outOfService: 'it is out of service, and was not heard to have stopped',
  held: 'it is held',
  holdEnds: 'it is held until before that, and has to take the end of it',
  notHeard: 'it was not heard for long',
  dayOut: 'it says another day of its cycle than its neighbours, so it may water a day off',
  clock: 'its clock is off',
};

/** Whether it will water then, and why it may not: "Won't water: it is inhibited". `now` in epoch ms. */
export function fateText({ fate }: Next, clockS: number | null, now: number, zone: Timezone): string {
  const reasons = fate.reasons
    .map((reason) => reasonText(reason, { clockS, now, zone, isReported: fate.kind === 'wont' }))
    .join('; ');
  switch (fate.kind) {
    case 'will':
      return 'Planned';
    case 'under way':
      return reasons ? `Under way, not sure: ${reasons}` : 'Under way by its schedule';
    case 'over':
      return 'Over by its schedule';
    case 'wont':
      return `Won't water: ${reasons}`;
    case 'unsure':
      return `Not sure: ${reasons}`;
    default:
      return fate.kind satisfies never;
  }
}

interface FateContext {
  readonly clockS: number | null;
  readonly now: number;
  readonly zone: Timezone;
  /** By the unit's own word. */
  readonly isReported: boolean;
}

function reasonText({ code, at }: Reason, { clockS, now, zone, isReported: isSaid }: FateContext): string {
  if (code === 'held' && at !== null) {
    const until = `held until ${exactTime(at, zone)}`;
    return isSaid ? until : `${until}, and not heard to have stopped`;
  }
  if (code === 'clock' && clockS !== null) return `its clock is ${clockLabel(clockS)}`;
  if (code === 'notHeard' && at !== null) return `it was heard last ${ageText(at, now)}`;
  return reasonLabels[code];
}

/** Why no watering ahead is known of it. */
export function noneAheadText({ state, stoppedAt }: Held): string {
  if (stoppedAt !== null) return 'It is inhibited: it runs nothing until it is uninhibited.';
  switch (state) {
    case 'nothing':
      return 'It holds no schedule: nothing is to come.';
    case 'foreign':
      return 'It holds a schedule that was not sent from here: when it waters is not known.';
    case 'unknown':
      return 'Nobody knows what it holds: when it waters next is not known.';
    case 'wanted':
    case 'older':
      return 'What it holds has no watering.';
    default:
      return state satisfies never;
  }
}

/** What it holds, by name. */
export function heldName({ state, setName }: Held): string {
  switch (state) {
    case 'wanted':
    case 'older':
      return setName ?? 'A schedule without a name';
    case 'foreign':
      return 'A schedule that was not sent from here';
    case 'nothing':
      return 'No schedule';
    case 'unknown':
      return 'Not known';
    default:
      return state satisfies never;
  }
}

const DAY_MINUTES = 1440;
const two = (n: number) => String(n).padStart(2, '0');

/** "05:12, 29 min", and which day of a cycle of several. */
export function entryLabel({ start, duration, cycle }: Entries[number], cycleDays: number | null): string {
  const minute = start % DAY_MINUTES;
  const day = (cycleDays ?? 1) > 1 ? `day ${cycle}, ` : '';
  return `${day}${two(Math.floor(minute / 60))}:${two(minute % 60)}, ${duration} min`;
}

const howLabels: Record<WateringRun['openedHow'], string> = {
  said: 'it said so',
  answered: 'it answered so',
  logged: 'it told later',
};

/** "05:41", and which day where that is another than `beside`. Both in epoch ms. */
function closeText(at: number, beside: number, zone: Timezone): string {
  const day = farmDay(zone, at);
  const minute = minuteText(at, zone);
  return day === farmDay(zone, beside) ? minute : `${minute} on ${dayText(day)}`;
}

export interface RunLabels {
  /** "05:12 to 05:41 (29 min)" */
  times: string;
  /** Whose word that is, and what is not known of it. */
  how: string;
  /** mm that it gave, as far as is believed; null: not known. */
  mm: number | null;
}

/**
 * When its valve was open; what was never heard is said as that. A "closed" that came long after the valve was to close says only
 * that it had closed by then, and where nothing is known to have asked for the watering no length is told. `now` in epoch ms.
 */
export function runText(run: WateringRun, zone: Timezone, now: number): RunLabels {
  const said = reportedRun(run);
  const { openedAt, openUntil, closedAt } = said;
  const endsAt = run.endsAt === null ? null : Date.parse(run.endsAt);
  const opened = minuteText(openedAt, zone);
  const end = (at: number) => closeText(at, openedAt, zone);
  const isByCommand = run.commandId !== null;
  const by = isByCommand ? ', by a Valve On' : '';
  if (closedAt !== null && endsAt === null && run.closedHow === 'said')
    return {
      times: `Open at ${opened}, closed at ${end(closedAt)}`,
      how: 'it said so then; when it opened and closed is not known',
      mm: null,
    };
  const facts = { endsAt, clockS: null, now };
  const { minutes, mm } = applied(said, facts);
  const lasted = `(${Math.round(minutes.believed)} min)`;
  if (closedAt !== null && isEndHeard(said, facts))
    return {
      times: `${opened} to ${end(closedAt)} ${lasted}`,
      how: `${howLabels[run.closedHow ?? run.openedHow]}${by}`,
      mm: mm.believed,
    };
  if (endsAt === null)
    return {
      times: `From ${opened}${openUntil > openedAt ? `, still open at ${end(openUntil)}` : ''}`,
      how: `${howLabels[run.openedHow]}; its end was not heard${by}`,
      mm: null,
    };
  if (closedAt === null && endsAt > now)
    return {
      times: `From ${opened}, until about ${end(endsAt)}`,
      how: `${howLabels[run.openedHow]}${by}`,
      mm: null,
    };
  const believed = openedAt + minutes.believed * MINUTE_MS;
  const asked = isByCommand ? 'by its Valve On' : 'by its schedule';
  const later = closedAt === null ? '' : `; it said closed at ${end(closedAt)}`;
  return {
    times: `${opened} to about ${end(believed)} ${lasted}`,
    how: `its end was not heard: ${asked}${later}`,
    mm: mm.believed,
  };
}

const MINUTE_MS = 60_000;

const reportedRun = ({ uid, openedAt, openUntil, closedAt, mmPerMin, ...how }: WateringRun): ReportedRun => ({
  ...how,
  unit: uid,
  openedAt: Date.parse(openedAt),
  openUntil: Date.parse(openUntil),
  closedAt: closedAt === null ? null : Date.parse(closedAt),
  mmPerMin,
  // Litres aren't told here.
  lps: 0,
});

/** mm as they are told of something reckoned: "5.8", "26". */
export const depthText = (mm: number): string => numberText(mm, mm < 10 ? 1 : 0);

/** "about 5.8 mm" */
export const depthLabel = (mm: number): string => `about ${depthText(mm)} mm`;

/** "about 6.0 mm, 900 L": what so many minutes give; no litres where its flow isn't set. */
export function waterLabel(
  minutes: number,
  { mmPerMin, lps }: Pick<SprinklerInfo, 'mmPerMin' | 'lps'>,
): string {
  const depth = depthLabel(minutes * mmPerMin);
  return lps === 0 ? depth : `${depth}, ${numberText(minutes * 60 * lps)} L`;
}
