import type { FileUnit } from '@headrace/contract/rules/files/file-units';
import { normaliseMac } from '@headrace/device/topics';
import type { ContentDevice } from './farm-content.repo.ts';
import { isPlaceholder } from './in-order.ts';

/** Case and blanks don't tell serial numbers apart. */
export const serialKeyOf = (serial: string): string => serial.replaceAll(/\s/g, '').toLowerCase();

interface Match {
  readonly device: ContentDevice | null;
  /** Why it can't be said which it is: a sentence. */
  readonly why: string | null;
}

/** Which unit a row is about: by the id that a farm's own file has, else serial number, else MAC, else name. A place that is only kept is none. */
export function createMatcher(devices: readonly ContentDevice[]) {
  const units = devices.filter(
    (device) => (device.kind === 'sprinkler' || device.kind === 'repeater') && !isPlaceholder(device),
  );
  const bySerial = grouped(units, ({ serial_number }) => serialKeyOf(serial_number));
  const byMac = new Map(devices.flatMap((device) => (device.mac ? [[device.mac, device] as const] : [])));
  const byUid = new Map(units.map((unit) => [unit.uid, unit]));
  const byName = grouped(units, ({ kind, name }) => `${kind} ${name}`);

  return {
    ofSerial: (serial: string): readonly ContentDevice[] => bySerial.get(serialKeyOf(serial)) ?? [],
    ofMac: (mac: string): ContentDevice | undefined => byMac.get(mac),

    /** `byPlace`: by name before serial number and MAC, which may be another unit's by now. */
    find(unit: FileUnit, { byPlace }: { readonly byPlace: boolean }): Match {
      const written = byUid.get(unit.uid ?? '');
      if (written) return only([written], unit, 'this _id');
      const named = byName.get(`${unit.kind} ${unit.name ?? ''}`) ?? [];
      if (byPlace && named.length > 0) return only(named, unit, 'this name');
      const found = bySerial.get(serialKeyOf(unit.serialNumber ?? '')) ?? [];
      if (found.length > 0) return only(found, unit, 'this serial number');
      const holder = byMac.get(normaliseMac(unit.macAddress ?? '') ?? '');
      if (holder) return only([holder], unit, 'this MAC address');
      // A new serial number with a name that there is: another unit, or the same after a repair. Nobody knows.
      if (named.length > 0) return only(named, unit, 'this name');
      return { device: null, why: null };
    },
  };
}
export type Matcher = ReturnType<typeof createMatcher>;

function only(found: readonly ContentDevice[], { kind }: FileUnit, what: string): Match {
  const [device = null, ...others] = found;
  if (others.length > 0) return { device: null, why: `${found.length} units have ${what}.` };
  if (device && device.kind !== kind)
    return { device: null, why: `The ${device.kind} ${device.name} has ${what}.` };
  if (device && isPlaceholder(device))
    return { device: null, why: `The placeholder ${device.name} has ${what}. Return it to service first.` };
  return { device, why: null };
}

export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === '') continue;
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
