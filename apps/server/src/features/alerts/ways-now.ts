import type { HeldBackReason } from '@headrace/contract/rules/alerts/held-back';
import { smsOfDay } from '@headrace/contract/rules/alerts/limits-by-day';
import { quietUntil } from '@headrace/contract/rules/alerts/quiet-hours';
import type { Db } from '../../db/client.ts';
import type { Way } from '../outbox/outbox.repo.ts';
import type { Touched } from './life-writer.ts';
import type { Preference } from './preferences.repo.ts';
import { isAnEnd } from './who-hears.ts';

const DAY_MS = 86_400_000;
export const LIMIT_BACK = 'the limit of SMS a day' satisfies HeldBackReason;

/** By which ways somebody is told now, beside the bell, and what is held back. */
interface WaysNow {
  readonly ways: readonly Way[];
  /** Told then by these ways, if it is still so. */
  readonly heldUntil: Date | null;
  /** Why it does not go by a way that the person wants; null: it goes by all of them. */
  readonly heldBack: HeldBackReason | null;
  /** Said in an SMS of those to come. */
  readonly note: string;
}

interface Person {
  readonly accountId: number;
  readonly preference: Preference;
  /** Why nothing goes to them but in the bell. */
  readonly heldBack: HeldBackReason | null;
}

/** Nobody is woken by what may wait until their night is over; SMS cost, and are counted by day. */
export async function waysNow(
  trx: Db,
  touched: Touched,
  { accountId, preference, heldBack }: Person,
  now: Date,
): Promise<WaysNow> {
  const wanted = waysFor(touched, preference);
  const nothing = { ways: [], heldUntil: null, heldBack: null, note: '' };
  if (wanted.length === 0) return nothing;
  if (heldBack !== null) return { ...nothing, heldBack };
  const { quiet } = preference;
  const until = quiet && touched.class !== 'urgent' ? quietUntil(quiet, now.getTime()) : null;
  if (until !== null)
    return {
      ...nothing,
      heldUntil: isAnEnd(touched) ? null : new Date(until),
      heldBack: 'quiet hours',
    };
  return { ...nothing, ...(await withinDay(trx, touched, accountId, wanted, now)) };
}

/** Of these ways, without an SMS that is one too many today. */
async function withinDay(
  trx: Db,
  touched: Pick<Touched, 'what' | 'class'>,
  accountId: number,
  wanted: readonly Way[],
  now: Date,
): Promise<Pick<WaysNow, 'ways' | 'heldBack' | 'note'>> {
  if (!wanted.includes('sms') || !(await wantsSms(trx, accountId)))
    return { ways: wanted, heldBack: null, note: '' };
  const { goes, note } = smsOfDay(
    { class: touched.class, isNew: isNews(touched) },
    await smsSince(trx, accountId, new Date(now.getTime() - DAY_MS)),
  );
  if (goes) return { ways: wanted, heldBack: null, note };
  return { ways: wanted.filter((way) => way !== 'sms'), heldBack: LIMIT_BACK, note: '' };
}

/** Who is on it is no reason to wake anybody, nor is that more is of what was told. */
export const waysFor = ({ what, class: of }: Pick<Touched, 'what' | 'class'>, { ways }: Preference): Way[] =>
  what === 'answered' || what === 'joined' ? [] : ways[of].map((way) => (way === 'email' ? 'mail' : way));

/** Whoever was on it didn't mend it in time: that is news as well. */
const isNews = ({ what }: Pick<Touched, 'what'>) =>
  what === 'began' || what === 'got worse' || what === 'escalated' || what === 'asked again';

async function wantsSms(trx: Db, accountId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('account')
    .select(['send_sms', 'mobile'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.send_sms === true && row.mobile !== null;
}

async function smsSince(trx: Db, accountId: number, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('way', '=', 'sms')
    .where('at', '>', since)
    .where('state', '!=', 'cancelled')
    .where('dedupe_key', 'like', 'alert %')
    .executeTakeFirstOrThrow();
  return Number(count);
}
