import { inTransaction, logShare, rightsChanged, type SharingContext, tell } from './sharing-context.ts';
import { createSharesRepo } from './shares.repo.ts';
import { shareNotes } from './labels.ts';

/** In one turn of the job. */
const MOST = 500;

/** Shares hold until their end and no longer; this tells both sides of it and the log, once. */
export async function endShares(context: SharingContext, now: Date): Promise<void> {
  const ids = await context.db
    .selectFrom('share')
    .select('id')
    .where('ends_at', '<=', now)
    .where('ended_at', 'is', null)
    .orderBy('ends_at')
    .limit(MOST)
    .execute();
  for (const { id } of ids) await endShare(context, id, now);
}

async function endShare(context: SharingContext, id: number, now: Date): Promise<void> {
  const isEnded = await inTransaction(context, async (trx, shares) => {
    const ended = await trx
      .updateTable('share')
      .set({ ended_at: now })
      .where('id', '=', id)
      // The owner may have prolonged it, or another server told it.
      .where('ends_at', '<=', now)
      .where('ended_at', 'is', null)
      .returning('state')
      .executeTakeFirst();
    if (ended?.state !== 'accepted') return false;
    await logShare(trx, await shares.byId(id), { actor: null, what: 'ended by itself' }, now);
    return true;
  });
  if (!isEnded) return;
  const share = await createSharesRepo(context.db).byId(id);
  await rightsChanged(context, share.agent_id);
  await tell(context, share.agent_id, shareNotes.toAgentEnded(share), now);
  await tell(context, share.owner_id, shareNotes.toOwnerEnded(share), now);
}
