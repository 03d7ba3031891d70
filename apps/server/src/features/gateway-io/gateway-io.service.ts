import type { BodyOf, QueryOf } from '@headrace/contract/endpoint';
import type { GatewayMonitor, gatewayMonitor, IoState, saveIoSettings } from '@headrace/contract/gateway-io';
import { ioPorts, switchRefusal } from '@headrace/contract/rules/io-settings';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound, stale } from '../../http/errors.ts';
import type { By } from '../devices/record-change.ts';
import type { GatewayIoRepo, IoGatewayRow, PortRow } from './gateway-io.repo.ts';
import { entered, faultsOf, shown } from './io-entry.ts';
import { levelNow } from './io-message.ts';
import { createIoSettler, type Effects, settingsOf } from './settle-io.ts';

/** Somebody else changed them since the version that the caller saw. */
class StaleSettings extends Error {}

/** Inputs and relays of gateways: what people set, what the gateway is told of it, and when a hand may switch. */
export function createGatewayIoService(db: Db, io: GatewayIoRepo, effects: Effects) {
  const { settle, look } = createIoSettler(db, io, effects);

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
      version: gateway.version,
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
      const given = body.version;
      await settle(gateway, by, (before, tanks, version) => {
        if (given !== undefined && given !== version) throw new StaleSettings();
        const after = entered(before, body.ioSettings, by.now);
        const [fault] = faultsOf(after, tanks);
        if (fault) throw invalid(fault.message, fault.field);
        return after;
      }).catch(async (error: unknown) => {
        const current = error instanceof StaleSettings && (await io.byId(farm.id, gateway.deviceId));
        throw current ? stale(await monitorOf(current, by.now)) : error;
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

    /** Relays that run pumps of the farm, by gateway. */
    async pumps(farmId: number) {
      const gateways = await io.settled(farmId);
      const pumps = gateways.flatMap(({ mac, name, settings }) =>
        ioPorts.flatMap((relay) => {
          const { title, isPump = false, binding = null } = settings?.[`relay${relay}`] ?? { title: '' };
          return isPump ? [{ gatewayMac: mac, gatewayName: name, relay, title, binding }] : [];
        }),
      );
      const tanks = pumps.some(({ binding }) => binding) ? await io.tanks([farmId]) : [];
      return pumps.map(({ binding, ...pump }) => ({
        ...pump,
        tank: tanks.find(({ uid }) => uid === binding)?.name ?? null,
      }));
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

/** Null when it has not told of all twelve; an invalid value of a port counts as off. */
function stateOf(ports: readonly PortRow[]): { state: IoState | null; statusTime: string | null } {
  if (ports.length < 12) return { state: null, statusTime: null };
  const newest = Math.max(...ports.map(({ at }) => at.getTime()));
  const state = Object.fromEntries(ports.map(({ metric, value }) => [metric, value === 1])) as IoState;
  return { state, statusTime: new Date(newest).toISOString() };
}
