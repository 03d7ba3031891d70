import type { BodyOf, QueryOf } from '@headrace/contract/endpoint';
import type {
  GatewayMonitor,
  gatewayMonitor,
  IoSettings,
  IoState,
  saveIoSettings,
} from '@headrace/contract/gateway-io';
import { defaultIoSettings, type IoPort, ioPorts, switchRefusal } from '@headrace/contract/rules/io-settings';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import type { LiveEvent } from '../../live/live-bus.ts';
import { statusEvent } from '../../live/status-event.ts';
import { type FieldChange, type LoggedChange, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/device-records.ts';
import type { GatewayIoRepo, IoGatewayRow, IoTankRow, PortRow } from './gateway-io.repo.ts';
import { entered, faultsOf, ioChanges, shown } from './io-entry.ts';
import { levelNow, relaysDown, withoutGone } from './io-message.ts';

/** Null: nobody asked for it. */
type Doer = Omit<By, 'accountId'> & { readonly accountId: number | null };

interface Effects {
  /** The gateway has newer settings to be told of. */
  send(gateway: { farmId: number; gatewayId: number }): void;
  tell(events: LiveEvent[]): void;
  now(): Date;
}

/** Inputs and relays of gateways: what people set, what the gateway is told of it, and when a hand may switch. */
export function createGatewayIoService(db: Db, io: GatewayIoRepo, effects: Effects) {
  async function monitorOf(gateway: IoGatewayRow, now: Date): Promise<GatewayMonitor> {
    const [ports, tanks] = await Promise.all([
      io.ports(gateway.farmId, gateway.deviceId),
      io.tanks([gateway.farmId]),
    ]);
    const { state, statusTime } = stateOf(ports);
    return {
      _id: gateway.uid,
      name: gateway.name,
      mac: gateway.mac,
      serialNumber: gateway.serialNumber,
      connected: gateway.online,
      statusTime,
      state,
      ioSettings: shown(settingsOf(gateway, tanks), now.getTime()),
      settingsTaken: gateway.ackedRev >= gateway.rev,
      tanks: tanks.map((tank) => ({ _id: tank.uid, name: tank.name, ...levelNow(tank, now.getTime()) })),
    };
  }

  /** Undefined when the farm has none and none was named. */
  async function find(farmId: number, mac: string | undefined): Promise<IoGatewayRow | undefined> {
    if (!mac) return io.gateway(farmId, null);
    const address = normaliseMac(mac);
    const found = address ? await io.gateway(farmId, address) : undefined;
    if (!found) throw notFound('This farm has no gateway with this MAC address.');
    return found;
  }

  /**
   * Changes the settings of a gateway, one at a time, logs what differs and numbers the new message, all in one
   * transaction; then tells gateway and people. `change` null: only what the tanks have made of the settings meanwhile.
   */
  async function settle(
    key: { farmId: number; deviceId: number },
    by: Doer,
    change: ((before: IoSettings, tanks: readonly IoTankRow[]) => IoSettings) | null,
  ): Promise<void> {
    const changed = await db.transaction().execute(async (trx) => {
      await io.lock(trx, key.deviceId);
      const gateway = await io.byId(key.farmId, key.deviceId, trx);
      if (!gateway) throw notFound();
      const tanks = await io.tanks([key.farmId], trx);
      const held = gateway.settings ?? defaultIoSettings();
      const { settings: before, ended } = withoutGone(held, tanks);
      const after = change ? change(before, tanks) : before;
      const told = JSON.stringify(relaysDown(after, tanks));
      const isNews = told !== gateway.told;
      const names = new Map(tanks.map(({ uid, name }) => [uid, name]));
      for (const { sensorUid } of ended) names.set(sensorUid, await io.nameOf(key.farmId, sensorUid, trx));
      const fields = [
        ...endedFields(ended, names),
        ...ioChanges(before, after, (uid) => names.get(uid) ?? uid),
      ];
      if (!isNews && fields.length === 0) return null;
      await io.write(trx, key, { settings: after, told, rev: gateway.rev + (isNews ? 1 : 0) });
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

  return {
    look,

    async monitor(
      farm: FarmRow,
      { mac }: QueryOf<typeof gatewayMonitor>,
      now: Date,
    ): Promise<GatewayMonitor | null> {
      const gateway = await find(farm.id, mac);
      return gateway ? monitorOf(gateway, now) : null;
    },

    async save(farm: FarmRow, body: BodyOf<typeof saveIoSettings>, by: By): Promise<GatewayMonitor> {
      const gateway = await find(farm.id, body.mac);
      if (!gateway) throw notFound('This farm has no gateway with inputs and relays.');
      await settle(gateway, by, (before, tanks) => {
        const after = entered(before, body.ioSettings, by.now);
        const [fault] = faultsOf(after, tanks);
        if (fault) throw invalid(fault.message, fault.field);
        return after;
      });
      const saved = await io.byId(farm.id, gateway.deviceId);
      if (!saved) throw notFound();
      return monitorOf(saved, by.now);
    },

    /** Whether the relay follows a tank. Throws conflict when a hand may not switch it now. */
    async checkSwitch(
      key: { farmId: number; gatewayId: number },
      { relay, set }: { relay: number; set: boolean },
      now: Date,
    ): Promise<{ isBound: boolean }> {
      const gateway = await io.byId(key.farmId, key.gatewayId);
      const port = ioPorts.find((each) => each === relay);
      if (!gateway?.settings || !port) return { isBound: false };
      const { binding, maxOnTime } = gateway.settings[`relay${port}`];
      const tank = binding && (await io.tanks([key.farmId])).find(({ uid }) => uid === binding);
      if (!tank) return { isBound: false };
      const refusal = switchRefusal(levelNow(tank, now.getTime()).level, set, maxOnTime);
      if (refusal) throw conflict(refusal);
      return { isBound: true };
    },

    /** A hand has switched a relay that follows a tank: it decides from now on, for as long as the longest time says. */
    override: (key: { farmId: number; gatewayId: number }, relay: number, by: By): Promise<void> =>
      settle({ farmId: key.farmId, deviceId: key.gatewayId }, by, (before) => {
        const port = ioPorts.find((each) => each === relay);
        if (!port || !before[`relay${port}`].binding) return before;
        const overriddenAt = by.now.toISOString();
        return { ...before, [`relay${port}`]: { ...before[`relay${port}`], overriddenAt } };
      }),
  };
}
export type GatewayIoService = ReturnType<typeof createGatewayIoService>;

const settingsOf = (gateway: IoGatewayRow, tanks: readonly IoTankRow[]): IoSettings =>
  withoutGone(gateway.settings ?? defaultIoSettings(), tanks).settings;

/** Null when it has not told of all twelve; an invalid value of a port counts as off. */
function stateOf(ports: readonly PortRow[]): { state: IoState | null; statusTime: string | null } {
  if (ports.length < 12) return { state: null, statusTime: null };
  const newest = Math.max(...ports.map(({ at }) => at.getTime()));
  const state = Object.fromEntries(ports.map(({ metric, value }) => [metric, value === 1])) as IoState;
  return { state, statusTime: new Date(newest).toISOString() };
}

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
