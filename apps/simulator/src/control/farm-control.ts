import type { FarmProfile } from '@headrace/demo/profile';
import {
  type DeviceKind,
  type Fault,
  type FaultKind,
  faultTable,
  kindsFor,
  valueFor,
} from '../faults/fault-kinds.ts';
import type { LiveFarm } from '../live-farm.ts';
import type { Control } from './control-server.ts';

export type ControlledFarm = { readonly profile: FarmProfile; readonly live: LiveFarm };

const minuteMs = 60_000;
/** `GET /state` lists farms one by one up to this many; above it sums. */
const mostListed = 50;

/** Finds the farm of a device and lets things go wrong there. */
export function createFarmControl(farms: readonly ControlledFarm[], now: () => number): Control {
  return {
    fault: (mac, kind, value, minutes) => {
      for (const farm of farms) {
        const device = deviceIn(farm, mac);
        if (device) return apply(farm, mac, device, { kind, value, minutes, now: now() });
      }
      return `mac: no farm here has a device ${mac}`;
    },
    state: () => stateOf(farms),
  };
}

function deviceIn({ profile, live }: ControlledFarm, mac: string): DeviceKind | null {
  if (live.gateways.has(mac)) return 'gateway';
  if (live.units.find(mac)) return 'sprinkler';
  if (live.sensors.find(mac)) return 'sensor';
  return profile.repeaters.some((repeater) => repeater.mac === mac) ? 'repeater' : null;
}

type Asked = { kind: FaultKind | 'clear'; value?: number; minutes?: number; now: number };

function apply({ live }: ControlledFarm, mac: string, device: DeviceKind, asked: Asked): object | string {
  const { kind, minutes, now } = asked;
  if (kind === 'clear') {
    live.faults.clear(mac);
    return { mac, device, faults: [] };
  }
  const possible = kindsFor(device, live.sensors.find(mac)?.profile);
  if (!possible.includes(kind))
    return `kind: ${kind} is nothing that this ${device} can have; it can have ${possible.join(', ')}`;
  const value = valueFor(kind, asked.value);
  if (typeof value === 'string') return value;
  const until = minutes === undefined ? null : now + minutes * minuteMs;
  live.faults.add(mac, { kind, since: now, until, value });
  return { mac, device, faults: live.faults.of(mac).map(readable) };
}

function readable({ kind, since, until, value }: Fault): object {
  return {
    kind,
    ...('value' in faultTable[kind] && { value }),
    since: new Date(since).toISOString(),
    until: until === null ? null : new Date(until).toISOString(),
  };
}

function stateOf(farms: readonly ControlledFarm[]): object {
  const gateways = farms.flatMap(({ live }) =>
    [...live.gateways.values()].map((gateway) => gateway.summary()),
  );
  const { rss, heapUsed } = process.memoryUsage();
  return {
    farms: farms.length,
    gateways: gateways.length,
    gatewaysOnline: gateways.filter(({ online }) => online).length,
    waitingForRadio: gateways.reduce((sum, { waitingForRadio }) => sum + waitingForRadio, 0),
    memoryMb: { rss: Math.round(rss / 1e6), heap: Math.round(heapUsed / 1e6) },
    faults: farms.flatMap(({ live }) =>
      Object.entries(live.faults.all()).map(([mac, faults]) => ({ mac, faults: faults.map(readable) })),
    ),
    ...(farms.length <= mostListed && {
      list: farms.map(({ profile, live }) => ({
        name: profile.name,
        gateways: [...live.gateways.values()].map((gateway) => gateway.summary()),
      })),
    }),
  };
}
