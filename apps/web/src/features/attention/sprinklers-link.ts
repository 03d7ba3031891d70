import type { AttentionKind } from '@headrace/contract/attention-kinds';

const filters: Partial<Record<AttentionKind, string>> = {
  sprinklerError: 'error',
  outOfContact: 'outcomm',
  neverContacted: 'outcomm',
};

/**
 * The sprinkler map with those of which it is so; those that were never heard are out of contact there. An open valve is marked
 * on the whole map: its sprinkler may be out of contact or have another error besides.
 */
export const sprinklersLink = (farmUID: string, kind: AttentionKind) => ({
  to: '/group-status/$name' as const,
  params: { name: 'FARM' },
  search: { farm: farmUID, filter: filters[kind] ?? 'all' },
});

/** Where the last watering is told sprinkler by sprinkler, what went wrong first. */
export const lastWateringLink = (farmUID: string) => ({
  to: '/irr-diary-logs/view/$farmUID' as const,
  params: { farmUID },
});

/** The command's page, where it can be tried again. */
export const commandLink = (farmUID: string, command: string) => ({
  to: '/commands/$farmUID' as const,
  params: { farmUID },
  search: { command },
});
