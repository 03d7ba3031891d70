import { can, hasRight, toPermissions } from '@headrace/contract/permissions';
import type { KeptRows } from './kept-farm.ts';

/** A share of a deleted farm, as far as it is asked about. */
export interface KeptShare {
  /** Null: whoever was invited has not answered. */
  readonly agentId: number | null;
  readonly email: string;
  readonly name: string;
  readonly state: string;
  readonly endsAt: Date | null;
  readonly permissions: unknown;
}

interface ShareRow {
  agent_id: number | null;
  email: string;
  contact: { name?: string };
  state: string;
  ends_at: string | null;
  permissions: unknown;
}

export const keptShares = ({ share }: Pick<KeptRows, 'share'>): KeptShare[] =>
  share.map((row) => {
    const { agent_id, email, contact, state, ends_at, permissions } = row as unknown as ShareRow;
    const endsAt = ends_at === null ? null : new Date(ends_at);
    return { agentId: agent_id, email, name: contact.name ?? '', state, endsAt, permissions };
  });

/** Of this person, holding now. */
export const shareOf = (shares: readonly KeptShare[], accountId: number, now: Date) =>
  shares.find(
    ({ agentId, state, endsAt }) =>
      agentId === accountId && state === 'accepted' && (endsAt === null || endsAt > now),
  );

const DELETE = can('farms', 'Delete');
export const mayDelete = (permissions: unknown): boolean => hasRight(toPermissions(permissions), DELETE);
