import { centralWestQueensland } from './climates.ts';
import * as devices from './devices.ts';
import { pointAt } from './geo.ts';
import type { FarmProfile, SensorProfile, TankModel } from './profile.ts';

const { ballcock, pump, tankModel, tankSettings, withMeter } = devices;
const pin = { lat: -24.612, lng: 145.214 };

/** A cattle station in central west Queensland: nothing but stock water, an hour's drive from end to end. */
export function barcooStation(): FarmProfile {
  const make = devices.deviceMaker(pin, 3);
  const lora = make.gateway(1, [120, 80], {
    name: 'Homestead mast',
    description: '24 m mast, solar',
    io: null,
  });
  return {
    key: 'barcoo-station',
    name: 'Barcoo Station',
    description: 'Cattle, stock water on 260 km²',
    country: 'AU',
    timeZone: 'Australia/Brisbane',
    address: {
      street: 'Isisford Road',
      suburb: 'Blackall',
      city: 'Blackall',
      zip: '4472',
      country: 'Australia',
    },
    location: pin,
    boundary: (
      [
        [-8800, -7400],
        [1200, -8100],
        [8600, -6900],
        [9100, 1800],
        [7200, 7600],
        [-2600, 8200],
        [-9000, 5900],
      ] as const
    ).map(([east, north]) => pointAt(pin, east, north)),
    irrigationAreaHa: 0,
    tankOnly: true,
    ownerEmail: 'owner@headrace.test',
    radio: { farmId: '01:01', channel: 1 },
    gateways: [lora],
    repeaters: [],
    sprinklers: [],
    sensors: tanks(make, lora.mac),
    pois: [
      { name: 'Homestead', description: 'UHF channel 12', ...pointAt(pin, 0, 0) },
      { name: 'Airstrip', description: '900 m, gravel', ...pointAt(pin, 900, -1300) },
    ],
    networkServer: null,
    climate: centralWestQueensland,
    irrigation: null,
    // Its battery is old: before dawn the mast is off the air until the charger starts.
    troubles: [{ mac: lora.mac, kind: 'gateway-down', atMinute: 4 * 60 + 10, minutes: 35 }],
  };
}

const bore = (litresPerDay: number): Partial<TankModel> => ({
  litresPerDay,
  supply: pump(Math.round(litresPerDay / 180), { lowSetpoint: 50, highSetpoint: 92, maxRunTime: 480 }),
});
const line = (litresPerDay: number): Partial<TankModel> => ({
  litresPerDay,
  supply: ballcock(Math.round(litresPerDay / 300), 0.8, 0.95),
});

/** Its pump runs day and night and lifts nothing; nobody draws from it, so that its level stands still. Heard without gaps, so that it is one run. */
const brokenBore: Partial<TankModel> = {
  use: 'none',
  litresPerDay: 0,
  supply: pump(0, { lowSetpoint: 50, highSetpoint: 92 }),
  startFraction: 0.44,
  radioLoss: 0,
};
const descriptionOf = (model: Partial<TankModel>): string => {
  if (model.supply?.kind !== 'pump') return '';
  return model === brokenBore ? 'Not in use; rising main broken' : 'Filled by its bore pump';
};

function tanks(make: devices.DeviceMaker, gatewayMac: string): SensorProfile[] {
  const rows: readonly [
    name: string,
    place: devices.Place,
    type: 0 | 5 | 6 | 100,
    volume: number,
    model: Partial<TankModel>,
  ][] = [
    [
      'Homestead',
      [90, -60],
      100,
      45_000,
      { use: 'house', litresPerDay: 2400, supply: ballcock(25, 0.7, 0.95) },
    ],
    ['House bore', [-300, 250], 0, 60_000, bore(11_000)],
    [
      'Woolshed',
      [650, -500],
      100,
      45_000,
      { use: 'wash', litresPerDay: 3100, supply: ballcock(20, 0.75, 0.95) },
    ],
    ['Airstrip', [1100, -1500], 100, 90_000, line(14_000)],
    ['Ten Mile', [-6900, -3100], 0, 120_000, bore(26_000)],
    ['Gidgee', [-4200, -5600], 100, 90_000, line(19_000)],
    ['Coolibah', [-2100, 6400], 100, 90_000, line(17_500)],
    ['Number 4 bore', [3800, 5100], 0, 120_000, brokenBore],
    ['Brigalow', [6400, 3300], 100, 90_000, { ...line(18_000), battery: 'shaded' }],
    ['Bottom dam', [5200, -3600], 6, 60_000, line(9000)],
    ['Top yards', [-800, 2700], 100, 60_000, line(8000)],
    ['Horse paddock', [-950, -700], 5, 22_500, line(1800)],
    ['Red bank', [7900, -800], 100, 90_000, { ...line(16_000), radioLoss: 0.1 }],
    ['Mulga', [-7800, 2200], 100, 90_000, { ...line(15_000), radioLoss: 0.08 }],
    ['Boundary', [8100, -5900], 100, 90_000, { ...line(12_500), leakLitresPerHour: 60 }],
    ['Sandalwood', [-5600, 4700], 6, 90_000, line(13_000)],
    ['Emu plain', [1900, -6800], 100, 90_000, line(16_500)],
    ['Weaner', [-1500, -2900], 5, 45_000, line(5200)],
  ];
  return rows.map(([name, place, type, volume, model], index) => {
    const settings = tankSettings(volume, volume > 60_000 ? 2200 : 2450);
    return make.sensor(place, {
      name,
      description: descriptionOf(model),
      type,
      settings: type === 100 && index % 3 === 0 ? withMeter(settings, 1, 10) : settings,
      gatewayMac,
      reportEverySeconds: 600 + 75 * (index % 5),
      model: tankModel(model),
    });
  });
}
