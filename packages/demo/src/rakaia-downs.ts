import { canterburyPlains } from './climates.ts';
import * as devices from './devices.ts';
import { pointAt } from './geo.ts';
import { groupNames, kLines, sprinklerModel } from './layouts.ts';
import type { FarmProfile, SensorProfile } from './profile.ts';
import { createRandom } from './random.ts';

const { ballcock, pump, tankModel, tankSettings, withMeter } = devices;
const pin = { lat: -43.752, lng: 171.951 };
const radio = { farmId: '01:01', channel: 3 };

/** A Canterbury dairy farm: K-line in five paddocks, a bore, the shed, houses and stock water. */
export function rakaiaDowns(): FarmProfile {
  const make = devices.deviceMaker(pin, 1);
  const random = createRandom('rakaia-downs');
  const inc = make.gateway(0, [-40, -95], {
    name: 'Pump shed',
    description: 'Irrigation gateway on the pump shed wall',
    io: {
      inputs: ['Mains power', 'Pump running', 'Pressure ok', 'Gate open', 'Filter alarm', 'Spare in'],
      relays: ['Main pump', 'Bore pump', 'Booster', 'Filter flush', 'Siren', 'Spare out'],
    },
  });
  const lora = make.gateway(1, [60, -150], {
    name: 'Dairy shed mast',
    description: 'Hears tanks and soil sites',
    io: null,
  });
  const spare = make.sprinkler([-60, -120], {
    name: 'SP1',
    description: 'Spare on the shelf in the pump shed',
    group: '',
    isSpareUnit: true,
    gatewayMac: inc.mac,
    ...radio,
    model: { ...sprinklerModel(random, 1), driftSecondsPerDay: 0.2 },
  });
  const lines = kLines({
    make,
    random,
    radio,
    gatewayMac: inc.mac,
    pods: 10,
    spacing: 16,
    lines: [
      { name: 'A', start: [-560, -430], bearing: [0.98, 0.17], faults: { 7: 'weak-battery' } },
      { name: 'B', start: [-600, -240], bearing: [0.98, 0.17], faults: { 4: 'lost-close' } },
      { name: 'C', start: [240, -430], bearing: [0.98, 0.17], faults: { 3: 'clock' }, out: 5 },
      { name: 'D', start: [300, 60], bearing: [0.98, 0.17], faults: { 6: 'stuck' } },
      { name: 'E', start: [-500, 250], bearing: [0.98, 0.17], faults: { 10: 'silent', 4: 'schedule' } },
    ],
  });
  // After the lines: their addresses stay what they were before there was a second spare.
  const flatSpare = make.sprinkler([-58, -120], {
    name: 'SP2',
    description: 'Spare on the shelf, its battery is to be charged',
    group: '',
    isSpareUnit: true,
    gatewayMac: inc.mac,
    ...radio,
    model: { ...sprinklerModel(random, 1, 'weak-battery'), driftSecondsPerDay: 0.2 },
  });
  return {
    key: 'rakaia-downs',
    name: 'Rakaia Downs',
    description: 'Dairy, 520 cows, K-line on the river terrace',
    country: 'NZ',
    timeZone: 'Pacific/Auckland',
    address: {
      street: '418 Thompsons Track',
      suburb: 'Mitcham',
      city: 'Rakaia',
      zip: '7783',
      country: 'New Zealand',
    },
    location: pin,
    boundary: (
      [
        [-780, -600],
        [120, -640],
        [720, -560],
        [790, -40],
        [690, 540],
        [-110, 630],
        [-690, 500],
      ] as const
    ).map(([east, north]) => pointAt(pin, east, north)),
    irrigationAreaHa: 62,
    tankOnly: false,
    ownerEmail: 'owner@headrace.test',
    radio,
    gateways: [inc, lora],
    repeaters: [
      make.repeater('RPT1', [-330, -200], inc.mac, 1),
      make.repeater('RPT2', [300, -150], inc.mac, 1),
      make.repeater('RPT3', [-250, 220], inc.mac, 2),
    ],
    sprinklers: [...lines, spare, flatSpare],
    sensors: [...tanks(make, lora.mac), ...fields(make, lora.mac)],
    pois: [
      { name: 'Front gate', description: 'Tankers turn here', ...pointAt(pin, 110, -610) },
      { name: 'Homestead', description: '', ...pointAt(pin, 150, -330) },
      { name: 'Main pump', description: 'Isolator on the left of the door', ...pointAt(pin, -45, -90) },
      { name: 'Culvert', description: 'No trucks', ...pointAt(pin, -420, 90) },
      { name: 'Willow ford', description: 'Closed when the river is up', ...pointAt(pin, 420, 430) },
    ],
    networkServer: { kind: 'chirpstack', applicationId: '17c82e96-be03-4f38-aef3-f83d48582d97' },
    climate: canterburyPlains,
    irrigation: {
      groups: groupNames(lines),
      startMinute: 21 * 60,
      minutes: 28,
      behind: null,
      supply: {
        maxLps: 22,
        windows: [{ fromMin: 21 * 60, toMin: 7 * 60, why: 'Night rate' }],
        avoid: [],
      },
    },
  };
}

