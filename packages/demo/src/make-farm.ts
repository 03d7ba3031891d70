import { canterburyPlains } from './climates.ts';
import * as devices from './devices.ts';
import { pointAt } from './geo.ts';
import { groupNames, solidSet } from './layouts.ts';
import type { FarmProfile, SensorProfile, SprinklerModel } from './profile.ts';
import { createRandom, type Random } from './random.ts';

export type FarmSize = {
  /** 1 to 60,000; also tells the farm's devices from those of others. */
  readonly seed: number;
  readonly sprinklers: number;
  readonly tanks: number;
  readonly soilSites?: number;
  readonly flowMeters?: number;
  readonly repeaters?: number;
  readonly reportEverySeconds?: number;
  readonly ownerEmail?: string;
};

/** A farm of any size for load: a fixed grid, tanks, soil sites and meters strewn over it. The same size and seed give the same farm. */
export function makeFarmProfile(size: FarmSize): FarmProfile {
  const key = `load-${size.seed}`;
  const random = createRandom(key);
  const pin = { lat: -43.9 + random.between(-0.35, 0.35), lng: 171.7 + random.between(-0.4, 0.4) };
  const make = devices.deviceMaker(pin, 1000 + size.seed);
  const radio = { farmId: `${digits(1 + (size.seed % 99))}:01`, channel: 1 + (size.seed % 9) };
  const columns = Math.max(1, Math.ceil(Math.sqrt(size.sprinklers)));
  const halfM = Math.max(400, (columns * 40) / 2 + 60);
  const inc = make.gateway(0, [0, -halfM + 20], {
    name: 'INC',
    description: '',
    io: { inputs: titles('In'), relays: titles('Out') },
  });
  const lora = make.gateway(1, [0, 0], { name: 'LoRa', description: '', io: null });
  const sprinklers = solidSet({
    make,
    random,
    radio,
    count: size.sprinklers,
    columns,
    spacing: [35, 40],
    corner: [(-columns * 35) / 2, (-columns * 40) / 2],
    block: [5, 5],
    gatewayMacs: [inc.mac],
    faults: Array.from(
      { length: Math.floor(size.sprinklers / 40) },
      (_, index) => faults[index % faults.length] ?? 'none',
    ),
  });
  return {
    key,
    name: `Load farm ${size.seed}`,
    description: `${size.sprinklers} sprinklers, ${size.tanks} tanks`,
    country: 'NZ',
    timeZone: 'Pacific/Auckland',
    address: {
      street: `${size.seed} Test Road`,
      suburb: '',
      city: 'Ashburton',
      zip: '7700',
      country: 'New Zealand',
    },
    location: pin,
    boundary: corners.map(([east, north]) => pointAt(pin, east * halfM, north * halfM)),
    irrigationAreaHa: Math.round(size.sprinklers * 0.14),
    tankOnly: size.sprinklers === 0,
    ownerEmail: size.ownerEmail ?? 'owner@headrace.test',
    radio,
    gateways: size.sprinklers === 0 ? [lora] : [inc, lora],
    repeaters: Array.from({ length: size.repeaters ?? 0 }, (_, index) =>
      make.repeater(`R${index + 1}`, scatter(random, halfM), inc.mac, 1 + (index % 3)),
    ),
    sprinklers,
    sensors: sensors(size, make, lora.mac, random, halfM),
    pois: [],
    networkServer: null,
    climate: canterburyPlains,
    irrigation: size.sprinklers === 0 ? null : { ...plan, groups: groupNames(sprinklers) },
  };
}

const plan = {
  startMinute: 18 * 60,
  minutes: 28,
  behind: null,
  supply: { maxLps: 500, windows: [], avoid: [] },
} as const;
const faults: readonly SprinklerModel['fault'][] = ['weak-battery', 'clock', 'silent', 'schedule'];
const corners = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

function sensors(
  size: FarmSize,
  make: devices.DeviceMaker,
  gatewayMac: string,
  random: Random,
  halfM: number,
): SensorProfile[] {
  const reportEverySeconds = size.reportEverySeconds ?? 900;
  const common = { description: '', gatewayMac, reportEverySeconds };
  const list = (count: number, build: (index: number) => SensorProfile) =>
    Array.from({ length: count }, (_, index) => build(index));
  return [
    ...list(size.tanks, (index) =>
      make.sensor(scatter(random, halfM), {
        ...common,
        name: `Tank ${index + 1}`,
        type: index % 3 === 0 ? 0 : 100,
        settings: devices.withMeter(devices.tankSettings(25_000, 2450), 1),
        model: devices.tankModel({
          litresPerDay: random.whole(3000, 12_000),
          supply: index % 3 === 0 ? devices.pump(80, { maxRunTime: 240 }) : devices.ballcock(30),
        }),
      }),
    ),
    ...list(size.soilSites ?? 0, (index) =>
      make.sensor(scatter(random, halfM), {
        ...common,
        name: `Soil ${index + 1}`,
        type: 2,
        settings: devices.soilSettings,
        model: devices.soilModel('loam', index % 3 !== 2, index === 0),
      }),
    ),
    ...list(size.flowMeters ?? 0, (index) =>
      make.sensor(scatter(random, halfM), {
        ...common,
        name: `Meter ${index + 1}`,
        type: 3,
        settings: { litrePerPulse: 10 },
        model:
          index % 2 === 0 && size.sprinklers > 0
            ? devices.flowModel('irrigation')
            : devices.flowModel('stock', 30_000),
      }),
    ),
  ];
}

function scatter(random: Random, halfM: number): devices.Place {
  return [random.between(-0.9, 0.9) * halfM, random.between(-0.9, 0.9) * halfM];
}

function titles(word: string): string[] {
  return Array.from({ length: 6 }, (_, index) => `${word} ${index + 1}`);
}

function digits(value: number): string {
  return String(value).padStart(2, '0');
}
