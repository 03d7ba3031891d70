import { randomBytes } from 'node:crypto';
import type { IntegrationKey } from '@headrace/contract/gateways';
import { newUid } from '../../db/ids.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import type { Sender } from '../../mqtt/transport.ts';
import { hashesOf, newPassword } from './device-password.ts';
import type { GatewaysRepo } from './gateways.repo.ts';

const MAX_KEYS_PER_FARM = 20;

/** The keys by which network servers sign in for a farm. */
export function createIntegrationKeys(gateways: GatewaysRepo, disconnect: (sender: Sender) => void) {
  return {
    async keys(farmId: number): Promise<IntegrationKey[]> {
      return (await gateways.keys(farmId)).map((key) => ({
        _id: key.uid,
        name: key.name,
        userName: key.user_name,
        createdAt: key.created_at.toISOString(),
        lastUsedAt: key.last_used_at?.toISOString() ?? null,
      }));
    },

    /** The only time that the password is told. */
    async createKey(farmId: number, givenName: string, now: Date) {
      const name = givenName.trim();
      if (!name) throw invalid('name is required.', 'name');
      const password = newPassword();
      const key = { uid: newUid(now), name, userName: `int-${randomBytes(4).toString('hex')}` };
      const added = await gateways.addKey(
        farmId,
        { ...key, ...hashesOf(password), createdAt: now },
        MAX_KEYS_PER_FARM,
      );
      if (!added)
        throw conflict(
          `A farm can have ${MAX_KEYS_PER_FARM} integration keys. Please delete one that is not used.`,
        );
      return { id: key.uid, userName: key.userName, password };
    },

    async deleteKey(farmId: number, uid: string, now: Date): Promise<void> {
      const keyId = await gateways.deleteKey(farmId, uid.toLowerCase(), now);
      if (keyId === undefined) throw notFound();
      disconnect({ kind: 'network', farmId, keyId });
    },
  };
}
