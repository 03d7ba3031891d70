import type { FarmCard } from '@headrace/contract/farms';
import { farmPatch } from '@headrace/contract/rules/settings-farms';
import type { SettingsPatch } from '@headrace/contract/rules/settings-patch';
import type { FarmSettings, Settings } from '@headrace/contract/settings';
import type { SoilLineId } from '../../charts/soil-chart.ts';

type Site = NonNullable<FarmSettings['sites']>[number];
export type Plot = Record<SoilLineId, boolean>;

/** Until chosen otherwise: the probes, the rain by the day and the temperature. */
const byDefault: Plot = {
  swp1: true,
  swp2: true,
  swp3: true,
  swp4: true,
  average: true,
  temperature: true,
  rain: true,
  rainHourly: false,
  rainAccumulated: false,
};

const ofFarm = (settings: Settings, farmUID: string) =>
  settings.farms?.find(({ info }) => info.id === farmUID);

/** What the settings say of a site: the farm's word, else that for all farms. */
export const siteSettings = (settings: Settings, farmUID: string, siteId: string): Site | undefined =>
  [...(ofFarm(settings, farmUID)?.sites ?? []), ...(settings.sites ?? [])].find(({ id }) => id === siteId);

/** Which lines of a site are shown. */
export const plotOf = (settings: Settings, farmUID: string, siteId: string): Plot => ({
  ...byDefault,
  ...siteSettings(settings, farmUID, siteId)?.smPlot,
});

/** The settings' change that shows or hides one line of a site. */
export function keepPlot(
  settings: Settings,
  farm: FarmCard,
  siteId: string,
  line: SoilLineId,
  isOn: boolean,
): SettingsPatch {
  const sites = ofFarm(settings, farm._id)?.sites ?? [];
  const before = siteSettings(settings, farm._id, siteId);
  const after: Site = { ...before, id: siteId, smPlot: { ...before?.smPlot, [line]: isOn } };
  const others = sites.filter(({ id }) => id !== siteId);
  return { farms: [farmPatch(farm, { sites: [...others, after] })] };
}

/** The site that was looked at last, while it is there; else the first. */
export function chosenSite<S extends { id: string }>(
  settings: Settings,
  farmUID: string,
  sites: readonly S[],
): S | undefined {
  const kept = ofFarm(settings, farmUID)?.smCurrDisplayed ?? settings.smCurrDisplayed;
  return sites.find(({ id }) => id === kept) ?? sites[0];
}

/** Names of the stored numbers. spec 1 §3 */
export const soilTypes: Readonly<Record<number, string>> = {
  1: 'Clay',
  2: 'Loam',
  3: 'Sandy loam',
  4: 'Fine sandy loam',
  5: 'Loamy sand',
};
