import type { Timezone } from '@headrace/contract/farms';
import type { HoldEnd, PaddockHold } from '@headrace/contract/paddock-holds';
import { clockTime, parseDay } from '@headrace/contract/rules/farm-time';
import { exactTime, numberText } from '../../ui/format.ts';

/** "Held until 27/11/2026 06:00: 38 of 40 stopped", and after its end who still is. */
export function holdText(hold: PaddockHold, zone: Timezone): string {
  const { endedAt, isMissed, until, total, stopped, stillStopped } = hold;
  if (endedAt === null)
    return `Held until ${exactTime(Date.parse(until), zone)}: ${numberText(stopped)} of ${numberText(total)} stopped`;
  const left = `${numberText(stillStopped.length)} of ${numberText(total)} still stopped`;
  return isMissed
    ? `The hold ended ${exactTime(Date.parse(until), zone)} and nothing could be let water within an hour: ${left}`
    : `The hold is over and not all took that: ${left}`;
}

/** "38 of 40 may water again, 1 waits for it": what the end of a hold did. */
export function endText({ again, waiting }: HoldEnd, total: number): string {
  const waits = waiting === 0 ? '' : `, ${numberText(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for it`;
  return `${numberText(again)} of ${numberText(total)} may water again${waits}`;
}

/** Why a sprinkler does not water again by the end of its hold. */
export function whyText({ why, note, at }: HoldEnd['others'][number], zone: Timezone): string {
  const time = at === null ? '' : exactTime(Date.parse(at), zone);
  switch (why) {
    case 'inhibited':
      return `inhibited by hand since ${time}`;
    case 'held':
      return `held by another hold until ${time}`;
    case 'failed':
      return `did not take it, ${time}: ${note}`;
    case 'notAsked':
      return 'nothing was sent to it';
  }
}

/** Holds that have to do with a group, or with the whole farm where none is given. */
export const holdsOf = (holds: readonly PaddockHold[], groupUID: string | null): readonly PaddockHold[] =>
  holds.filter((hold) => groupUID === null || hold.groupUID === null || hold.groupUID === groupUID);

/** The moment that a day (YYYY-MM-DD) and a time (HH:MM) name on the farm's clock; null: they name none. */
export function momentOf(day: string, time: string, zone: Timezone): number | null {
  const start = parseDay(zone, day);
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(time) ?? [];
  if (start === null || hours === undefined || minutes === undefined) return null;
  return clockTime(zone, start, Number(hours) * 3600 + Number(minutes) * 60);
}
