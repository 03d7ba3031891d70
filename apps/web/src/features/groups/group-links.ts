import type { Group } from '@headrace/contract/groups';
import { can, flag, needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';

/** The ways into a group that this person has. */
export function useGroupLinks({ _id, farmUID, name }: Group) {
  const canEdit = useCan({ anyOf: [can('groups', 'Edit')] }, farmUID);
  const canManage = useCan({ anyOf: [flag('manageGroupDevices')] }, farmUID);
  const canMap = useCan(needs.groupMap, farmUID);
  const params = { farmUID, groupId: _id };
  return {
    edit: canEdit ? { to: '/group/$farmUID/$id' as const, params: { farmUID, id: _id } } : null,
    devicesMap: canManage ? { to: '/group/devices-map/$farmUID/$groupId' as const, params } : null,
    devicesList: canManage ? { to: '/group/devices-list/$farmUID/$groupId' as const, params } : null,
    map: canMap ? { to: '/group-status/$name' as const, params: { name }, search: { farm: farmUID } } : null,
  };
}
export type GroupLinks = ReturnType<typeof useGroupLinks>;