function tanks(make: devices.DeviceMaker, gatewayMac: string): SensorProfile[] {
  const tank = (
    name: string,
    description: string,
    place: devices.Place,
    of: Pick<SensorProfile, 'type' | 'settings' | 'reportEverySeconds'> & {
      model: Parameters<typeof tankModel>[0];
    },
  ) => make.sensor(place, { name, description, gatewayMac, ...of, model: tankModel(of.model) });
  return [
    tank('Dairy shed', 'Two milkings and the yard wash', [30, -170], {
      type: 100,
      settings: withMeter(tankSettings(30_000, 2500), 1),
      reportEverySeconds: 20,
      model: { use: 'dairy-shed', litresPerDay: 24_000, supply: ballcock(60, 0.86, 0.96) },
    }),
    tank('House', 'House and garden', [140, -310], {
      type: 100,
      settings: withMeter(tankSettings(25_000, 2450), 1),
      reportEverySeconds: 30,
      model: { use: 'house', litresPerDay: 1900, supply: ballcock(18, 0.7, 0.94) },
    }),
    tank('Top header', 'Filled by the bore pump', [-90, 330], {
      type: 0,
      settings: tankSettings(30_000, 2550),
      reportEverySeconds: 40,
      model: {
        litresPerDay: 21_000,
        supply: pump(110, { lowSetpoint: 60, highSetpoint: 92, maxRunTime: 240 }),
        startFraction: 0.75,
      },
    }),
    tank('Bore buffer', 'Between bore and booster', [-10, -60], {
      type: 0,
      settings: tankSettings(15_000, 2100),
      reportEverySeconds: 45,
      model: {
        use: 'wash',
        litresPerDay: 13_000,
        // More than a wash draws, or the pump would run its longest with the tank still short.
        supply: pump(150, { lowSetpoint: 50, highSetpoint: 85, maxRunTime: 120 }),
      },
    }),
    tank('Vat wash', 'Hot wash, twice a day', [55, -185], {
      type: 100,
      settings: tankSettings(5000, 1900),
      reportEverySeconds: 50,
      model: { use: 'wash', litresPerDay: 3200, supply: ballcock(20, 0.8, 0.95) },
    }),
    tank('Calf shed', 'Calves and hospital mob', [210, -220], {
      type: 100,
      settings: withMeter(tankSettings(10_000, 2000), 1),
      reportEverySeconds: 60,
      model: { litresPerDay: 2600, supply: ballcock(15) },
    }),
    tank('Terrace', 'Troughs 4 to 9', [-540, -60], {
      type: 100,
      settings: withMeter(tankSettings(25_000, 2450), 1, 5),
      reportEverySeconds: 300,
      model: { litresPerDay: 9500 },
    }),
    tank('Back road', 'Troughs 10 to 14; the float sticks at night', [-600, 330], {
      type: 6,
      settings: tankSettings(25_000, 2450),
      reportEverySeconds: 600,
      model: {
        litresPerDay: 5200,
        supply: { kind: 'ballcock', litresPerMinute: 30, openBelow: 0.72, fillTo: 0.93, hours: [7, 20] },
        leakLitresPerHour: 190,
        leakAtNightOnly: true,
      },
    }),
    tank('Riverbank', 'Under the willows, poor signal', [470, 470], {
      type: 6,
      settings: tankSettings(25_000, 2450),
      reportEverySeconds: 900,
      model: { litresPerDay: 6100, fault: 'silent', radioLoss: 0.12 },
    }),
    tank('Willows', 'Supply line half blocked', [560, 330], {
      type: 100,
      settings: tankSettings(25_000, 2450),
      reportEverySeconds: 450,
      // By day less comes than the stock drink, by night it catches up: never above 20 %.
      model: { litresPerDay: 5600, supply: ballcock(7, 0.19, 0.195), startFraction: 0.17 },
    }),
    tank('Runoff block', 'Panel in the shade of the hedge', [690, 60], {
      type: 100,
      settings: tankSettings(25_000, 2450),
      reportEverySeconds: 900,
      model: { litresPerDay: 4100, battery: 'failing', radioLoss: 0.06 },
    }),
    tank('Woolshed roof', 'Rain water; probe cable chewed', [330, -470], {
      type: 0,
      settings: tankSettings(22_500, 2300),
      reportEverySeconds: 600,
      model: {
        use: 'house',
        litresPerDay: 240,
        supply: { kind: 'roof', roofM2: 220 },
        startFraction: 0.7,
        fault: 'invalid-levels',
      },
    }),
    tank('Hay barn roof', 'Rain water for the sprayer', [-180, -420], {
      type: 6,
      settings: tankSettings(30_000, 2500),
      reportEverySeconds: 720,
      model: {
        use: 'wash',
        litresPerDay: 410,
        supply: { kind: 'roof', roofM2: 380 },
        startFraction: 0.6,
        battery: 'shaded',
      },
    }),
    make.sensor([-330, 420], {
      name: 'Terrace spring',
      description: 'LoRaWAN probe, through ChirpStack',
      type: 0,
      settings: tankSettings(20_000, 2300),
      gatewayMac: null,
      mapping: [
        { path: 'water_level.value', metric: 'levelMm', scale: 10 },
        { path: 'battery', metric: 'batteryV' },
        { path: 'status', metric: 'fault', text: { ok: false, probe_error: true } },
      ],
      reportEverySeconds: 600,
      model: tankModel({ litresPerDay: 4800, supply: ballcock(12, 0.7, 0.92) }),
    }),
  ];
}

