import { APP_VERSION } from '@headrace/contract/limits';
import type { BrokerAddress, GlobalSettings } from '@headrace/contract/settings';
import type { Db } from '../../db/client.ts';
import { keep } from '../../db/made-once.ts';
import { readOrMakeVapidKeys } from '../notifications/vapid-keys.ts';

/** What the operator sets for everyone by command, as the rows of `installation` are named. */
export interface OperatorSettings {
  readonly newAccountCreation: boolean;
  readonly newFarmCreation: boolean;
  /** Codes of countries, in small letters. */
  readonly enabledCountryCodes: readonly string[];
}

const unlessSet: OperatorSettings = {
  newAccountCreation: true,
  newFarmCreation: true,
  enabledCountryCodes: ['au', 'nz'],
};

export type OperatorSettingName = keyof OperatorSettings;

/** Read anew each time, so that what a command sets counts at once on every server. */
export async function readOperatorSettings(db: Db): Promise<OperatorSettings> {
  const rows = await db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('name', 'in', Object.keys(unlessSet))
    .execute();
  return { ...unlessSet, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
}

export const setOperatorSetting = <Name extends OperatorSettingName>(
  db: Db,
  name: Name,
  value: OperatorSettings[Name],
  now: Date,
): Promise<void> => keep(db, name, value, now);

/** What GET /ims-settings answers. */
export function createInstallation(
  db: Db,
  options: {
    now: () => Date;
    fixed: Pick<GlobalSettings, 'demo' | 'tileUrl' | 'tileAttribution' | 'tileMaxZoom'>;
    /** Its port is known once it listens. */
    broker: () => BrokerAddress | null;
  },
) {
  return {
    settings: () => readOperatorSettings(db),
    async globalSettings(): Promise<GlobalSettings> {
      const set = await readOperatorSettings(db);
      const { publicKey } = await readOrMakeVapidKeys(db, options.now());
      return {
        enabledCountryCodes: [...set.enabledCountryCodes],
        newAccountCreationGlobal: set.newAccountCreation,
        newFarmCreationGlobal: set.newFarmCreation,
        appVersion: APP_VERSION,
        mapsToken: '',
        vapidPublicKey: publicKey,
        ...options.fixed,
        broker: options.broker(),
      };
    },
  };
}
export type Installation = ReturnType<typeof createInstallation>;
