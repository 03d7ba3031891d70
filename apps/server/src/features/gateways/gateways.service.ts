import { randomBytes } from 'node:crypto';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type {
  createGateway,
  Gateway,
  gatewayDevices,
  IntegrationKey,
  updateGateway,
} from '@headrace/contract/gateways';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound, stale } from '../../http/errors.ts';
import { type Sender, senderKey } from '../../mqtt/door.ts';
import { checkForm, given, identityOf, placeOf, requireKind } from '../devices/device-entries.ts';
import {
  addRecord,
  type By,
  changeRecord,
  type DeviceRecords,
  removeRecord,
  StaleRecord,
} from '../devices/device-records.ts';
import { farmOfList } from '../devices/farm-of-list.ts';
import { bumpUnnamed } from '../devices/list-sync.ts';
import { hashesOf, newPassword } from './device-password.ts';
import {
  addGatewayState,
  endGatewayKeys,
  freeUnits,
  type GatewaysRepo,
  type GatewayState,
  writeGatewayKey,
} from './gateways.repo.ts';

const MAX_KEYS_PER_FARM = 20;

interface Effects {
  /** Ends a sender's sessions, see senderKey. */
  disconnect(senderKey: string): void;
}

export function createGatewaysService(gateways: GatewaysRepo, records: DeviceRecords, effects: Effects) {
  const disconnect = (sender: Sender) => effects.disconnect(senderKey(sender));
  const disconnectGateway = ({ farm_id: farmId, id: deviceId, mac }: DeviceRow) => {
    if (mac) disconnect({ kind: 'gateway', farmId, deviceId, mac });
  };
  const record = async (farm: FarmRow, device: DeviceRow) =>
    toGateway(farm, device, await gateways.state(farm.id, device.id));

  return {
    gateway(farm: FarmRow, device: DeviceRow): Promise<Gateway> {
      requireKind(device, 'gateway');
      return record(farm, device);
    },

    async list(farm: FarmRow): Promise<ReplyOf<typeof gatewayDevices>> {
      const [devices, states] = await Promise.all([gateways.gateways(farm.id), gateways.states(farm.id)]);
      return {
        ...farmOfList(farm),
        gateways: devices.map((device) => toGateway(farm, device, states.get(device.id))),
      };
    },

    /** The only time that the device key is told. */
    async create(
      farmId: number,
      body: BodyOf<typeof createGateway>,
      by: By,
    ): Promise<ReplyOf<typeof createGateway>> {
      checkForm('gateway', body);
      const password = newPassword();
      const hashes = hashesOf(password);
      const identity = identityOf(body);
      const record = {
        uid: newUid(by.now),
        kind: 'gateway' as const,
        type: body.type,
        ...identity,
        ...placeOf(body),
        settings: JSON.stringify(given({ channel: body.channel, spfactor: body.spfactor })),
      };
      const added = await records.together(farmId, async (trx) => {
        const device = await addRecord(trx, farmId, record, by);
        await addGatewayState(trx, device);
        if (!(await writeGatewayKey(trx, device, identity.mac, hashes, by.now))) throw macTaken();
        await bumpUnnamed(trx, farmId);
        return device;
      });
      return { id: added.uid, userName: identity.mac, password };
    },

    /** With another MAC its key ends, and the sessions that it opened. */
    async update(
      farm: FarmRow,
      device: DeviceRow,
      body: BodyOf<typeof updateGateway>,
      by: By,
    ): Promise<Gateway> {
      requireKind(device, 'gateway');
      checkForm('gateway', body);
      const change = {
        type: body.type,
        ...identityOf(body),
        ...placeOf(body),
        settings: given({ channel: body.channel, spfactor: body.spfactor }),
      };
      const { version } = body;
      const changed = await records
        .together(farm.id, async (trx) => {
          const after = await changeRecord(trx, device, change, by, { version });
          await endGatewayKeys(trx, farm.id, device.id, after.mac);
          if (after.type !== device.type) await bumpUnnamed(trx, farm.id);
          return after;
        })
        .catch(async (error: unknown) => {
          throw error instanceof StaleRecord ? stale(await record(farm, error.current)) : error;
        });
      if (changed.mac !== device.mac) disconnectGateway(device);
      return record(farm, changed);
    },

    /** It is disconnected; its history stays, and the farm's first gateway speaks for its units. */
    async remove(device: DeviceRow, by: By): Promise<void> {
      requireKind(device, 'gateway');
      await records.together(device.farm_id, async (trx) => {
        await removeRecord(trx, device, by);
        await endGatewayKeys(trx, device.farm_id, device.id, null);
        await freeUnits(trx, device);
        await bumpUnnamed(trx, device.farm_id);
      });
      disconnectGateway(device);
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
      requireKind(device, 'gateway');
      const { mac } = device;
      if (!mac) throw conflict('This gateway has no MAC address to sign in with. Please enter it first.');
      const password = newPassword();
      const written = await gateways.setGatewayKey(device, mac, hashesOf(password), now);
      if (!written) throw macTaken();
      disconnectGateway(device);
      return { userName: mac, password };
    },
  };
}
export type GatewaysService = ReturnType<typeof createGatewaysService>;

const macTaken = () => conflict('This MAC address is already in use.', 'macAddress');

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
    spfactor: device.settings.spfactor ?? 10,
    sync: state !== undefined && state.list_rev !== state.acked_rev,
    version: device.version,
    updatedAt: device.updated_at.toISOString(),
  };
}
