import type { FarmSettings, Settings } from '../settings.ts';

/** A farm's changed members; null takes one away, so that what holds for all farms holds again. */
export type FarmPatch = Pick<FarmSettings, 'info'> & {
  [Name in keyof Omit<FarmSettings, 'info'>]?: FarmSettings[Name] | null;
};
/** Changed members of the document. */
export type SettingsPatch = Omit<Partial<Settings>, 'farms'> & { farms?: FarmPatch[] };

/** A farm is changed member by member: what another browser changed of it, or of another farm, stays. */
function patchFarms(farms: readonly FarmPatch[], patches: readonly FarmPatch[]): FarmPatch[] {
  const byId = new Map<string, FarmPatch>(farms.map((farm) => [farm.info.id, farm]));
  for (const patch of patches) {
    const before = byId.get(patch.info.id);
    byId.set(patch.info.id, {
      ...before,
      ...patch,
      info: { ...before?.info, ...patch.info },
    });
  }
  return [...byId.values()];
}

const withoutNulls = (farm: FarmPatch) =>
  Object.fromEntries(Object.entries(farm).filter(([, value]) => value !== null)) as FarmSettings;

/** The document with the changes made. */
export function patchSettings(document: Settings, { farms, ...rest }: SettingsPatch): Settings {
  const patched = { ...document, ...rest };
  return farms ? { ...patched, farms: patchFarms(document.farms ?? [], farms).map(withoutNulls) } : patched;
}

/** Two sets of changes as one; the later one wins. */
export function mergePatches(first: SettingsPatch, then: SettingsPatch): SettingsPatch {
  const merged = { ...first, ...then };
  return first.farms && then.farms ? { ...merged, farms: patchFarms(first.farms, then.farms) } : merged;
}
