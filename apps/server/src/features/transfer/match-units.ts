import type { FileUnit } from '@headrace/contract/rules/files/file-units';
import { normaliseMac } from '@headrace/device/topics';
import { breathe } from '../../jobs/in-turns.ts';
import type { ContentDevice } from './farm-content.repo.ts';
import { isPlaceholder } from './in-order.ts';
import { ofField, ofRow, type UnitFault } from './unit-fault.ts';

/** Case and blanks don't tell serial numbers apart. */
export const serialKeyOf = (serial: string): string => serial.replaceAll(/\s/g, '').toLowerCase();

const withoutZeros = (serial: string): string => serialKeyOf(serial).replace(/^0+(?=.)/, '');

interface Match {
  readonly device: ContentDevice | null;
  /** Why it can't be said which it is. */
  readonly fault: UnitFault | null;
}

/**
 * Which unit a row is about: by the id that a farm's own file has, else serial number, else MAC, else name. A place that is only kept is none.
 * Thousands are put in order one way after another, and others have their turn between.
 */
export async function createMatcher(devices: readonly ContentDevice[]) {
  const units = devices.filter(
    (device) => (device.kind === 'sprinkler' || device.kind === 'repeater') && !isPlaceholder(device),
  );
  const bySerial = grouped(units, ({ serial_number }) => serialKeyOf(serial_number));
  await breathe();
  const byMac = new Map(devices.flatMap((device) => (device.mac ? [[device.mac, device] as const] : [])));
  const byUid = new Map(units.map((unit) => [unit.uid, unit]));
  await breathe();
  const byName = grouped(units, ({ kind, name }) => `${kind} ${name}`);
  await breathe();
  const byDigits = grouped(units, ({ serial_number }) => withoutZeros(serial_number));
  return {
    /** Whose serial number is this one but for zeros in front, which spreadsheets take off. */
    butForZeros: (serial: string): ContentDevice | undefined =>
      byDigits
        .get(withoutZeros(serial))
        ?.find(({ serial_number }) => serialKeyOf(serial_number) !== serialKeyOf(serial)),
    ofSerial: (serial: string): readonly ContentDevice[] => bySerial.get(serialKeyOf(serial)) ?? [],
    ofMac: (mac: string): ContentDevice | undefined => byMac.get(mac),

    /** `byPlace`: by name before serial number and MAC, which may be another unit's by now. */
    find(unit: FileUnit, { byPlace }: { readonly byPlace: boolean }): Match {
      const written = byUid.get(unit.uid ?? '');
      if (written) return only([written], unit, '_id');
      const named = byName.get(`${unit.kind} ${unit.name ?? ''}`) ?? [];
      if (byPlace && named.length > 0) return only(named, unit, 'name');
      const found = bySerial.get(serialKeyOf(unit.serialNumber ?? '')) ?? [];
      if (found.length > 0) return only(found, unit, 'serialNumber');
      const holder = byMac.get(normaliseMac(unit.macAddress ?? '') ?? '');
      if (holder) return only([holder], unit, 'macAddress');
      // A new serial number with a name that there is: another unit, or the same after a repair. Nobody knows.
      if (named.length > 0) return only(named, unit, 'name');
      return { device: null, fault: null };
    },
  };
}
export type Matcher = Awaited<ReturnType<typeof createMatcher>>;

/** What a row is matched by, as people call it, and what to look at where that can't be. */
const keys = {
  _id: { label: '_id', remedy: 'Take the row out.' },
  name: { label: 'name', remedy: 'Say its serial number or MAC address, too.' },
  serialNumber: { label: 'serial number', remedy: 'Compare it with the label.' },
  macAddress: { label: 'MAC address', remedy: 'Compare it with the label.' },
} as const;

function only(found: readonly ContentDevice[], { kind }: FileUnit, by: keyof typeof keys): Match {
  const [device = null, ...others] = found;
  const { label, remedy } = keys[by];
  const refuse = (text: string): Match => ({
    device: null,
    fault: by === '_id' ? ofRow(text) : ofField(by, text),
  });
  if (others.length > 0) return refuse(`${found.length} units have this ${label}. ${remedy}`);
  if (device && device.kind !== kind)
    return refuse(`The ${device.kind} ${device.name} has this ${label}. ${remedy}`);
  if (device && isPlaceholder(device))
    return refuse(`The placeholder ${device.name} has this ${label}. Return it to service first.`);
  return { device, fault: null };
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
