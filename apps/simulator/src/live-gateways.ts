import type { GatewayMessageKind } from '@headrace/device/topics';
import type { GatewayProfile } from '@headrace/demo/profile';
import type { FarmModel } from './farm-model.ts';
import { bootloaderVersion, firmwareVersion } from './gateway-client.ts';
import type { LiveContext } from './live-context.ts';

export const statusEveryMs = 15 * 60_000;
const monthMs = 30 * 24 * 3_600_000;

/** What gateways say of themselves: status, and inputs and relays when they change. */
export function createLiveGateways({ farm, links, state, modelTime, dispatch }: LiveContext) {
  const lastPorts = new Map<string, string>();

  function publish(mac: string, kind: GatewayMessageKind, body: object, at: number): void {
    const message = { at: new Date(at).toISOString(), ...body };
    dispatch([() => links.gateways.get(mac)?.publish(kind, message) ?? Promise.resolve()]);
  }

  function publishStatus(gateway: GatewayProfile, at: number): void {
    publish(gateway.mac, 'status', statusOf(gateway, farm, at), at);
  }

  function publishPorts(gateway: GatewayProfile, at: number, onlyChanged: boolean): void {
    const ports = portsOf(gateway, at);
    const text = JSON.stringify(ports);
    if (!ports || (onlyChanged && lastPorts.get(gateway.mac) === text)) return;
    lastPorts.set(gateway.mac, text);
    publish(gateway.mac, 'io', ports, at);
  }

  /** Inputs and relays of a pump shed: mains, pump and pressure follow the watering, a relay set by hand stays as it was set. */
  function portsOf(gateway: GatewayProfile, at: number): { inputs: boolean[]; relays: boolean[] } | null {
    if (!gateway.io) return null;
    const isWatering = farm.env.watering.activeGroup(modelTime(at)) !== null;
    const isPumping = Object.values(state.sensors).some(
      (sensor) => sensor.kind === 'tank' && sensor.tank.pumpControl && sensor.tank.supplyOn,
    );
    const byHand = state.relays[gateway.mac] ?? {};
    const automatic = [isWatering, isPumping, isWatering, false, false, false];
    const relays = automatic.map((value, index) => byHand[String(index + 1)] ?? value);
    return { inputs: [true, relays[0] ?? false, isWatering, false, false, false], relays };
  }

  return {
    publishStatus,
    publishAll: (at: number): void => {
      for (const gateway of farm.profile.gateways) {
        publishStatus(gateway, at);
        publishPorts(gateway, at, false);
      }
    },
    publishChanged: (at: number): void => {
      for (const gateway of farm.profile.gateways) publishPorts(gateway, at, true);
    },
    setRelay: (gateway: GatewayProfile, relay: number, set: boolean, at: number): void => {
      state.relays[gateway.mac] = { ...state.relays[gateway.mac], [String(relay)]: set };
      publishPorts(gateway, at, false);
    },
  };
}

function statusOf(gateway: GatewayProfile, farm: FarmModel, at: number): object {
  const info = { firmwareVersion, bootloaderVersion };
  if (gateway.type === 101)
    return {
      settings: { channel: farm.profile.radio.channel, spfactor: 10 },
      info,
      data: {
        lastRestart: new Date(at - (at % monthMs)).toISOString(),
        validMessageCount: Math.floor(at / 60_000) % 1_000_000,
        logFolderSize: 14.2,
      },
    };
  if (gateway.type !== 0) return { info };
  return {
    settings: {
      rtcTime: new Date(at).toISOString(),
      ipcListSize: farm.units.filter(({ unit }) => unit.gatewayMac === gateway.mac).length,
      rptrListSize: farm.repeaters.filter(({ profile }) => profile.gatewayMac === gateway.mac).length,
      schListSize: farm.profile.irrigation?.groups.length ?? 0,
      commsMaxAttempts: 3,
      commsMaxTTL: 600,
      chargeThreshold: 40,
      clockTreshold: 60,
      statusPeriod: statusEveryMs / 1000,
      timesetPeriod: 86_400,
    },
    info,
  };
}
