import { ageText } from '@headrace/contract/rules/contact';
import type { Leg } from '@headrace/contract/rules/walk-order';
import type { WalkReason, WalkStop } from '@headrace/contract/walk-list';
import { numberText, withUnit } from '../../ui/format.ts';
import type { Condition } from '../../ui/tokens.ts';

type Why = WalkStop['why'][number];
export type WalkKind = 'all' | 'batteries' | 'repairs';

const batteries: ReadonlySet<WalkReason> = new Set(['batteryLow', 'batteryDue']);
export const isBattery = ({ kind }: Why): boolean => batteries.has(kind);

/** What is to be done there, of this kind. */
export const hasKind = ({ why }: WalkStop, kind: WalkKind): boolean =>
  kind === 'all' || why.some((one) => isBattery(one) === (kind === 'batteries'));

export const stopCondition = ({ why }: WalkStop): Condition =>
  why.some(({ kind }) => kind === 'outOfContact' || kind === 'openOverdue') ? 'issue' : 'caution';

/** A sentence for each reason. `now` in epoch ms. */
export function whyText({ kind, since, due }: Why, { charge, chargeAt }: WalkStop, now: number): string {
  switch (kind) {
    case 'openOverdue':
      return `Its valve said open and should have closed${since === null ? '' : ` ${ageText(since, now)}`}: look at it.`;
    case 'batteryLow': {
      const age = chargeAt === null ? '' : `, it said ${ageText(chargeAt, now)}`;
      return `Battery low: ${withUnit(numberText(charge), '%')}${age}. Change it.`;
    }
    case 'batteryDue':
      return `Battery low ${due ? dueText(due) : 'soon'} at the rate of the last three weeks, now ${withUnit(numberText(charge), '%')}. Change it.`;
    case 'outOfContact':
      return since === null
        ? 'Never heard: look at it.'
        : `Not heard for more than 30 days, last ${ageText(since, now)}.`;
    default:
      return kind satisfies never;
  }
}

function dueText({ days, earliest, latest }: NonNullable<Why['due']>): string {
  if (days === 0) return 'today';
  const about = `in about ${days} ${days === 1 ? 'day' : 'days'}`;
  if (earliest === days && latest === days) return about;
  return `${about} (${earliest} to ${latest ?? 'many'})`;
}

/** "120 m NE of A07". */
export function wayText({ way }: Leg<WalkStop>, before: string): string {
  if (!way) return 'Its place on the map isn’t known.';
  if (way.metres < 5) return `At ${before}`;
  const far =
    way.metres < 995
      ? `${numberText(Math.round(way.metres / 5) * 5)} m`
      : `${numberText(way.metres / 1000, 1)} km`;
  return `${far} ${way.towards} of ${before}`;
}
