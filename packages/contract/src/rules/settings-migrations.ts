import { defaultCards, defaultSettings } from '../default-settings.ts';
import { SETTINGS_VERSION } from '../limits.ts';
import type { Settings, StoredSettings } from '../settings.ts';
import { isFields, mendSettings } from './settings-mend.ts';

type Fields = Record<string, unknown>;
type Step = (document: Fields) => Fields;

/** The new flags of a version; one that is there already stays. */
const withFlags =
  (flags: Fields): Step =>
  (document) => ({ ...flags, ...document });

const hiddenIo = { type: 'IO', visible: false, configs: {} };
const isIo = (card: unknown) => isFields(card) && card.type === hiddenIo.type;

/** A farm that never chose its cards keeps what it saw: all but the new one. */
function withHiddenIo(farm: Fields): Fields {
  const dashboard = isFields(farm.dashboard) ? farm.dashboard : {};
  const cards: unknown[] = Array.isArray(dashboard.cards)
    ? dashboard.cards
    : defaultCards.filter((card) => !isIo(card));
  if (cards.some(isIo)) return farm;
  return { ...farm, dashboard: { ...dashboard, cards: [...cards, hiddenIo] } };
}

function withIoCard(document: Fields): Fields {
  const { farms } = document;
  const own = isFields(document.dashboard) ? withHiddenIo(document) : document;
  if (!Array.isArray(farms)) return own;
  return { ...own, farms: farms.map((farm: unknown) => (isFields(farm) ? withHiddenIo(farm) : farm)) };
}

/** By the version that each starts from. spec 1 §4 */
const steps: readonly Step[] = [
  withFlags({ displayTooltips: true }),
  withFlags({ displayPOI: true }),
  withFlags({ displaySensors: true, displaySpares: false }),
  withIoCard,
  withFlags({ showSpareReadyDialog: true }),
  withFlags({ displayIPCMap: true, displayTankMap: true }),
];

/** A document of an older version as version 6; a newer one stays as it is. */
export function migrateSettings(document: Fields, version: number): Fields {
  return steps.slice(Math.max(0, version)).reduce((before, step) => step(before), document);
}

/** What was stored, as this version reads it; the defaults when nothing was. Never throws. */
export function readSettings({ data, version }: StoredSettings): Settings {
  return data === null ? defaultSettings : mendSettings(migrateSettings(data, version));
}

/** Whether what is stored must be brought up to this version, and stored again. */
export const isOld = ({ data, version }: StoredSettings): boolean =>
  data !== null && version < SETTINGS_VERSION;

/** Stored by a newer version of the app: this one must not write over it. */
export const isNewer = ({ version }: StoredSettings): boolean => version > SETTINGS_VERSION;
