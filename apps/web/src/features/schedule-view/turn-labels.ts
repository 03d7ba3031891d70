import type { Timezone } from '@headrace/contract/farms';
import { ageText } from '@headrace/contract/rules/contact';
import type { TurnSign } from '@headrace/contract/rules/schedule/turns';
import type { TimelineTurn, TimelineUnit } from '@headrace/contract/timeline';
import { minuteText, numberText } from '../../ui/format.ts';
import { weekday } from '../../ui/weekday.ts';

/** What each sign is called, as the legend has it. */
export const signLabels: Record<TurnSign, string> = {
  said: 'It said so',
  believed: 'Should be watering, not confirmed',
  will: 'Will water',
  unsure: 'Not sure',
  wont: 'Won’t water',
  notHeard: 'Planned, nothing heard',
};

/** Everything that a turn is told with. `now` in epoch ms. */
export interface Telling {
  readonly zone: Timezone;
  readonly now: number;
}

type Unit = Pick<TimelineUnit, 'heldSet' | 'wantedSet' | 'heardAt'>;

/** "A12, 05:12 to 05:40, will run". */
export const spokenTurn = (name: string, unit: Unit, turn: TimelineTurn, telling: Telling): string =>
  `${name}, ${timesText(turn, telling.zone)}, ${turnText(turn, unit, telling)}`;

/** "05:12 to 05:40". */
export const timesText = (
  { startAt, endAt }: Pick<TimelineTurn, 'startAt' | 'endAt'>,
  zone: Timezone,
): string => `${minuteText(startAt, zone)} to ${minuteText(endAt, zone)}`;

export function turnText(turn: TimelineTurn, unit: Unit, telling: Telling): string {
  const why = turn.reasons.map((reason) => reasonText(reason, turn, unit, telling)).join('; ');
  switch (turn.sign) {
    case 'said':
      return reportedText(turn, telling, why);
    case 'believed':
      return 'should be running, not confirmed';
    case 'will':
      return turn.plan === 'wanted' ? 'will run by the new schedule' : 'will run';
    case 'unsure':
      return `may run: ${why}`;
    case 'wont':
      return `won’t run: ${why}`;
    case 'notHeard':
      return 'nothing was heard of it';
    default:
      return turn.sign satisfies never;
  }
}

const whyLabels: Readonly<Record<string, string>> = {
  unplanned: ', and nothing asked for it',
  'not known': ', and what it held then is not known',
};

function reportedText(
  { endAt, saidUntil, outcome, isByCommand }: TimelineTurn,
  { now }: Telling,
  why: string,
): string {
  const isOpen = endAt > now;
  const by = isByCommand ? ', by a Valve On' : (whyLabels[outcome ?? ''] ?? '');
  const how = outcome === 'short' || outcome === 'long' || outcome === 'late' ? `, ${outcome}` : '';
  const rest = saidUntil !== null && saidUntil < endAt && !isOpen ? ', its end was not heard' : '';
  const more = why === '' || rest !== '' || how === ', late' ? '' : `; ${why}`;
  return `${isOpen ? 'is running' : 'ran'}, it said so${how}${by}${rest}${more}`;
}

type Reason = TimelineTurn['reasons'][number];

const plainReasons: Readonly<Record<string, string>> = {
  inhibited: 'inhibited',
  holdsNothing: 'holds no schedule',
  foreign: 'unknown programme',
  notKnown: 'nobody knows what it holds',
  onItsWay: 'a new schedule is on its way',
  stopWanted: 'asked to stop, and has not said so yet',
  outOfService: 'out of service, and not heard to have stopped',
  held: 'held, and not heard to have stopped',
  notHeard: 'not heard yet',
  dayOut: 'says another day of its cycle: it may run a day off',
  clock: 'its clock is off',
  late: 'late',
  early: 'early',
  endNotHeard: 'its end was not heard',
};

/** Why it won't, or may not: "holds Spring, not Summer". */
export function reasonText(
  { code, at }: Reason,
  { shiftS, startAt }: Pick<TimelineTurn, 'shiftS' | 'startAt'>,
  { heldSet, wantedSet }: Unit,
  { zone, now }: Telling,
): string {
  if (code === 'holdsAnother')
    return heldSet && wantedSet && heldSet !== wantedSet
      ? `holds ${heldSet}, not ${wantedSet}`
      : 'holds another schedule';
  if (code === 'inhibited' && at !== null) return `inhibited since ${dayMinute(at, zone, now)}`;
  if (code === 'held' && at !== null) return `held until ${dayMinute(at, zone, now)}`;
  if (code === 'notHeard' && at !== null) return `heard last ${ageText(at, now)}`;
  if (code === 'clock') return clockText(shiftS, startAt, zone);
  return plainReasons[code] ?? code;
}

/** "clock 4 min slow: starts 05:16". */
function clockText(shiftS: number, startAt: number, zone: Timezone): string {
  const off = Math.abs(shiftS);
  const by = off < 120 ? `${Math.round(off)} s` : `${Math.round(off / 60)} min`;
  return `clock ${by} ${shiftS > 0 ? 'slow' : 'fast'}: starts ${minuteText(startAt + shiftS * 1000, zone)}`;
}

const DAY = 86_400_000;
/** "06:00", with its weekday where that is another day. */
export function dayMinute(at: number, zone: Timezone, now: number): string {
  const minute = minuteText(at, zone);
  return Math.abs(at - now) < DAY / 2 ? minute : `${weekday(at, zone)} ${minute}`;
}

/** What a sprinkler's row says beside its name; empty: nothing is out of the way. */
export function unitNote(unit: TimelineUnit): string {
  if (!unit.isInService) return 'out of service';
  if (unit.held === 'foreign') return 'unknown programme';
  if (unit.isInhibited) return 'inhibited';
  if (!unit.isInSet) return 'not in the set';
  if (unit.held === 'nothing') return 'holds no schedule';
  if (unit.held === 'unknown') return 'not known what it holds';
  if (unit.held === 'older')
    return unit.heldSet && unit.wantedSet && unit.heldSet !== unit.wantedSet
      ? `holds ${unit.heldSet}, not ${unit.wantedSet}`
      : 'holds an older schedule';
  return '';
}

/** The word on a bar that won't be, or may not be. */
export function barLabel(turn: TimelineTurn, unit: Unit, telling: Telling): string {
  const [first] = turn.reasons;
  if (!first || (turn.sign !== 'wont' && turn.sign !== 'unsure')) return '';
  return reasonText(first, turn, unit, telling);
}

/** "4.8 mm", as far as it is planned or told. */
export const depthText = (
  { startAt, endAt }: Pick<TimelineTurn, 'startAt' | 'endAt'>,
  mmPerMin: number,
): string => `${numberText(((endAt - startAt) / 60_000) * mmPerMin, 1)} mm`;

/** "28 min". */
export const lengthText = ({ startAt, endAt }: Pick<TimelineTurn, 'startAt' | 'endAt'>): string =>
  `${Math.round((endAt - startAt) / 60_000)} min`;
