import type { News } from '../../live/live-bus.ts';
import type { AccountRow } from '../../db/schema.ts';
import { endSessions } from '../accounts/end-sessions.ts';
import { accountOf, change, type Command, DAY, isOn, type OperatorContext } from './command.ts';
import { UsageError } from './usage-error.ts';

/** What an account may do: approved, paid for, staff. */
export const standingCommands: Record<string, Command> = {
  'list-accounts': {
    usage: 'list-accounts [part of an e-mail address or name]',
    does: 'Lists accounts: until when they are paid for, and what is special about them',
    async run({ db, now }, words) {
      const asked = words.join(' ').toLowerCase();
      const rows = await db
        .selectFrom('account')
        .selectAll()
        // Blank rows of accounts that were closed.
        .where('email', 'not like', '%@closed.invalid')
        .orderBy('email')
        .execute();
      const found = rows.filter(({ email, name }) => `${email} ${name}`.toLowerCase().includes(asked));
      return found.map((row) => describe(row, now)).join('\n') || 'No accounts yet.';
    },
  },
  approve: setting('approve <e-mail>', 'Lets an account sign in', { approved: true }),
  disapprove: setting('disapprove <e-mail>', 'Ends all sessions of an account and lets it sign in no more', {
    approved: false,
  }),
  'make-staff': setting('make-staff <e-mail>', 'Lets an account see every farm, as support staff', {
    is_staff: true,
  }),
  'end-staff': setting('end-staff <e-mail>', 'Makes an account an ordinary one again', { is_staff: false }),
  extend: {
    usage: 'extend <e-mail> <days, or a date as 2027-06-30>',
    does: 'Sets until when an account is paid for: so many days more, or the end of that day (UTC)',
    async run({ db, now }, [email, until]) {
      const account = await accountOf(db, email);
      const date = paidUntil(until, account.subscription_valid_until, now);
      await change(db, async (trx) => {
        await trx
          .updateTable('account')
          .set({ subscription_valid_until: date, updated_at: now })
          .where('id', '=', account.id)
          .execute();
        return [subscriptionNews(account, date), { kind: 'access-changed', accountId: account.id }];
      });
      return `${account.email} is paid for until ${date.toISOString()}.`;
    },
  },
  tlm: {
    usage: 'tlm <e-mail> <on or off>',
    does: "Says whether tank telemetry is part of an account's subscription; without it no tank unit is added, those there stay",
    async run({ db, now }, [email, state]) {
      const account = await accountOf(db, email);
      const standing = { tlm_subscription: isOn(state) };
      await db
        .updateTable('account')
        .set({ ...standing, updated_at: now })
        .where('id', '=', account.id)
        .execute();
      return describe({ ...account, ...standing }, now);
    },
  },
};

type Standing = Partial<Pick<AccountRow, 'approved' | 'is_staff'>>;

function setting(usage: string, does: string, standing: Standing): Command {
  return {
    usage,
    does,
    async run({ db, now }: OperatorContext, [email]: string[]) {
      const account = await accountOf(db, email);
      await change(db, async (trx) => {
        await trx
          .updateTable('account')
          .set({ ...standing, updated_at: now })
          .where('id', '=', account.id)
          .execute();
        if (standing.approved === false)
          await endSessions(trx, (some) => some.where('account_id', '=', account.id));
        return [{ kind: 'access-changed', accountId: account.id }];
      });
      return describe({ ...account, ...standing }, now);
    },
  };
}

/** Days count from the end of what is paid for, or from now where that is past. */
function paidUntil(text: string | undefined, until: Date, now: Date): Date {
  const days = Number(text);
  if (text && Number.isInteger(days) && Math.abs(days) >= 1 && Math.abs(days) <= 36_500)
    return new Date(Math.max(until.getTime(), now.getTime()) + days * DAY);
  const date = new Date(`${text ?? ''}T23:59:59Z`);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && date.toISOString().startsWith(text ?? '-');
  if (!isDate) throw new UsageError('Give a number of days, or a date as 2027-06-30.');
  return date;
}

const subscriptionNews = ({ id, uid }: AccountRow, until: Date): News => ({
  kind: 'account',
  accountId: id,
  frame: {
    type: 'subscription_valid_until',
    data: { accountId: uid, subscriptionValidUntil: until.toISOString() },
  },
});

function describe(row: AccountRow, now: Date): string {
  const paid = row.subscription_valid_until.toISOString().slice(0, 10);
  const facts = [
    row.approved ? '' : 'not approved',
    row.subscription_valid_until > now ? '' : 'subscription ended',
    row.tlm_subscription ? '' : 'no tank telemetry',
    row.is_staff ? 'staff' : '',
    row.email_confirmed_at ? '' : 'address not confirmed',
    row.closes_at ? `closes ${row.closes_at.toISOString().slice(0, 10)}` : '',
    row.is_demo ? 'demo' : '',
  ].filter((fact) => fact !== '');
  return `${row.email}  ${row.type}  ${row.name}  paid until ${paid}${facts.length ? `  (${facts.join(', ')})` : ''}`;
}
