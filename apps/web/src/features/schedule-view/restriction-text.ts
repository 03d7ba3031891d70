import type { PaddockHold } from '@headrace/contract/paddock-holds';
import type { Restricted } from '@headrace/contract/rules/schedule/restriction';
import type { Timezone } from '@headrace/contract/farms';
import { exactTime, numberText } from '../../ui/format.ts';

const DAY = 86_400_000;

/** By when a set has to be sent that is to be carried out at `at`, epoch ms. */
export function beginText(at: number, now: number, zone: Timezone): string {
  const begins = exactTime(at, zone);
  if (at <= now) return `It began ${begins}: hold the groups now, and walk those that don't confirm.`;
  if (at - DAY <= now)
    return `Less than a day is left until ${begins}: a set may not reach all in time. Press Hold for each group at ${exactTime(at, zone)}.`;
  return `Send the trimmed set by ${exactTime(at - DAY, zone)}, a day before ${begins}: sprinklers take it when they are heard. Or press Hold for each group at ${begins}.`;
}

export const cubic = (litres: number) => `${numberText(litres / 1000, 1)} m³`;

/** "With the groups held 48.0 m³ of 80.0 m³ a day would be taken; 64.0 m³ may be." */
export function takeText(
  { beforeLitres, allowedLitres, afterLitres, isEnough }: Restricted,
  stops: number,
): string {
  const taken = `${stops > 0 ? 'With the groups held ' : ''}${cubic(afterLitres)} of ${cubic(beforeLitres)} a day would be taken; ${cubic(allowedLitres)} may be.`;
  return isEnough ? taken : `${taken} That is too much: choose more groups.`;
}

/** "North: 7 of 40 not confirmed: walk or close the pump. Held by Olive Owner." */
export const notConfirmedTexts = (holds: readonly PaddockHold[]): string[] =>
  holds
    .filter(({ endedAt }) => endedAt === null)
    .map(({ name, total, stopped, by }) => {
      const who = by === '' ? '' : ` Held by ${by}.`;
      if (stopped >= total) return `${name}: all ${numberText(total)} stopped.${who}`;
      return `${name}: ${numberText(total - stopped)} of ${numberText(total)} not confirmed: walk or close the pump.${who}`;
    });
