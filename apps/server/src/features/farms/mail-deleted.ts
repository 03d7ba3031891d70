import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { UNDO_DAYS } from '../changes/change-batch.ts';
import type { By } from '../devices/record-change.ts';
import type { Messages } from '../messages/messages.ts';

/**
 * Mails the owner who deleted the farm and how to bring it back, whoever deleted it: deleting needs no password, so a stolen session
 * could do it. docs/decisions/0063
 */
export async function mailDeleted(
  trx: Db,
  messages: Pick<Messages, 'mail'>,
  farm: FarmRow,
  { accountId, now }: By,
): Promise<void> {
  const people = await trx
    .selectFrom('account')
    .select(['id', 'name', 'email', 'email_confirmed_at'])
    .where('id', 'in', [farm.owner_id, accountId])
    .execute();
  const owner = people.find(({ id }) => id === farm.owner_id);
  // An address that was never proved may be a stranger's.
  if (!owner?.email_confirmed_at) return;
  const by =
    accountId === owner.id ? 'from your account' : `by ${people.find(({ id }) => id === accountId)?.name}`;
  await messages.mail(
    {
      to: owner.email,
      name: owner.name,
      subject: 'A farm of yours was deleted',
      paragraphs: [
        `${farm.name} was deleted ${by}, with its devices and everybody's access. Nothing is received from its devices while it is; sprinklers go on with the programmes that they hold.`,
        `For ${UNDO_DAYS} days it can be brought back as it was, on the page of your farms. Then it is erased.`,
        'If it was not meant, bring it back now. If you do not know who did it, set a new password: that signs everybody out.',
      ],
      action: { label: 'Bring it back', path: '/' },
      otherAction: { label: 'Set a new password', path: '/forgot-password' },
      isMinor: true,
    },
    now,
    trx,
  );
}
