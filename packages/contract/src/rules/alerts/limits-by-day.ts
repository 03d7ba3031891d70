import type { AlertClass } from './alert-kinds.ts';

/** SMS of alerts to one person in 24 hours; so many of them are kept for what is urgent. */
const A_DAY = 10;
const KEPT_FOR_URGENT = 3;
/** What is urgent and new goes beyond that: it must not be lost. */
const NEW_AND_URGENT = 30;

export interface SmsOfDay {
  readonly class: AlertClass;
  /** It begins, gets worse, is told to more people, or whoever was on it didn't mend it in time: not that it goes on, or is over. */
  readonly isNew: boolean;
}

/** Whether one more SMS goes to a person who got `sent` in the last 24 hours, and what it says of those to come. */
export function smsOfDay({ class: of, isNew }: SmsOfDay, sent: number): { goes: boolean; note: string } {
  const isUrgent = of === 'urgent';
  const most = isUrgent && isNew ? NEW_AND_URGENT : isUrgent ? A_DAY : A_DAY - KEPT_FOR_URGENT;
  if (sent >= most) return { goes: false, note: '' };
  if (sent + 1 === A_DAY - KEPT_FOR_URGENT)
    return { goes: true, note: 'More alerts are in the app: only urgent ones still come by SMS today.' };
  if (sent + 1 === A_DAY)
    return { goes: true, note: 'More alerts are in the app: only new urgent ones still come by SMS today.' };
  if (sent + 1 === NEW_AND_URGENT)
    return { goes: true, note: `More alerts are in the app: your ${NEW_AND_URGENT} SMS of today are used.` };
  return { goes: true, note: '' };
}
