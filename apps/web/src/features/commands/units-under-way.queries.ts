import { useEffect } from 'react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { needs } from '@headrace/contract/permissions';
import { call } from '../../api/client.ts';
import { useCan } from '../../access/permissions.ts';
import { renewOnCommands } from './renew-on-commands.ts';

type Reply = Api['GET /commands/units']['reply'];

/** What is under way for a farm's sprinklers, by their ids. */
export interface UnitsUnderWay {
  /** The newest command's title. */
  readonly titles: ReadonlyMap<string, string>;
  /** A schedule is on its way to them, or they took it and have not said so yet. */
  readonly scheduled: ReadonlySet<string>;
}

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
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.commands.length + data.taken.length > 0 && EACH_MINUTE,
  });

function toUnits({ commands, taken }: Reply): UnitsUnderWay {
  const titles = new Map<string, string>();
  const scheduled = new Set(taken);
  for (const { title, isSchedule, units } of commands)
    for (const unit of units) {
      if (!titles.has(unit)) titles.set(unit, title);
      if (isSchedule) scheduled.add(unit);
    }
  return { titles, scheduled };
}

const NONE: UnitsUnderWay = { titles: new Map(), scheduled: new Set() };

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
