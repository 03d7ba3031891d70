import { createHash, randomBytes } from 'node:crypto';
import type { Gateway, IntegrationKey } from '@headrace/contract/gateways';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import { type Sender, senderKey } from '../../mqtt/door.ts';
import { brokerHash } from '../device-doors/broker-hash.ts';
import type { GatewaysRepo, GatewayState } from './gateways.repo.ts';

const MAX_KEYS_PER_FARM = 20;
/** 256 random bits: nothing to guess, so no slow hash is needed for it. */
const newPassword = () => randomBytes(32).toString('base64url');
/** As we check it ourselves, and as an outside broker does. */
const hashesOf = (password: string) => ({
  keyHash: createHash('sha256').update(password).digest(),
  brokerHash: brokerHash(password),
});

interface Effects {
  /** Ends a sender's sessions, see senderKey. */
  disconnect(senderKey: string): void;
}

export function createGatewaysService(gateways: GatewaysRepo, effects: Effects) {
  const disconnect = (sender: Sender) => effects.disconnect(senderKey(sender));
  return {
    async gateway(farm: FarmRow, device: DeviceRow): Promise<Gateway> {
      requireGateway(device);
      return toGateway(farm, device, await gateways.state(farm.id, device.id));
    },

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

    /** The old key ends at once, and with it the sessions that it opened. */
    async rotateKey(device: DeviceRow, now: Date): Promise<{ userName: string; password: string }> {
      requireGateway(device);
      const { farm_id: farmId, id: deviceId, mac } = device;
      if (!mac) throw conflict('This gateway has no MAC address to sign in with. Please enter it first.');
      const password = newPassword();
      const written = await gateways.setGatewayKey(farmId, deviceId, mac, hashesOf(password), now);
      if (!written) throw conflict('This MAC address is already in use.');
      disconnect({ kind: 'gateway', farmId, deviceId, mac });
      return { userName: mac, password };
    },
  };
}
export type GatewaysService = ReturnType<typeof createGatewaysService>;

/** Other devices of the farm answer to their own calls: here they don't exist. */
function requireGateway(device: DeviceRow): void {
  if (device.kind !== 'gateway') throw notFound();
}

function toGateway(farm: FarmRow, device: DeviceRow, state: GatewayState | undefined): Gateway {
  const statusTime = state?.contact_at?.toISOString() ?? null;
  return {
    _id: device.uid,
    name: device.name,
    siteName: farm.name,
    macAddress: device.mac ?? '',
    serialNumber: device.serial_number,
    type: device.type,
    farmUID: farm.uid,
    location: { lat: device.lat ?? farm.lat, lng: device.lng ?? farm.lng },
    settings: state?.settings ?? {},
    info: state?.info ?? {},
    latestStatus: state && statusTime !== null ? [{ ...state.data, statusTime }] : [],
    statusTime,
    connected: state?.online ?? false,
    description: device.description,
    channel: Number(device.settings['channel'] ?? 1),
    spfactor: Number(device.settings['spfactor'] ?? 10),
    sync: state !== undefined && state.list_rev !== state.acked_rev,
    version: device.version,
    updatedAt: device.updated_at.toISOString(),
  };
}
