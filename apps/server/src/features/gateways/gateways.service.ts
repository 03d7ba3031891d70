import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { createGateway, Gateway, gatewayDevices, updateGateway } from '@headrace/contract/gateways';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { conflict, stale } from '../../http/errors.ts';
import { type Sender, senderKey } from '../../mqtt/transport.ts';
import { checkForm, given, identityOf, placeOf, requireKind } from '../devices/device-entries.ts';
import { addRecord } from '../devices/add-records.ts';
import { changeRecord, changeRecords } from '../devices/change-records.ts';
import { deletionOf, type DeviceRecords } from '../devices/device-records.ts';
import { type By, StaleRecord } from '../devices/record-change.ts';
import { removeRecord } from '../devices/remove-records.ts';
import { farmOfList } from '../devices/farm-of-list.ts';
import { bumpUnnamed } from '../devices/list-sync.ts';
import { hashesOf, newPassword } from './device-password.ts';
import { createIntegrationKeys } from './integration-keys.service.ts';
import { toGateway } from './present-gateway.ts';
import {
  addGatewayState,
  endGatewayKeys,
  unitsOf,
  gatewayKeyOf,
  type GatewaysRepo,
  writeGatewayKey,
} from './gateways.repo.ts';

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
    ...createIntegrationKeys(gateways, disconnect),

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

    /** It is disconnected; its history stays, and the farm's first gateway speaks for its units. What undoes it. */
    async remove(device: DeviceRow, by: By): Promise<string | null> {
      requireKind(device, 'gateway');
      const what = deletionOf(device);
      const { batchId } = await records.undoable(device.farm_id, by, what, (trx, batched) =>
        leaveFarm(trx, device, batched),
      );
      disconnectGateway(device);
      return batchId;
    },

    /** The same within a transaction; what is left to do when it is through. */
    async takeOff(trx: Db, device: DeviceRow, by: By): Promise<() => void> {
      await leaveFarm(trx, device, by);
      return () => disconnectGateway(device);
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

async function leaveFarm(trx: Db, device: DeviceRow, by: By): Promise<void> {
  const key = await gatewayKeyOf(trx, device);
  await removeRecord(trx, device, by, 'deleted', [], key);
  await endGatewayKeys(trx, device.farm_id, device.id, null);
  await changeRecords(trx, device.farm_id, await unitsOf(trx, device), { gateway_id: null }, by);
  await bumpUnnamed(trx, device.farm_id);
}

const macTaken = () => conflict('This MAC address is already in use.', 'macAddress');
