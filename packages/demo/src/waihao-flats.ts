import { southCanterbury } from './climates.ts';
import * as devices from './devices.ts';
import { pointAt } from './geo.ts';
import { groupNames, solidSet } from './layouts.ts';
import type { FarmProfile, SensorProfile, SensorSettings, TankModel } from './profile.ts';
import { createRandom } from './random.ts';

const { ballcock, flowModel, pump, soilModel, soilSettings, tankModel, tankSettings, withMeter } = devices;
const pin = { lat: -44.778, lng: 171.082 };
const radio = { farmId: '02:07', channel: 16 };

/** A large fixed grid in South Canterbury: 300 sprinklers in 12 blocks, watered in turn. */
export function waihaoFlats(): FarmProfile {
  const make = devices.deviceMaker(pin, 2);
  const random = createRandom('waihao-flats');
  const inc = make.gateway(0, [10, -340], {
    name: 'Waihao INC',
    description: 'Irrigation gateway at the pump house',
    io: {
      inputs: ['Mains power', 'Pump 1 run', 'Pump 2 run', 'Pond low', 'Intake clear', 'Door'],
      relays: ['Pump 1', 'Pump 2', 'Pond valve', 'Screen wash', 'Spare 1', 'Spare 2'],
    },
  });
  const lora = make.gateway(1, [-420, 60], {
    name: 'Hill mast',
    description: 'Hears tanks and soil sites',
    io: null,
  });
  const sprinklers = solidSet({
    make,
    random,
    radio,
    count: 300,
    columns: 20,
    spacing: [35, 40],
    corner: [-335, -270],
    block: [5, 5],
    gatewayMacs: [inc.mac],
    faults: [
      'weak-battery',
      'clock',
      'silent',
      'schedule',
      'weak-battery',
      'clock',
      'silent',
      'schedule',
      'clock',
    ],
    // The northern row, within 120 m of the repeater that is down.
    cutOff: ['O03', 'O04', 'O05', 'O06', 'O07', 'O08'],
  });
  return {
    key: 'waihao-flats',
    name: 'Waihao Flats',
    description: 'Dairy support and fodder, fixed grid on 42 ha',
    country: 'NZ',
    timeZone: 'Pacific/Auckland',
    address: {
      street: '77 Tawai Road',
      suburb: 'Ikawai',
      city: 'Waimate',
      zip: '7977',
      country: 'New Zealand',
    },
    location: pin,
    boundary: (
      [
        [-470, -400],
        [460, -420],
        [520, 90],
        [450, 420],
        [-210, 450],
        [-520, 260],
      ] as const
    ).map(([east, north]) => pointAt(pin, east, north)),
    irrigationAreaHa: 42,
    tankOnly: false,
    ownerEmail: 'owner@headrace.test',
    radio,
    gateways: [inc, lora],
    repeaters: (
      [
        [-200, -150, 1],
        [180, -150, 1],
        [-200, 60, 2],
        [190, 60, 2],
        [-150, 270, 3],
        [230, 270, 3],
      ] as const
    ).map(([east, north, hops], index) =>
      make.repeater(`RP${index + 1}`, [east, north], inc.mac, hops, index === 4),
    ),
    sprinklers,
    sensors: sensors(make, lora.mac),
    pois: [
      { name: 'Pump house', description: 'Two pumps, soft starters', ...pointAt(pin, 5, -345) },
      { name: 'Buffer pond', description: '18,000 m³', ...pointAt(pin, 90, -390) },
      { name: 'Yards', description: '', ...pointAt(pin, -410, 180) },
    ],
    networkServer: null,
    climate: southCanterbury,
    irrigation: {
      groups: groupNames(sprinklers),
      startMinute: 19 * 60,
      minutes: 28,
      behind: { groups: groupNames(sprinklers).slice(6), minutes: 22 },
      // Part of it lies behind the repeater that is down: the send gets half-way.
      sendsTo: 'Block 9',
      supply: {
        maxLps: 45,
        windows: [],
        avoid: [{ fromMin: 17 * 60, toMin: 19 * 60, why: 'Load control' }],
        mains: [{ name: 'Terrace main', maxLps: 20, groups: groupNames(sprinklers).slice(-4) }],
      },
    },
  };
}

function sensors(make: devices.DeviceMaker, gatewayMac: string): SensorProfile[] {
  const add = (
    name: string,
    description: string,
    place: devices.Place,
    type: SensorProfile['type'],
    settings: SensorSettings,
    reportEverySeconds: number,
    model: SensorProfile['model'],
  ) => make.sensor(place, { name, description, type, settings, gatewayMac, reportEverySeconds, model });
  const tank = (of: Partial<TankModel>) => tankModel(of);
  return [
    add(
      'Cottage',
      'House and garden',
      [-430, 150],
      100,
      withMeter(tankSettings(25_000, 2450), 1),
      420,
      tank({ use: 'house', litresPerDay: 1100, supply: ballcock(15, 0.7, 0.94) }),
    ),
    add(
      'Yards',
      'Yards and loading race',
      [-400, 190],
      100,
      tankSettings(25_000, 2450),
      600,
      tank({ use: 'wash', litresPerDay: 2600 }),
    ),
    add(
      'Hill header',
      'Filled from the pump house',
      [-450, 40],
      0,
      tankSettings(30_000, 2550),
      300,
      tank({
        litresPerDay: 19_000,
        supply: pump(95, { lowSetpoint: 55, highSetpoint: 90, maxRunTime: 300 }),
      }),
    ),
    add(
      'North troughs',
      'Blocks 9 to 12',
      [60, 380],
      100,
      withMeter(tankSettings(25_000, 2450), 1, 5),
      600,
      tank({ litresPerDay: 7400 }),
    ),
    add(
      'East troughs',
      'Blocks 4, 8 and 12',
      [440, 40],
      6,
      tankSettings(25_000, 2450),
      900,
      tank({ litresPerDay: 6300, battery: 'shaded' }),
    ),
    add(
      'South troughs',
      'Blocks 1 to 4',
      [-80, -350],
      6,
      tankSettings(22_500, 2300),
      900,
      tank({ litresPerDay: 5900 }),
    ),
    add(
      'Lane tank',
      'Scaled probe, older',
      [-20, -10],
      5,
      tankSettings(15_000, 2100),
      900,
      tank({ litresPerDay: 3800 }),
    ),
    add(
      'Barn roof',
      'Rain water',
      [-390, 230],
      0,
      tankSettings(30_000, 2500),
      900,
      tank({ use: 'wash', litresPerDay: 300, supply: { kind: 'roof', roofM2: 300 }, startFraction: 0.65 }),
    ),
    add('Block 2 soil', 'Silt loam', [-120, -180], 2, soilSettings, 900, soilModel('loam', true, true)),
    add('Block 7 soil', 'Stony loam', [100, 30], 2, soilSettings, 900, soilModel('sandy-loam', true, true)),
    add(
      'Block 12 soil',
      'Heavy, by the creek',
      [300, 260],
      2,
      soilSettings,
      900,
      soilModel('clay', true, false),
    ),
    add(
      'Intake meter',
      'Consent meter at the intake',
      [0, -350],
      3,
      { litrePerPulse: 100 },
      900,
      flowModel('irrigation'),
    ),
    add(
      'Stock water meter',
      'Hill main',
      [-440, 30],
      3,
      { litrePerPulse: 1 },
      900,
      flowModel('stock', 38_000),
    ),
  ];
}
