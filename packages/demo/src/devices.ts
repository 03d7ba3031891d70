import { pointAt } from './geo.ts';
import type {
  FlowModel,
  GatewayProfile,
  LatLng,
  PumpControl,
  RepeaterProfile,
  SensorProfile,
  SensorSettings,
  SoilModel,
  SprinklerModel,
  SprinklerProfile,
  TankModel,
} from './profile.ts';

/** Metres east and north of the farm's pin. */
export type Place = readonly [east: number, north: number];

type Kind = 'inc' | 'lora' | 'repeater' | 'sprinkler' | 'sensor' | 'lorawan';

// The first six digits are of makers of radios, as a MAC address has them; the rest is ours.
const makers: Record<Kind, { oui: string; serial: string }> = {
  inc: { oui: '0004A3', serial: 'INC' },
  lora: { oui: '24E124', serial: 'LG' },
  repeater: { oui: '0013A2', serial: 'RPT' },
  sprinkler: { oui: '00158D', serial: 'IPC' },
  sensor: { oui: '70B3D5', serial: 'TLM' },
  lorawan: { oui: 'A84041', serial: 'LW' },
};

/** Makes the devices of one farm. `farmNumber` (1 to 65,535) keeps MAC addresses and serial numbers of farms apart. */
export function deviceMaker(origin: LatLng, farmNumber: number) {
  const counts: Record<Kind, number> = { inc: 0, lora: 0, repeater: 0, sprinkler: 0, sensor: 0, lorawan: 0 };
  const identity = (kind: Kind, place: Place) => {
    counts[kind] += 1;
    const { oui, serial } = makers[kind];
    // An odd factor permutes the 24 bits: neighbours don't look like neighbours, and no two farms meet.
    const farm = Math.imul(farmNumber, 0x9e3779) & 0xffffff;
    const mac = `${oui}${hex(farm, 6)}${hex(counts[kind], 4)}`;
    return {
      serialNumber: `${serial}${farmNumber * 10_000 + counts[kind]}`,
      mac,
      ...pointAt(origin, ...place),
    };
  };
  return {
    gateway: (
      type: GatewayProfile['type'],
      place: Place,
      of: Omit<GatewayProfile, keyof Identity | 'kind' | 'type'>,
    ) =>
      ({
        kind: 'gateway',
        type,
        ...of,
        ...identity(type === 0 ? 'inc' : 'lora', place),
      }) satisfies GatewayProfile,
    repeater: (
      name: string,
      place: Place,
      gatewayMac: string,
      hops: number,
      isDown = false,
    ): RepeaterProfile => ({
      kind: 'repeater',
      name,
      description: hops === 1 ? 'In sight of the gateway' : `Reached over ${hops - 1} other`,
      gatewayMac,
      model: { startCharge: 96 - 3 * hops, hops, ...(isDown && { isDown }) },
      ...identity('repeater', place),
    }),
    sprinkler: (place: Place, of: SprinklerInput): SprinklerProfile => ({
      kind: 'sprinkler',
      type: 'IPC',
      description: '',
      commsMode: 0,
      isSpareUnit: false,
      isOutOfService: false,
      litresPerSecond: 4,
      ...of,
      ...identity('sprinkler', place),
    }),
    sensor: (
      place: Place,
      of: Omit<SensorProfile, keyof Identity | 'kind' | 'mapping'> & Partial<Pick<SensorProfile, 'mapping'>>,
    ): SensorProfile => ({
      kind: 'sensor',
      mapping: null,
      ...of,
      ...identity(of.gatewayMac === null ? 'lorawan' : 'sensor', place),
    }),
  };
}
export type DeviceMaker = ReturnType<typeof deviceMaker>;

type Identity = { mac: string; serialNumber: string; lat: number; lng: number };
type SprinklerInput = Pick<SprinklerProfile, 'name' | 'gatewayMac' | 'farmId' | 'channel' | 'group'> &
  Partial<Pick<SprinklerProfile, 'description' | 'litresPerSecond' | 'isSpareUnit' | 'isOutOfService'>> & {
    model: SprinklerModel;
  };

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** A tank's numbers: plastic tanks of 25,000 to 30,000 L stand 2.4 to 3 m high, troughs' header tanks less. */
export function tankSettings(volume: number, toplevel: number, offset = 60): SensorSettings {
  return { volume, toplevel, offset, height: toplevel + 200, unit: 'L', spfactor: 10 };
}

/** A meter on the outlet counts what is drawn; on the inlet what comes in. */
export function withMeter(settings: SensorSettings, flowDirection: 0 | 1, litrePerPulse = 1): SensorSettings {
  return { ...settings, enabledFlow: true, flowDirection, litrePerPulse };
}

const tankDefaults: TankModel = {
  kind: 'tank',
  use: 'stock',
  litresPerDay: 6000,
  supply: { kind: 'ballcock', litresPerMinute: 25, openBelow: 0.82, fillTo: 0.95 },
  leakLitresPerHour: 0,
  leakAtNightOnly: false,
  startFraction: 0.85,
  battery: 'good',
  radioLoss: 0.02,
  fault: 'none',
};

export function tankModel(of: Partial<TankModel>): TankModel {
  return { ...tankDefaults, ...of };
}

export function ballcock(litresPerMinute: number, openBelow = 0.82, fillTo = 0.95): TankModel['supply'] {
  return { kind: 'ballcock', litresPerMinute, openBelow, fillTo };
}

export function pump(litresPerMinute: number, setpoints: Partial<PumpControl> = {}): TankModel['supply'] {
  return {
    kind: 'pump',
    litresPerMinute,
    pumpControl: { lowSetpoint: 45, highSetpoint: 90, relayControl: true, maxRunTime: 0, ...setpoints },
  };
}

export function flowModel(source: FlowModel['source'], litresPerDay = 0, leakLitresPerHour = 0): FlowModel {
  return { kind: 'flow', source, litresPerDay, leakLitresPerHour, radioLoss: 0.01 };
}

export function soilModel(soil: SoilModel['soil'], irrigated: boolean, hasRainGauge: boolean): SoilModel {
  return { kind: 'soil', soil, irrigated, hasRainGauge, radioLoss: 0.02 };
}

export const soilSettings: SensorSettings = { temp_channel: 1, swp1_name: '200 mm', swp2_name: '400 mm' };
