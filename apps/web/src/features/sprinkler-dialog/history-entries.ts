import type { Timezone } from '@headrace/contract/farms';
import type { SprinklerHistory } from '@headrace/contract/sprinkler-history';
import { dayStart } from '@headrace/contract/rules/farm-time';

/** What a person may look for in it; as it stands in the address. */
export const historyKinds = ['all', 'waterings', 'commands', 'changes'] as const;
export type HistoryKind = (typeof historyKinds)[number];
export const historyKindLabels: Record<HistoryKind, string> = {
  all: 'All',
  waterings: 'Waterings',
  commands: 'Commands',
  changes: 'Changes',
};

/** Something that happened. `at` in epoch ms. */
export type HistoryEntry = { readonly at: number; readonly key: string } & (
  | { readonly kind: 'run'; readonly run: SprinklerHistory['runs'][number] }
  | { readonly kind: 'command'; readonly of: SprinklerHistory['commands'][number] }
  | { readonly kind: 'swap'; readonly swap: SprinklerHistory['swaps'][number] }
  | { readonly kind: 'battery'; readonly battery: SprinklerHistory['batteries'][number] }
);

/** One list of what is looked for, the newest first. */
export function historyEntries(history: SprinklerHistory, kind: HistoryKind): HistoryEntry[] {
  const shows = (one: HistoryKind) => kind === 'all' || kind === one;
  const entry = (time: string, name: string) => ({ at: Date.parse(time), key: `${name} ${time}` });
  const { runs, commands, swaps, batteries } = history;
  return [
    ...(shows('waterings')
      ? runs.map((run) => ({ ...entry(run.openedAt, 'run'), kind: 'run' as const, run }))
      : []),
    ...(shows('commands')
      ? commands.map((of) => ({
          ...entry(of.command.createdAt, of.command._id),
          kind: 'command' as const,
          of,
        }))
      : []),
    ...(shows('changes')
      ? [
          ...swaps.map((swap) => ({ ...entry(swap.at, 'swap'), kind: 'swap' as const, swap })),
          ...batteries.map((battery) => ({
            ...entry(battery.at, 'battery'),
            kind: 'battery' as const,
            battery,
          })),
        ]
      : []),
  ].toSorted((one, other) => other.at - one.at);
}

/** The entries of each of the farm's days, in their order. `start`: when it began, epoch ms. */
export function byDay(
  entries: readonly HistoryEntry[],
  zone: Timezone,
): { start: number; entries: HistoryEntry[] }[] {
  const days: { start: number; entries: HistoryEntry[] }[] = [];
  for (const entry of entries) {
    const start = dayStart(zone, entry.at);
    const last = days.at(-1);
    if (last?.start === start) last.entries.push(entry);
    else days.push({ start, entries: [entry] });
  }
  return days;
}
