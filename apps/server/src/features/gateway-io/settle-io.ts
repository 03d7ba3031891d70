import type { IoSettings } from '@headrace/contract/gateway-io';
import { defaultIoSettings, type IoPort } from '@headrace/contract/rules/io-settings';
import type { Db } from '../../db/client.ts';
import { notFound } from '../../http/errors.ts';
import type { LiveEvent } from '../../live/live-bus.ts';
import { statusEvent } from '../../live/status-event.ts';
import { type FieldChange, type LoggedChange, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import type { GatewayIoRepo, IoGatewayRow, IoTankRow } from './gateway-io.repo.ts';
import { ioChanges } from './io-entry.ts';
import { relaysDown, withoutGone } from './io-message.ts';

/** Null: nobody asked for it. */
type Doer = Omit<By, 'accountId'> & { readonly accountId: number | null };

export interface Effects {
  /** The gateway has newer settings to be told of. */
  send(gateway: { farmId: number; gatewayId: number }): void;
  tell(events: LiveEvent[]): void;
  now(): Date;
}

/** The one writer of what gateways' inputs and relays are set to. */
export function createIoSettler(db: Db, io: GatewayIoRepo, effects: Effects) {
  /**
   * Changes the settings of a gateway, one at a time, logs what differs and numbers the new message, all in one
   * transaction; then tells gateway and people. `change` null: only what the tanks have made of the settings meanwhile.
   */
  async function settle(
    key: { farmId: number; deviceId: number },
    by: Doer,
    change: ((before: IoSettings, tanks: readonly IoTankRow[], version: number) => IoSettings) | null,
  ): Promise<void> {
    const changed = await db.transaction().execute(async (trx) => {
      await io.lock(trx, key.deviceId);
      const gateway = await io.byId(key.farmId, key.deviceId, trx);
      if (!gateway) throw notFound();
      const tanks = await io.tanks([key.farmId], trx);
      const held = gateway.settings ?? defaultIoSettings();
      const { settings: before, ended } = withoutGone(held, tanks);
      const after = change ? change(before, tanks, gateway.version) : before;
      const told = JSON.stringify(relaysDown(after, tanks));
      const isNews = told !== gateway.told;
      const names = new Map(tanks.map(({ uid, name }) => [uid, name]));
      for (const { sensorUid } of ended) names.set(sensorUid, await io.nameOf(key.farmId, sensorUid, trx));
      const fields = [
        ...endedFields(ended, names),
        ...ioChanges(before, after, (uid) => names.get(uid) ?? uid),
      ];
      if (!isNews && fields.length === 0) return null;
      await io.write(trx, key, {
        settings: after,
        told,
        rev: gateway.rev + (isNews ? 1 : 0),
        version: gateway.version + (fields.some(isEntered) ? 1 : 0),
      });
      if (fields.length > 0) await logChanges(trx, [logged(gateway, by, fields)], by.now);
      return gateway;
    });
    if (!changed) return;
    effects.tell([ioEvent(changed, by.now)]);
    effects.send({ farmId: key.farmId, gatewayId: key.deviceId });
  }

  /** Gateways whose message would be another one now: of one farm, or of all. */
  async function look(farmId: number | null): Promise<void> {
    const gateways = await io.settled(farmId);
    const tanks = await io.tanks([...new Set(gateways.map((gateway) => gateway.farmId))]);
    for (const gateway of gateways) {
      const own = tanks.filter((tank) => tank.farmId === gateway.farmId);
      if (JSON.stringify(relaysDown(settingsOf(gateway, own), own)) !== gateway.told)
        await settle(gateway, { accountId: null, now: effects.now() }, null);
    }
  }

  return { settle, look };
}

export const settingsOf = (gateway: IoGatewayRow, tanks: readonly IoTankRow[]): IoSettings =>
  withoutGone(gateway.settings ?? defaultIoSettings(), tanks).settings;

/** What a form holds. Since when a hand decides is no form's. */
const isEntered = ({ field }: FieldChange): boolean => !field.endsWith('.overriddenAt');

const endedFields = (
  ended: readonly { port: IoPort; sensorUid: string }[],
  names: ReadonlyMap<string, string>,
): FieldChange[] =>
  ended.map(({ port, sensorUid }) => ({
    field: `relay${port}.binding`,
    from: names.get(sensorUid) ?? sensorUid,
    to: null,
  }));

function logged(
  { farmId, uid, name }: IoGatewayRow,
  { accountId, page }: Doer,
  fields: FieldChange[],
): LoggedChange {
  return { farmId, accountId, kind: 'gateway', uid, name, what: 'changed', fields, page };
}

function ioEvent({ farmId, farmUid, uid, serialNumber }: IoGatewayRow, at: Date): LiveEvent {
  return statusEvent(farmId, {
    type: 'io',
    farmUID: farmUid,
    uid,
    serialNumber,
    updatedAt: at.toISOString(),
  });
}
