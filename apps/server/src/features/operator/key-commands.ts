import type { Db } from '../../db/client.ts';
import { renewSecretBox } from '../accounts/second-step/secret-box.ts';
import { renewUnsubscribeSecret } from '../notifications/unsubscribe-key.ts';
import { renewVapidKeys } from '../notifications/vapid-keys.ts';
import type { Command, OperatorContext } from './command.ts';
import { UsageError } from './usage-error.ts';

type Renew = (trx: Db, context: OperatorContext, isLeaked: boolean) => Promise<string>;

const renewals: Record<string, Renew> = {
  async push(trx, { now }, isLeaked) {
    await renewVapidKeys(trx, now, isLeaked);
    return isLeaked
      ? 'Push messages have another key. Browsers get none until they open the app again: people who rely on them should be asked to.'
      : 'Push messages have another key. Browsers change to it when they open the app; the former one reaches them for 90 days.';
  },
  async unsubscribe(trx, { now }, isLeaked) {
    await renewUnsubscribeSecret(trx, now, isLeaked);
    return isLeaked
      ? 'Mails end by another key from now on. The links of earlier mails end nothing any more.'
      : 'Mails end by another key from now on. The links of earlier mails hold.';
  },
  async authenticator(trx, { now, secretKey = null }) {
    const { sealed, left } = await renewSecretBox(trx, secretKey, now);
    const by = secretKey === null ? 'the new key' : 'SECRET_KEY';
    const rest =
      left === 0 ? '' : ` ${left} could not be opened with the SECRET_KEY given here, and stay as they are.`;
    return `The key is another one. ${sealed} authenticator apps were sealed anew with ${by}.${rest}`;
  },
};

/** The keys that the server makes for itself. */
export const keyCommands: Record<string, Command> = {
  'renew-key': {
    usage: 'renew-key <push, unsubscribe or authenticator> [leaked]',
    does: 'Makes another of the keys that the server made for itself; leaked: the former one opens nothing any more',
    async run(context, [name = '', how]) {
      const renew = Object.hasOwn(renewals, name) ? renewals[name] : undefined;
      if (!renew) throw new UsageError('Give push, unsubscribe or authenticator.');
      if (how !== undefined && how !== 'leaked') throw new UsageError('Give leaked, or nothing more.');
      return context.db.transaction().execute((trx) => renew(trx, context, how === 'leaked'));
    },
  },
};
