import { queryOptions } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { fromListedRow } from '@headrace/contract/rules/listed-units';
import type { ListedUnit } from '@headrace/contract/unit-list';
import { call } from '../api/client.ts';
import { withChanges } from '../api/with-changes.ts';

interface UnitList {
  readonly units: readonly ListedUnit[];
  /** Of the reply that it is from. */
  readonly version: string;
}

/**
 * The farm's sprinklers. There may be thousands, which report all the time: asked for by the minute, not with each report, and after
 * the first time only those that have changed.
 */
export const sprinklersQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['sprinklers', farmUID],
    queryFn: async ({ client, queryKey, signal }): Promise<UnitList> => {
      const ask = (since: string | undefined) =>
        call('GET /irrigation/units', { query: { farmUID, ...(since !== undefined && { since }) }, signal });
      const known = client.getQueryData<UnitList>(queryKey);
      const list = toUnitList(await ask(known?.version), known) ?? toUnitList(await ask(undefined));
      if (!list) throw new Error('The list came without some of its sprinklers.');
      return list;
    },
    select: unitsOf,
    meta: { records: ['sprinkler', 'group', 'gateway'], farmUID },
    refetchInterval: 60_000,
  });

// One function, so that what it gives stays the same while the list does.
const unitsOf = ({ units }: UnitList) => units;

function toUnitList({ units, version, ...about }: Api['GET /irrigation/units']['reply'], known?: UnitList) {
  const merged = withChanges(known?.units, { ...about, rows: units.map(fromListedRow) }, ({ _id }) => _id);
  return merged && { units: merged, version };
}

export const sprinklerQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['sprinkler', deviceId],
    queryFn: ({ signal }): Promise<Ipc> => call('GET /ipc', { query: { deviceId }, signal }),
    meta: { records: ['sprinkler'] },
    staleTime: 0,
  });

/** The radio's farm id and channel last used on the farm. */
export const lastRadioQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['last-radio', farmUID],
    queryFn: ({ signal }) => call('PUT /ipc/last-farmid-and-channel', { body: { farmUID }, signal }),
    staleTime: 0,
    retry: false,
  });
