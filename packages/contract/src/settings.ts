import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { nullable, Uid } from './schemas.ts';
import { needs } from './permissions.ts';
import { defaultSettings } from './default-settings.ts';

/** What follows a person from device to device. Members a version does not know are kept as they are. */
export const Settings = Type.Object(
  {
    currFarm: Type.Optional(nullable(Uid)),
    displayTooltips: Type.Optional(Type.Boolean()),
    displayPOI: Type.Optional(Type.Boolean()),
    displaySensors: Type.Optional(Type.Boolean()),
    displaySpares: Type.Optional(Type.Boolean()),
    showSpareReadyDialog: Type.Optional(Type.Boolean()),
    displayIPCMap: Type.Optional(Type.Boolean()),
    displayTankMap: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: true, maxProperties: 64 },
);
export type Settings = Static<typeof Settings>;

export { defaultSettings };

export const StoredSettings = Type.Object({
  data: nullable(Settings),
  version: Type.Integer({ minimum: 0, maximum: 6 }),
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
  /** The demo farms are running: the sign-in page offers the demo account. */
  demo: Type.Boolean(),
});
export type GlobalSettings = Static<typeof GlobalSettings>;

export const imsSettings = defineEndpoint({
  key: 'GET /ims-settings',
  tag: 'Settings',
  summary: 'What the whole installation is set to',
  needs: needs.nothing,
  reply: GlobalSettings,
});
