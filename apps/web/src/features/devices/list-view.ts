import { compareNatural } from '@headrace/contract/rules/natural-order';
import { foldText } from '../../ui/fold-text.ts';
import type { Listed } from '../../device-records/device-record.ts';
import type { Column, ListKind } from './list-kind.ts';

/** What a list of devices keeps in its address. */
export interface DevicesSearch {
  q?: string | undefined;
  show?: string | undefined;
  /** Id of a column, with a minus before it when turned round. */
  sort?: string | undefined;
  group?: string | undefined;
  gateway?: string | undefined;
  /** Id of a device whose dialog is open. */
  open?: string | undefined;
  /** The same of a repeater, whose dialog the map has too. */
  repeater?: string | undefined;
  /** Id of a device that a new one begins as. */
  copy?: string | undefined;
}

export const FIRST_SORT = 'name';
/** In filters: of no gateway or group at all. */
export const NONE = 'none';

export interface Indexed<T> {
  readonly item: T;
  readonly text: string;
}

/** Names, serial numbers, MACs and descriptions as they are searched. */
export function indexOf<T extends Listed>(items: readonly T[]): Indexed<T>[] {
  return items.map((item) => ({
    item,
    text: foldText(`${item.name} ${item.serialNumber ?? ''} ${item.macAddress ?? ''} ${item.description}`),
  }));
}

export const nameColumn = <T extends Listed>(): Column<T> => ({
  id: FIRST_SORT,
  label: 'Name',
  width: 'minmax(80px, 1fr)',
  cell: (item) => item.name,
  order: (item) => item.name,
});

/** Equal ones stay by name. */
export function sorted<T extends Listed>(
  items: readonly Indexed<T>[],
  columns: readonly Column<T>[],
  sort: string,
): Indexed<T>[] {
  const isTurned = sort.startsWith('-');
  const id = isTurned ? sort.slice(1) : sort;
  const order = (columns.find((column) => column.id === id) ?? nameColumn<T>()).order;
  const keyed = items.map((entry) => ({ entry, key: order(entry.item) }));
  const turn = isTurned ? -1 : 1;
  return keyed
    .sort((one, other) => {
      const by = compare(one.key, other.key) * turn;
      return by || compareNatural(one.entry.item.name, other.entry.item.name);
    })
    .map(({ entry }) => entry);
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return compareNatural(String(one), String(other));
}

/** Those that the search, the filter and the choices of group and gateway leave. Every word of `q` must be in it. */
export function narrowed<T extends Listed>(
  items: readonly Indexed<T>[],
  kind: ListKind<T>,
  search: DevicesSearch,
  now: number,
): T[] {
  const words = foldText(search.q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const filter = kind.filters.find(({ id }) => id === search.show);
  const { group, gateway } = search;
  const isIn = ({ item, text }: Indexed<T>) =>
    words.every((word) => text.includes(word)) &&
    (!filter || filter.isIn(item, now)) &&
    (!group || !kind.groups || hasGroup(kind.groups.of(item), group)) &&
    (!gateway || !kind.gateways || (kind.gateways.of(item) ?? NONE) === gateway);
  return items.filter(isIn).map(({ item }) => item);
}

const hasGroup = (groups: readonly string[], group: string) =>
  group === NONE ? groups.length === 0 : groups.includes(group);

/** How many there are under each filter. */
export function filterCounts<T extends Listed>(
  items: readonly T[],
  kind: ListKind<T>,
  now: number,
): ReadonlyMap<string, number> {
  return new Map(
    kind.filters.map(({ id, isIn }) => [
      id,
      items.reduce((count, item) => count + Number(isIn(item, now)), 0),
    ]),
  );
}
