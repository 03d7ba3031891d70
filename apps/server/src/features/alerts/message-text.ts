import {
  type AlertSubject,
  alertMessage,
  alertTitle,
  endMessage,
  farmClock,
  shortMessage,
} from '@headrace/contract/rules/alerts/alert-texts';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { IncidentSubject } from './incident-subject.ts';
import type { Touched } from './life-writer.ts';

type What = Pick<Touched, 'what' | 'why' | 'times' | 'by'>;

/** What people read of it, and the sentence of the timeline; of an SMS without what to do, since each part costs. */
export function messageText(
  farm: FarmRow,
  incident: IncidentSubject,
  of: What,
  now: number,
): { title: string; message: string; sms: string } {
  const zone = toZone(farm);
  const { alert, episodes } = incident;
  const open = episodes.filter(({ endedAt }) => endedAt === null);
  const told = of.what === 'ended' || open.length === 0 ? episodes : open;
  const title = alertTitle(farm.name, alert, told);
  const sms = (text: string) => `Headrace ${farm.name}: ${text}`;
  if (of.what === 'ended') {
    const end = of.why
      ? `${title}: ${of.why}.`
      : (endMessage(alert, episodes, zone, now) ?? alertMessage(alert, told, zone, now));
    return { title: alertTitle(farm.name, alert, told, ' – over'), message: end, sms: sms(end) };
  }
  const first = firstText(alert, of, farmClock(zone, now, now));
  const joined = (text: string) => `${first} ${text}`.trim();
  return {
    title,
    message: joined(alertMessage(alert, told, zone, now)),
    sms: sms(joined(shortMessage(alert, told, zone, now))),
  };
}

const MORE: Partial<Record<AlertSubject['kind'], string>> = {
  LowBattery: 'More are low.',
  SprinklerError: 'More have an error.',
};

/** What is new of it, before what is so. */
function firstText({ kind, condition }: AlertSubject, { what, times = 0, by }: What, clock: string): string {
  switch (what) {
    case 'comes and goes':
      return condition === 'either'
        ? `It changed ${times} times within six hours; what more it changes is in the app alone.`
        : `It came and went ${times} times within six hours.`;
    case 'joined':
      return MORE[kind] ?? 'More have fallen silent.';
    case 'came again':
      return 'It came again, and is not told any more.';
    case 'answered':
      return `${by?.name ?? 'Somebody'} is on it (${clock}).`;
    case 'got worse':
      return 'It got worse.';
    case 'repeated':
      return 'It is still so, and nobody has answered.';
    case 'escalated':
      return 'Nobody has answered it yet.';
    case 'asked again':
      return 'It is still so.';
    case 'began':
    case 'snoozed':
    case 'ended':
      return '';
    default:
      return what satisfies never;
  }
}
