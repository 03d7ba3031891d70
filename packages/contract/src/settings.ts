import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { LatLng, nullable, TypedText, Uid } from './schemas.ts';
import { needs } from './permissions.ts';
import { defaultSettings } from './default-settings.ts';

/** Every part of the document may have members that this version doesn't know: they are kept. */
const open = { additionalProperties: true, maxProperties: 64 } as const;
const text = TypedText({ maxLength: 300 });
const name = TypedText({ maxLength: 64 });
const configs = Type.Object({}, open);

/** One of five levels of soil moisture, from its start up to the next one's. */
const StressBand = Type.Object(
  {
    idx: Type.Integer({ minimum: 0, maximum: 4 }),
    name,
    start: Type.Number({ minimum: 0, maximum: 200, description: 'kPa' }),
    color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  },
  open,
);
export type StressBand = Static<typeof StressBand>;
const stressBands = Type.Array(StressBand, { minItems: 5, maxItems: 5 });

const flag = Type.Optional(Type.Boolean());
const Site = Type.Object(
  {
    id: name,
    smPlot: Type.Optional(
      Type.Object(
        {
          average: flag,
          rain: flag,
          rainAccumulated: flag,
          rainHourly: flag,
          swp1: flag,
          swp2: flag,
          temperature: flag,
        },
        open,
      ),
    ),
    smStressBands: Type.Optional(stressBands),
    soilType: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5,
        description: 'Clay 1, Loam 2, SandyLoam 3, FineSandyLoam 4, LoamySand 5',
      }),
    ),
  },
  open,
);

/** Charts whose time is kept: a farm's tanks, meters and soil; `IPC` how its sprinklers are, day by day; `History` what happened at one. */
export const filterTargets = [
  'SoilMoisture',
  'Flow',
  'Level',
  'LevelUsage',
  'LevelBattery',
  'IPC',
  'Battery',
  'History',
] as const;
export type FilterTarget = (typeof filterTargets)[number];

const Filter = Type.Object(
  {
    target: TypedText({ maxLength: 64, description: filterTargets.join(', ') }),
    timeScale: Type.Optional(name),
    range: Type.Optional(nullable(Type.Object({ from: name, to: name }, open))),
    unit: Type.Optional(name),
  },
  open,
);

const Headline = Type.Object(
  {
    position: Type.Integer({ minimum: 0, maximum: 3 }),
    type: Type.Integer({ minimum: -1, maximum: 10, description: 'see headlineTypes of default-settings' }),
    configs: Type.Optional(configs),
  },
  open,
);
export type Headline = Static<typeof Headline>;

const DashboardCard = Type.Object(
  { type: name, visible: Type.Boolean(), configs: Type.Optional(configs) },
  open,
);
export type DashboardCard = Static<typeof DashboardCard>;

/** What each farm may have of its own; on the document itself: what holds for farms that have none. */
const ofAnyFarm = {
  filters: Type.Optional(Type.Array(Filter, { maxItems: 32 })),
  sites: Type.Optional(Type.Array(Site, { maxItems: 100 })),
  headlines: Type.Optional(Type.Array(Headline, { maxItems: 4 })),
  smCurrDisplayed: Type.Optional(nullable(name)),
  smStressBands: Type.Optional(stressBands),
  dashboard: Type.Optional(
    Type.Object({ cards: Type.Optional(Type.Array(DashboardCard, { maxItems: 32 })) }, open),
  ),
  displayIPCMap: flag,
  displayTankMap: flag,
};

const FarmSettings = Type.Object(
  {
    info: Type.Object(
      {
        id: Uid,
        accountId: Type.Optional(name),
        name: Type.Optional(text),
        description: Type.Optional(TypedText({ maxLength: 1000 })),
        icon: Type.Optional(name),
        position: Type.Optional(LatLng),
        tankOnly: flag,
      },
      open,
    ),
    ...ofAnyFarm,
  },
  open,
);
export type FarmSettings = Static<typeof FarmSettings>;

/** What follows a person from device to device: version 6 of the document. */
export const Settings = Type.Object(
  {
    currFarm: Type.Optional(nullable(Uid)),
    farms: Type.Optional(Type.Array(FarmSettings, { maxItems: 500 })),
    ...ofAnyFarm,
    /** How the dashboard shows tanks: without one cards by name, on phones a list with the worst first. */
    tankLook: Type.Optional(Type.Unsafe<'cards' | 'list'>({ type: 'string', enum: ['cards', 'list'] })),
    tankOrder: Type.Optional(Type.Unsafe<'worst' | 'name'>({ type: 'string', enum: ['worst', 'name'] })),
    displayTooltips: flag,
    displayPOI: flag,
    displaySensors: flag,
    displaySpares: flag,
    showSpareReadyDialog: flag,
  },
  open,
);
export type Settings = Static<typeof Settings>;

export { defaultSettings };

/** As it was stored, by whichever version: rules/settings-migrations reads it. */
export const StoredSettings = Type.Object({
  data: nullable(Type.Record(Type.String(), Type.Unknown())),
  version: Type.Integer({ minimum: 0 }),
});
export type StoredSettings = Static<typeof StoredSettings>;

export const getSettings = defineEndpoint({
  key: 'GET /settings',
  tag: 'Settings',
  summary: "The account's settings; null until saved once",
  beforeNewPassword: true,
  needs: needs.login,
  reply: StoredSettings,
});

export const putSettings = defineEndpoint({
  key: 'PUT /settings',
  tag: 'Settings',
  summary: 'Store the whole settings document, last write wins',
  beforeNewPassword: true,
  needs: needs.login,
  body: Type.Object({ data: Settings, version: Type.Integer({ minimum: 0, maximum: 6 }) }),
  reply: StoredSettings,
});

/** Where devices and network servers reach the broker. */
export const BrokerAddress = Type.Object({
  host: Type.String({ description: 'empty: the host of the web page' }),
  port: Type.Integer(),
  tls: Type.Boolean(),
});
export type BrokerAddress = Static<typeof BrokerAddress>;

export const GlobalSettings = Type.Object({
  enabledCountryCodes: Type.Array(Type.String()),
  newAccountCreationGlobal: Type.Boolean(),
  newFarmCreationGlobal: Type.Boolean(),
  appVersion: Type.String(),
  mapsToken: Type.String(),
  vapidPublicKey: Type.String(),
  /** Raster tiles over the plain base map: URL template and attribution, empty when none is configured. */
  tileUrl: Type.String(),
  tileAttribution: Type.String(),
  /** Beyond this zoom its tiles are stretched. */
  tileMaxZoom: Type.Integer(),
  /** The demo farms are running: the sign-in page offers the demo account. */
  demo: Type.Boolean(),
  /** Null: an outside broker, of which the operator hasn't said how others reach it. */
  broker: nullable(BrokerAddress),
});
export type GlobalSettings = Static<typeof GlobalSettings>;

export const imsSettings = defineEndpoint({
  key: 'GET /ims-settings',
  tag: 'Settings',
  summary: 'What the whole installation is set to',
  needs: needs.nothing,
  reply: GlobalSettings,
});
