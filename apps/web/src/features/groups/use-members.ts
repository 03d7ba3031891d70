import { useMemo } from 'react';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { can } from '@headrace/contract/permissions';
import { call, errorText } from '../../api/client.ts';
import { useNow } from '../../ui/clock.ts';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { groupsQuery } from '../../device-records/choices.queries.ts';
import { sprinklersQuery } from '../../device-records/sprinklers.queries.ts';
import { poisQuery } from '../../device-records/pois.queries.ts';
import { groupDevicesQuery, renewGroups } from './groups.queries.ts';
import { type Member, membersOf } from './members.ts';

const MINUTE = 60_000;
const none: never[] = [];

/** What of the group isn't shown, because one may not read the farm's devices of that kind. */
export interface Hidden {
  /** Of devices in the group; null: that kind is shown. */
  readonly ipcs: number | null;
  readonly pois: number | null;
}

/** What of the farm can be in the group and what is. Devices and other groups are left out where one may not read them. */
export function useMembers(farmUID: string, groupId: string) {
  const canIpcs = useCan({ anyOf: [can('irrigationDevices', 'Read')] }, farmUID);
  const canPois = useCan({ anyOf: [can('pois', 'Read')] }, farmUID);
  const canGroups = useCan({ anyOf: [can('groups', 'Read')] }, farmUID);
  const inside = useQuery(groupDevicesQuery(groupId));
  const ipcs = useQuery({ ...sprinklersQuery(farmUID), enabled: canIpcs });
  const pois = useQuery({ ...poisQuery(farmUID), enabled: canPois });
  const groups = useQuery({ ...groupsQuery(farmUID), enabled: canGroups });
  const now = Math.floor(useNow() / MINUTE) * MINUTE;
  const needed = [
    inside,
    ...(canIpcs ? [ipcs] : []),
    ...(canPois ? [pois] : []),
    ...(canGroups ? [groups] : []),
  ];
  const members = useMemo(() => {
    if (!inside.data || (canIpcs && !ipcs.data)) return undefined;
    if ((canPois && !pois.data) || (canGroups && !groups.data)) return undefined;
    return membersOf({
      groupId,
      ipcs: ipcs.data ?? none,
      pois: pois.data ?? none,
      groups: groups.data ?? none,
      inside: new Set([...inside.data.ipcs, ...inside.data.pois]),
      now,
    });
  }, [groupId, inside.data, ipcs.data, pois.data, groups.data, canIpcs, canPois, canGroups, now]);
  const hidden: Hidden = {
    ipcs: canIpcs ? null : (inside.data?.ipcs.length ?? 0),
    pois: canPois ? null : (inside.data?.pois.length ?? 0),
  };
  const failed = needed.find(({ isError }) => isError);
  return {
    group: inside.data,
    hidden,
    query: {
      data: members,
      error: failed?.error ?? null,
      isError: failed !== undefined,
      isFetching: needed.some(({ isFetching }) => isFetching),
      refetch: () => Promise.all(needed.filter(({ isError }) => isError).map(({ refetch }) => refetch())),
    },
  };
}

export interface MemberChange {
  readonly way: 'add' | 'remove';
  readonly ids: { readonly ipcs: readonly string[]; readonly pois: readonly string[] };
}

/** Those of the devices that the change changes, by kind. */
export function changeOf(way: MemberChange['way'], members: readonly Member[]): MemberChange {
  const ids = (kind: Member['kind']) =>
    members.filter((one) => one.kind === kind && one.isIn === (way === 'remove')).map(({ _id }) => _id);
  return { way, ids: { ipcs: ids('ipcs'), pois: ids('pois') } };
}

export const sizeOf = ({ ids }: MemberChange): number => ids.ipcs.length + ids.pois.length;

/**
 * Puts devices into the group and takes them out. Seen at once, sent one after the other; what the server refuses is
 * undone, and its reason told.
 */
export function useChangeMembers(farmUID: string, groupId: string): (change: MemberChange) => void {
  const queryClient = useQueryClient();
  const mutationKey = ['group-members', groupId];
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join('/') },
    mutationFn: ({ way, ids }: MemberChange) =>
      call(way === 'add' ? 'PUT /group/devices/add' : 'PUT /group/devices/remove', {
        body: { groupId, ipcs: [...ids.ipcs], pois: [...ids.pois] },
      }),
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey: groupDevicesQuery(groupId).queryKey });
      show(queryClient, groupId, change);
    },
    onError: (error, { way, ids }) => {
      show(queryClient, groupId, { way: way === 'add' ? 'remove' : 'add', ids });
      toast.error(errorText(error));
    },
    // The last one asks what the server has: others are still on their way before.
    onSettled: async () => {
      if (queryClient.isMutating({ mutationKey }) > 1) return;
      await queryClient.invalidateQueries({ queryKey: groupDevicesQuery(groupId).queryKey });
      await renewGroups(queryClient, farmUID);
    },
  });
  return (change) => sizeOf(change) > 0 && mutate(change);
}

type Inside = Api['GET /group/devices']['reply'];

function show(queryClient: QueryClient, groupId: string, { way, ids }: MemberChange): void {
  const changed = (before: readonly string[], by: readonly string[]) => {
    const after = new Set(before);
    for (const id of by) {
      if (way === 'add') after.add(id);
      else after.delete(id);
    }
    return [...after];
  };
  queryClient.setQueryData<Inside>(
    groupDevicesQuery(groupId).queryKey,
    (group) =>
      group && { ...group, ipcs: changed(group.ipcs, ids.ipcs), pois: changed(group.pois, ids.pois) },
  );
}
