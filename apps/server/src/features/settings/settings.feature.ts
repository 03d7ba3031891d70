import type { BrokerAddress, GlobalSettings } from '@headrace/contract/settings';
import type { Core, Feature } from '../../feature.ts';
import { createInstallation, type Installation } from './installation.ts';
import { createSettingsRepo } from './settings.repo.ts';
import { settingsRoutes } from './settings.routes.ts';
import { createSettingsService, type SettingsService } from './settings.service.ts';

export interface SettingsFeature extends Feature {
  readonly service: SettingsService;
  /** What the operator has set for everyone. */
  readonly operatorSettings: Installation['settings'];
}

export interface SettingsOptions {
  readonly installation: Pick<GlobalSettings, 'demo' | 'tileUrl' | 'tileAttribution' | 'tileMaxZoom'>;
  /** How others reach the broker; null: not known. */
  readonly broker: () => BrokerAddress | null;
}

/** What people set for themselves, and the operator for everyone. */
export function createSettingsFeature(
  { db, live, now }: Core,
  { installation: fixed, broker }: SettingsOptions,
): SettingsFeature {
  const installation = createInstallation(db, { now, fixed, broker });
  const service = createSettingsService(createSettingsRepo(db));
  return {
    service,
    operatorSettings: installation.settings,
    openingFrames: service.openingFrames,
    routes: (mount) =>
      settingsRoutes(mount, service, installation, ({ accountId, tokenHash }, frame) =>
        live.toAccount(accountId, frame, tokenHash),
      ),
  };
}
