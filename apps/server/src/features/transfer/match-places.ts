import type { ContentDevice } from './farm-content.repo.ts';
import { grouped, serialKeyOf } from './match-units.ts';
import { createNearest, folded } from './nearest.ts';
import { kindLabels } from './place-kinds.ts';
import type { FilePoint } from './reading/file-content.ts';

export type Match =
  | { readonly is: 'found'; readonly device: ContentDevice }
  | { readonly is: 'unknown' }
  /** The person may not see what is meant. */
  | { readonly is: 'hidden' }
  /** A sentence: why it can't be said which it is. */
  | { readonly is: 'unclear'; readonly why: string; readonly bySerial: boolean };

const unclear = (why: string, bySerial = false): Match => ({ is: 'unclear', why, bySerial });

type Sought = Pick<FilePoint, 'name' | 'serial' | 'lat' | 'lng'> & {
  /** null: of whichever kind. */
  readonly kind: ContentDevice['kind'] | null;
};

/**
 * Which device stands at a point of a map file: by serial number, else by name. Each is found once. Nothing is told of devices that the
 * person may not see, but that something has the name.
 */
export function createPlaceMatcher(
  devices: readonly ContentDevice[],
  maySee: (kind: ContentDevice['kind']) => boolean,
) {
  const seen = indexOf(devices.filter(({ kind }) => maySee(kind)));
  const hidden = indexOf(devices.filter(({ kind }) => !maySee(kind)));
  const lines = new Map<number, number>();

  function find({ name, serial, kind, ...place }: Sought): Match {
    const isOfKind = (device: ContentDevice) => kind === null || device.kind === kind;
    const ofSerial = seen.withSerial(serial).filter(isOfKind);
    if (ofSerial.length > 0)
      return one(ofSerial, place, 'have this serial number. Compare it with the label.');
    if (hidden.withSerial(serial).some(isOfKind)) return { is: 'hidden' };
    const named = seen.named(name).filter(isOfKind);
    const [other] = named;
    if (serial !== '' && other?.serial_number && named.length === 1)
      return unclear(`${name} has the serial number ${other.serial_number} here. Correct one of them.`, true);
    if (named.length > 0) return one(named, place, `are named ${name}. Say its serial number, too.`);
    return { is: hidden.named(name).some(isOfKind) ? 'hidden' : 'unknown' };
  }

  function one(
    found: readonly ContentDevice[],
    { lat, lng }: { lat: number; lng: number },
    what: string,
  ): Match {
    const [first, ...others] = found;
    if (first && others.length === 0) return { is: 'found', device: first };
    // Of several only one that stands there already is surely meant.
    const there = found.filter((device) => device.lat === lat && device.lng === lng);
    const device = there.find(({ id }) => !lines.has(id));
    return device ? { is: 'found', device } : unclear(`${found.length} devices ${what}`);
  }

  const nearest = createNearest(() => devices.flatMap(({ kind, name }) => (maySee(kind) ? name : [])));
  return {
    find,
    /** Names of that kind, null: of whichever, that are the same but for case, blanks, macrons and zeros in front. */
    alike: (name: string, kind: Sought['kind']): string[] =>
      nearest(name).filter(
        (one) =>
          folded(one) === folded(name) &&
          seen.named(one).some((device) => kind === null || device.kind === kind),
      ),
    /** The line of the file that is about this device already; null: this one is the first. */
    claim({ id }: ContentDevice, line: number): number | null {
      const before = lines.get(id);
      if (before === undefined) lines.set(id, line);
      return before ?? null;
    },
  };
}
/** Devices by what a point may say; by '' none. */
function indexOf(devices: readonly ContentDevice[]) {
  const bySerial = grouped(devices, ({ serial_number }) => serialKeyOf(serial_number));
  const byName = grouped(devices, ({ name }) => name);
  return {
    withSerial: (serial: string) => (serial === '' ? [] : (bySerial.get(serialKeyOf(serial)) ?? [])),
    named: (name: string) => (name === '' ? [] : (byName.get(name) ?? [])),
  };
}

export type PlaceMatcher = ReturnType<typeof createPlaceMatcher>;

/** "The gateway G1" */
export const called = ({ kind, name }: Pick<ContentDevice, 'kind' | 'name'>) =>
  `The ${kindLabels[kind]} ${name}`;
