import { useEffect } from 'react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { needs } from '@headrace/contract/permissions';
import { call } from '../../api/client.ts';
import { useCan } from '../../access/permissions.ts';
import { renewOnCommands } from './renew-on-commands.ts';

type Reply = Api['GET /commands/units']['reply'];

/** The title of the newest command that is under way for a farm's sprinklers, by their ids. */
export type UnitsUnderWay = ReadonlyMap<string, string>;

/** A send to many has news each second: asked for at most this often, ms… */
const PAUSE_MS = 5000;
/** …and without news while something is under way. */
const EACH_MINUTE = 60_000;

const unitsUnderWayQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['commands', farmUID, 'units'],
    queryFn: ({ signal }) => call('GET /commands/units', { query: { farmUID }, signal }),
    select: toUnits,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) => data !== undefined && data.commands.length > 0 && EACH_MINUTE,
  });

function toUnits({ commands }: Reply): UnitsUnderWay {
  const titles = new Map<string, string>();
  for (const { title, units } of commands)
    for (const unit of units) if (!titles.has(unit)) titles.set(unit, title);
  return titles;
}

const NONE: UnitsUnderWay = new Map();

/** Nothing for whoever may not see the farm's commands. */
export function useUnitsUnderWay(farmUID: string): UnitsUnderWay {
  const may = useCan(needs.readCommands, farmUID);
  const queryClient = useQueryClient();
  useEffect(
    () => renewOnCommands(queryClient, farmUID, unitsUnderWayQuery(farmUID).queryKey, PAUSE_MS),
    [queryClient, farmUID],
  );
  return useQuery({ ...unitsUnderWayQuery(farmUID), enabled: may }).data ?? NONE;
}
