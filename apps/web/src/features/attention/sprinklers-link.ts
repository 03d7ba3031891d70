import type { AttentionKind } from '@headrace/contract/attention-kinds';

/** The sprinkler map with those of which it is so; those that were never heard are out of contact there. */
export const sprinklersLink = (farmUID: string, kind: AttentionKind) => ({
  to: '/group-status/$name' as const,
  params: { name: 'FARM' },
  search: { farm: farmUID, filter: kind === 'sprinklerError' ? 'error' : 'outcomm' },
});
