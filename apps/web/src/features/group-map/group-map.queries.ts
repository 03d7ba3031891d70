import { useEffect } from 'react';
import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { MapUnit } from '@headrace/contract/map-units';
import type { LatLng } from '@headrace/contract/schemas';
import type { IpcCounts, StatusUpdate } from '@headrace/contract/live';
import { beginsOrEndsSend } from '@headrace/contract/rules/begins-or-ends-send';
import { summariseSprinklers } from '@headrace/contract/rules/sprinkler-counts';
import { call } from '../../api/client.ts';
import {
  BATCH_MS,
  onCommandUpdate,
  onIpcStatusUpdate,
  onIpcStops,
  onStatusUpdate,
} from '../../api/live-events.ts';
import { watchSprinklers } from '../../api/watched-sprinklers.ts';
import { type MapGroup, toMapGroup } from './map-group.ts';
import { placeOf } from '../../device-records/place-text.ts';

/** The farm's own group: every device of it. */
export const WHOLE_FARM = 'FARM';

const placedLists = ['ipcs', 'sensors', 'repeaters', 'gateways', 'pois'] as const;

/** Of all of a farm's groups that were asked for. */
const groupInfosKey = (farmUID: string) => ['group-info', farmUID];

/** A group's devices. What is known is asked for no more: of 5,000 sprinklers those few that have changed. */
export const groupInfoQuery = (farmUID: string, name: string) =>
  queryOptions({
    queryKey: [...groupInfosKey(farmUID), name],
    queryFn: async ({ client, queryKey, signal }): Promise<MapGroup> => {
      const ask = (since: string | undefined) =>
        call('GET /group/units', { query: { farmUID, name, ...(since !== undefined && { since }) }, signal });
      const known = client.getQueryData<MapGroup>(queryKey);
      const group =
        toMapGroup(await ask(known?.version ?? undefined), known) ?? toMapGroup(await ask(undefined));
      if (!group) throw new Error('The group came without some of its sprinklers.');
      return group;
    },
    meta: { records: ['farm', 'group', 'sprinkler', 'gateway', 'repeater', 'sensor', 'poi'], farmUID },
  });

/** How many of the farm's sprinklers are how: of 5,000 a few numbers instead of 3 MB. */
export const sprinklerCountsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['sprinkler-counts', farmUID],
    queryFn: ({ signal }) => call('GET /ipc/status', { query: { farmUID }, signal }),
    meta: { records: ['sprinkler'], farmUID },
    // The server tells when they change, and by the minute; this is for when it doesn't.
    refetchInterval: COUNTS_MS,
  });

/** The counts that the server tells take the place of those that are known, and of an answer under way, which is older. */
export function receiveSprinklerCounts(queryClient: QueryClient, { farmUID, counts }: IpcCounts): void {
  const { queryKey } = sprinklerCountsQuery(farmUID);
  if (!queryClient.getQueryState(queryKey)) return;
  void queryClient.cancelQueries({ queryKey }).then(() => queryClient.setQueryData(queryKey, counts));
}

/** Where a device of the farm stands, as was last heard; null: nowhere, or not known. */
export function knownPlace(queryClient: QueryClient, farmUID: string, id: string): LatLng | null {
  for (const [, info] of queryClient.getQueriesData<MapGroup>({ queryKey: groupInfosKey(farmUID) })) {
    const found = info && placedLists.flatMap((list) => info[list].find((one) => one.id === id) ?? [])[0];
    if (found) return placeOf(found);
  }
  return null;
}

/** Puts devices where they are known to stand now, until they are asked for again. */
export function patchPlaces(
  queryClient: QueryClient,
  farmUID: string,
  places: ReadonlyMap<string, LatLng>,
): void {
  // The others stay the same objects, and their markers are left alone.
  const put = <T extends { id: string }>(list: T[]): T[] =>
    list.map((one) => {
      const place = places.get(one.id);
      return place ? { ...one, ...place } : one;
    });
  queryClient.setQueriesData<MapGroup>(
    { queryKey: groupInfosKey(farmUID) },
    (info) =>
      info && {
        ...info,
        // Where that isn't so after all, the server has no news of it.
        version: null,
        ipcs: put(info.ipcs),
        sensors: put(info.sensors),
        repeaters: put(info.repeaters),
        gateways: put(info.gateways),
        pois: put(info.pois),
      },
  );
}

/** Asks for the farm's groups again, after a change that this page did itself. */
export const renewGroups = (queryClient: QueryClient, farmUID: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: groupInfosKey(farmUID) });

/** News is waited for this long, so that a gateway's answers come together, ms. */
const GATHER_MS = 250;
/** A farm being polled says something many times a second: its units are asked for at most this often, ms. */
const PAUSE_MS = 5000;
/** How units are changes with the clock too: without news they are asked for this often while they are looked at, ms. */
const CLOCK_MS = 60_000;
/** Counts that are told live are asked for this often all the same, ms. */
const COUNTS_MS = 180_000;
const KINDS: readonly StatusUpdate['type'][] = ['gateway', 'repeater'];