function fields(make: devices.DeviceMaker, gatewayMac: string): SensorProfile[] {
  return [
    make.sensor([-480, -400], {
      name: 'Line A soil',
      description: 'Silt loam, under K-line',
      type: 2,
      settings: devices.soilSettings,
      gatewayMac,
      reportEverySeconds: 900,
      model: devices.soilModel('loam', true, true),
    }),
    make.sensor([380, 90], {
      name: 'Line D soil',
      description: 'Sandy patch, under K-line',
      type: 2,
      settings: devices.soilSettings,
      gatewayMac,
      reportEverySeconds: 900,
      model: devices.soilModel('sandy-loam', true, true),
    }),
    make.sensor([560, 400], {
      name: 'Dryland soil',
      description: 'No irrigation: the control',
      type: 2,
      settings: devices.soilSettings,
      gatewayMac,
      reportEverySeconds: 1200,
      model: devices.soilModel('loam', false, false),
    }),
    make.sensor([-50, -85], {
      name: 'Main pump meter',
      description: 'Consent meter on the irrigation main',
      type: 3,
      settings: { litrePerPulse: 10 },
      gatewayMac,
      reportEverySeconds: 900,
      model: devices.flowModel('irrigation'),
    }),
    make.sensor([-20, -80], {
      name: 'Stock water meter',
      description: 'Bore to the stock water line; a joint seeps',
      type: 3,
      settings: { litrePerPulse: 1 },
      gatewayMac,
      reportEverySeconds: 300,
      model: devices.flowModel('stock', 58_000, 90),
    }),
  ];
}
