import { createHash, timingSafeEqual } from 'node:crypto';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { Sender } from '../../mqtt/transport.ts';
import { validGatewayKeys, validIntegrationKeys } from './valid-keys.ts';

const LAST_USED_STEP_MS = 60_000;

/** Who may come in at the MQTT transport: a gateway by its MAC and device key, a network server by its farm's integration key. */
export function createDeviceSignIn({ db, now = () => new Date() }: { db: Db; now?: () => Date }) {
  return async (username: string, password: string, _address: string): Promise<Sender | null> => {
    const hash = createHash('sha256').update(password).digest();
    // PostgreSQL keeps no NUL in text: such a name can't be anybody's.
    if (username.length > 200 || username.includes('\0')) return null;
    const mac = normaliseMac(username);
    return mac === null ? signInNetworkServer(db, username, hash, now()) : signInGateway(db, mac, hash);
  };
}

async function signInGateway(db: Db, mac: string, hash: Buffer): Promise<Sender | null> {
  const key = await validGatewayKeys(db)
    .select(['k.farm_id', 'k.device_id', 'k.key_hash'])
    .where('k.mac', '=', mac)
    .executeTakeFirst();
  if (!isSame(key?.key_hash, hash) || !key) return null;
  return { kind: 'gateway', farmId: key.farm_id, deviceId: key.device_id, mac };
}

async function signInNetworkServer(
  db: Db,
  username: string,
  hash: Buffer,
  now: Date,
): Promise<Sender | null> {
  const key = await validIntegrationKeys(db)
    .select(['k.farm_id', 'k.id', 'k.key_hash'])
    .where('k.user_name', '=', username)
    .executeTakeFirst();
  if (!isSame(key?.key_hash, hash) || !key) return null;
  await noteUse(db, key.farm_id, key.id, now);
  return { kind: 'network', farmId: key.farm_id, keyId: key.id };
}

async function noteUse(db: Db, farmId: number, keyId: number, now: Date): Promise<void> {
  const border = new Date(now.getTime() - LAST_USED_STEP_MS);
  await db
    .updateTable('integration_key')
    .set({ last_used_at: now })
    .where('farm_id', '=', farmId)
    .where('id', '=', keyId)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', border)]))
    .execute();
}

const nobody = Buffer.alloc(32);

/** Takes as long for a name that isn't known. */
function isSame(stored: Buffer | undefined, hash: Buffer): boolean {
  return timingSafeEqual(stored?.length === hash.length ? stored : nobody, hash) && stored !== undefined;
}
