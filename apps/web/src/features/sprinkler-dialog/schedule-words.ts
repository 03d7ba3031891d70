import type { Timezone } from '@headrace/contract/farms';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { WateringRun } from '@headrace/contract/waterings';
import { ageText } from '@headrace/contract/rules/contact';
import { minuteText } from '../../ui/format.ts';
import { clockWords } from './unit-words.ts';

type Next = SprinklerInfo['next'][number];
type Reason = Next['fate']['reasons'][number];
type Held = SprinklerInfo['held'];
type Entries = NonNullable<Held['entries']>;

const reasonWords: Record<Reason['code'], string> = {
  inhibited: 'it is inhibited',
  holdsNothing: 'it holds no schedule',
  holdsAnother: 'it holds another schedule',
  foreign: 'it holds a schedule that was not sent from here',
  notKnown: 'nobody knows what it holds',
  onItsWay: 'a new schedule is on its way to it',
  outOfService: 'it is out of service, and was not heard to have stopped',
  held: 'its group is held, and it was not heard to have stopped',
  notHeard: 'it was not heard for long',
  clock: 'its clock is off',
};

/** Whether it will water then, and why it may not: "Won't water: it is inhibited". `now` in epoch ms. */
export function fateWords({ fate }: Next, clockS: number | null, now: number): string {
  const reasons = fate.reasons.map((reason) => reasonText(reason, clockS, now)).join('; ');
  switch (fate.kind) {
    case 'will':
      return 'By its schedule';
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

function reasonText({ code, at }: Reason, clockS: number | null, now: number): string {
  if (code === 'clock' && clockS !== null) return `its clock is ${clockWords(clockS)}`;
  if (code === 'notHeard' && at !== null) return `it was heard last ${ageText(at, now)}`;
  return reasonWords[code];
}

/** Why no watering ahead is known of it. */
export function noneAheadWords({ state, stoppedAt }: Held): string {
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
export function entryWords({ start, duration, cycle }: Entries[number], cycleDays: number | null): string {
  const minute = start % DAY_MINUTES;
  const day = (cycleDays ?? 1) > 1 ? `day ${cycle}, ` : '';
  return `${day}${two(Math.floor(minute / 60))}:${two(minute % 60)}, ${duration} min`;
}

const howWords: Record<WateringRun['openedHow'], string> = {
  said: 'it said so',
  answered: 'it answered so',
  logged: 'it told later',
};

/** When its valve was open: "05:12 to 05:41 (29 min)"; what was never heard is said as that. */
export function runWords(run: WateringRun, zone: Timezone): { times: string; how: string } {
  const openedAt = Date.parse(run.openedAt);
  const opened = minuteText(openedAt, zone);
  const by = run.commandId === null ? '' : ', by a Valve On';
  if (run.closedAt === null) {
    const until = Date.parse(run.openUntil);
    const known = until > openedAt ? `, still open at ${minuteText(until, zone)}` : '';
    return { times: `From ${opened}${known}`, how: `${howWords[run.openedHow]}; its end was not heard${by}` };
  }
  const closedAt = Date.parse(run.closedAt);
  const minutes = Math.round((closedAt - openedAt) / 60_000);
  return {
    times: `${opened} to ${minuteText(closedAt, zone)} (${minutes} min)`,
    how: `${howWords[run.closedHow ?? run.openedHow]}${by}`,
  };
}