/** Renews the group when the farm's gateways or repeaters said something, a send begins or ends, for a unit that is new to it, and by the minute. */
export function useLiveGroup(farmUID: string, name: string): void {
  const queryClient = useQueryClient();
  useEffect(watchSprinklers, []);
  useEffect(() => renewOnNews(queryClient, farmUID, name), [queryClient, farmUID, name]);
}

function renewOnNews(queryClient: QueryClient, farmUID: string, name: string): () => void {
  const { queryKey } = groupInfoQuery(farmUID, name);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = -Infinity;
  const renew = () => {
    timer = undefined;
    lastAt = performance.now();
    void queryClient.invalidateQueries({ queryKey });
  };
  const renewSoon = () => {
    timer ??= setTimeout(renew, Math.max(GATHER_MS, lastAt + PAUSE_MS - performance.now()));
  };
  const isNew = ({ id }: MapUnit) =>
    queryClient.getQueryData(queryKey)?.ipcs.every((unit) => unit.id !== id) === true;
  const offs = [
    onStatusUpdate((update) => {
      if (update.farmUID === farmUID && KINDS.includes(update.type)) renewSoon();
    }),
    onIpcStatusUpdate((update) => {
      if (name === WHOLE_FARM && update.farmUID === farmUID && isNew(update.ipc)) renewSoon();
    }),
    onCommandUpdate((command) => {
      if (command.farmUID === farmUID && beginsOrEndsSend(command)) renewSoon();
    }),
  ];
  const clock = setInterval(() => {
    if (document.visibilityState === 'visible') renewSoon();
  }, CLOCK_MS);
  return () => {
    for (const off of offs) off();
    clearInterval(clock);
    clearTimeout(timer);
  };
}

/** Puts units that said something into the groups that are known, at most once in BATCH_MS. Returns how to stop. */
export function patchOnIpcStatusUpdate(queryClient: QueryClient): () => void {
  /** By farm and id. */
  const heard = new Map<string, Map<string, Heard>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    for (const [farmUID, units] of heard) {
      const queryKey = groupInfosKey(farmUID);
      patchGroups(queryClient, farmUID, units);
      // Counts aren't told to who is told of units: those that were shown before are asked for again where they are next.
      const counts = sprinklerCountsQuery(farmUID).queryKey;
      void queryClient.invalidateQueries({ queryKey: counts, refetchType: 'none' });
      // An answer under way may be older than these, and takes their place: they are put in again once it is here.
      if (queryClient.isFetching({ queryKey }) === 0) heard.delete(farmUID);
    }
    if (heard.size > 0) timer = setTimeout(flush, BATCH_MS);
  };
  const hear = (farmUID: string, ipc: MapUnit) => {
    const units = heard.get(farmUID) ?? new Map<string, Heard>();
    heard.set(farmUID, units.set(ipc.id, { unit: ipc, at: Date.now() }));
    timer ??= setTimeout(flush, BATCH_MS);
  };
  const offs = [
    onIpcStatusUpdate(({ farmUID, ipc }) => hear(farmUID, ipc)),
    onIpcStops(({ farmUID, since: stopWanted, units }) => {
      const ids = new Set(units);
      const groups = queryClient.getQueriesData<MapGroup>({ queryKey: groupInfosKey(farmUID) });
      for (const unit of groups.flatMap(([, group]) => group?.ipcs ?? []))
        if (ids.has(unit.id))
          hear(farmUID, { ...(heard.get(farmUID)?.get(unit.id)?.unit ?? unit), stopWanted });
    }),
  ];
  return () => {
    for (const off of offs) off();
    clearTimeout(timer);
  };
}

interface Heard {
  readonly unit: MapUnit;
  /** Epoch ms. */
  readonly at: number;
}

/** Nothing else of the queries changes: what was old, or failed, still is. */
function patchGroups(queryClient: QueryClient, farmUID: string, units: ReadonlyMap<string, Heard>): void {
  const cache = queryClient.getQueryCache();
  for (const query of cache.findAll({ queryKey: groupInfosKey(farmUID) })) {
    const group = query.state.data as MapGroup | undefined;
    const patched = group && withUnits(group, units, query.state.dataUpdatedAt);
    if (patched !== group) query.setState({ data: patched });
  }
}

/** The group with these in the places of its own, but for those that are older; the same object when nothing changes. */
function withUnits(group: MapGroup, units: ReadonlyMap<string, Heard>, answeredAt: number): MapGroup {
  const ipcs = group.ipcs.map((unit) => {
    const heard = units.get(unit.id);
    return heard ? newerOf(unit, heard, answeredAt) : unit;
  });
  if (ipcs.every((unit, n) => unit === group.ipcs[n])) return group;
  return { ...group, ipcs, ...summariseSprinklers(ipcs) };
}

/**
 * The unit as it is known by now. An answer that came after the frame and knows of the same status may hold what people have changed
 * since: of such a frame only the stop counts, which is told whenever it changes.
 */
function newerOf(known: MapUnit, { unit, at }: Heard, answeredAt: number): MapUnit {
  if (unit.statustime !== known.statustime) return unit.statustime > known.statustime ? unit : known;
  if (answeredAt <= at) return unit;
  const stopWanted = unit.stopWanted ?? null;
  return (known.stopWanted ?? null) === stopWanted ? known : { ...known, stopWanted };
}
