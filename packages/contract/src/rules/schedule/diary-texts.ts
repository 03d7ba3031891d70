import type { DiaryReason } from '../../irr-diary.ts';
import { durationText } from '../contact.ts';
import type { Outcome } from './match-runs.ts';

/** What became of a watering, in a word or two. */
export const outcomeLabels: Record<Outcome, string> = {
  watered: 'Watered',
  short: 'Short',
  long: 'Long',
  late: 'At another time',
  missed: 'Missed',
  'not known': 'Not known',
  'by hand': 'By hand',
  unplanned: 'Not planned',
};

/** Why it went as it did: "inhibited at 18:00 by Ann; it said closed at 05:31". Empty: nothing is known of why. `timeOf` an ISO time. */
export const reasonsText = (reasons: readonly DiaryReason[], timeOf: (time: string) => string): string =>
  reasons
    .filter(({ code }) => code !== 'notOver')
    .map((reason) => reasonText(reason, timeOf))
    .join('; ');

function reasonText({ code, at, by, note, value }: DiaryReason, timeOf: (time: string) => string): string {
  const time = at === null ? null : timeOf(at);
  const since = time === null ? '' : `, since ${time}`;
  const then = time === null ? '' : ` at ${time}`;
  const who = by === '' ? '' : ` by ${by}`;
  switch (code) {
    case 'outOfService':
      return `out of service${since}`;
    case 'held':
      return `held${since}${who}${note === '' ? '' : `: ${note}`}`;
    case 'inhibited':
      return `inhibited${then}${who}`;
    case 'olderSchedule':
      return `it held an older schedule; another was sent${then}`;
    case 'holdsNothing':
      return `it held no schedule${since}`;
    case 'foreign':
      return `it held a schedule that was not sent from here${since}`;
    case 'heldUnknown':
      return 'nobody knows what it held';
    case 'valveOff':
      return `Valve Off${then}${who}`;
    case 'clock':
      return `its clock was ${clockText(value ?? 0)}`;
    case 'notHeard':
      return time === null ? 'it was not heard before' : `not heard since ${time}`;
    case 'battery':
      return `battery at ${Math.round(value ?? 0)} %`;
    case 'replaced':
      return `another unit took its place${then}`;
    case 'clockChange':
      return 'the clock changed then';
    case 'saidClosed':
      return `it said closed${then}`;
    case 'notLogged':
      return 'its own log has no such watering';
    case 'early':
      return `it opened early${then}`;
    case 'late':
      return `it opened late${then}`;
    case 'startNotHeard':
      return `its beginning was not heard; it said open first${then}`;
    case 'endNotHeard':
      return time === null ? 'its end was not heard' : `its end was not heard; it said closed by ${time}`;
    case 'notOver':
      return 'it is not over';
    default:
      return code satisfies never;
  }
}

function clockText(seconds: number): string {
  const size = Math.abs(seconds);
  return `${size < 120 ? `${Math.round(size)} s` : durationText(size * 1000)} ${seconds > 0 ? 'fast' : 'slow'}`;
}
