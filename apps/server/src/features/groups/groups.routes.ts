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
import type { GroupsService } from './groups.service.ts';

export function groupsRoutes(mount: Mount, groups: GroupsService): void {
  mount(listGroups, async ({ farm }) => ({ groups: await groups.list(farm.farm) }));
  mount(groupsCard, async ({ farm }) => ({ groups: await groups.list(farm.farm) }));
  mount(getGroup, ({ farm, query }) => groups.get(farm.farm, query.groupId));
  mount(createGroup, async ({ farm, body, caller, now }) => ({
    id: await groups.create(farm.farm, body, caller, now),
  }));
  mount(updateGroup, async ({ farm, body, caller, now }) => {
    const group = await groups.update(farm.farm, body, caller, now);
    return { id: group.id, group };
  });
  mount(deleteGroup, async ({ farm, query, caller, now }) => {
    await groups.remove(farm.farm, query.groupId, caller, now);
    return { success: true };
  });
  mount(groupDevices, ({ farm, query }) => groups.devices(farm.farm, query.groupId));
  mount(addGroupDevices, ({ farm: { farm }, body, caller: { accountId }, now }) =>
    groups.add(farm, body, { farmId: farm.id, accountId, now }),
  );
  mount(removeGroupDevices, ({ farm: { farm }, body, caller: { accountId }, now }) =>
    groups.takeOut(farm, body, { farmId: farm.id, accountId, now }),
  );
  mount(removeAllGroupDevices, ({ farm: { farm }, body, caller: { accountId }, now }) =>
    groups.takeAllOut(farm, body.groupId, { farmId: farm.id, accountId, now }),
  );
}
