import {
  addGroupDevices,
  createGroup,
  deleteGroup,
  getGroup,
  groupDevices,
  groupsCard,
  listGroups,
  removeAllGroupDevices,
  removeGroupDevices,
  updateGroup,
} from '@headrace/contract/groups';
import type { Mount } from '../../http/mount.ts';
import { byOf, success } from '../devices/replies.ts';
import type { GroupsService } from './groups.service.ts';

export function groupsRoutes(mount: Mount, groups: GroupsService): void {
  mount(listGroups, async ({ farm }) => ({ groups: await groups.list(farm.farm) }));
  mount(groupsCard, async ({ farm }) => ({ groups: await groups.list(farm.farm) }));
  mount(getGroup, ({ farm, query }) => groups.get(farm.farm, query.groupId));
  mount(createGroup, async (call) => ({ id: await groups.create(call.farm.farm, call.body, byOf(call)) }));
  mount(updateGroup, async (call) => {
    const group = await groups.update(call.farm.farm, call.body, byOf(call));
    return { id: group.id, group };
  });
  mount(deleteGroup, async (call) => {
    const batchId = await groups.remove(call.farm.farm, call.query.groupId, byOf(call));
    return { ...success, batchId };
  });
  mount(groupDevices, ({ farm, query }) => groups.devices(farm.farm, query.groupId));
  mount(addGroupDevices, (call) => groups.add(call.farm.farm, call.body, byOf(call)));
  mount(removeGroupDevices, (call) => groups.takeOut(call.farm.farm, call.body, byOf(call)));
  mount(removeAllGroupDevices, (call) => groups.takeAllOut(call.farm.farm, call.body.groupId, byOf(call)));
}
