import { useState } from 'react';
import { Menu } from '@mantine/core';
import {
  IconClockPause,
  IconEdit,
  IconLassoPolygon,
  IconListCheck,
  IconMap2,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Group } from '@headrace/contract/groups';
import { can } from '@headrace/contract/permissions';
import { wholeText } from '@headrace/contract/rules/number-text';
import { call } from '../../api/client.ts';
import { useCan } from '../../access/permissions.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { offerUndo } from '../changes/undo.ts';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { ManyMenuItems } from '../commands/many/many-menu-items.tsx';
import type { ManyCommand } from '../commands/many/many-orders.ts';
import { useManyCommands } from '../commands/many/use-many-commands.ts';
import { HoldDialogHost } from '../holds/hold-dialog-host.tsx';
import type { GroupLinks } from './group-links.ts';
import { renewGroups } from './groups.queries.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import classes from './groups.module.css';

const icon = { size: 18, stroke: 1.7 };

/** What can be done with a group, by what the person may do. Nothing to do: no menu. */
export function GroupMenu({ group, links }: { group: Group; links: GroupLinks }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const [command, setCommand] = useState<ManyCommand | null>(null);
  const [isHolding, setIsHolding] = useState(false);
  const commands = useManyCommands(group.farmUID);
  // The farm's own Delete right, not the groups'. spec 2 §6
  const canDelete = useCan({ anyOf: [can('farms', 'Delete')] }, group.farmUID);
  const { edit, devicesMap, devicesList, map } = links;
  if (!edit && !devicesMap && !map && !canDelete && commands.length === 0) return null;
  return (
    <>
      <ActionsMenu of={group.name} width={250}>
        {edit && (
          <Menu.Item
            h={44}
            leftSection={<IconEdit {...icon} />}
            renderRoot={(props) => <Link {...props} {...edit} />}
          >
            Edit group
          </Menu.Item>
        )}
        {devicesMap && (
          <Menu.Item
            h={44}
            leftSection={<IconLassoPolygon {...icon} />}
            renderRoot={(props) => <Link {...props} {...devicesMap} />}
          >
            Choose devices on the map
          </Menu.Item>
        )}
        {devicesList && (
          <Menu.Item
            h={44}
            leftSection={<IconListCheck {...icon} />}
            renderRoot={(props) => <Link {...props} {...devicesList} />}
          >
            Choose devices in a list
          </Menu.Item>
        )}
        {map && (
          <Menu.Item
            h={44}
            leftSection={<IconMap2 {...icon} />}
            renderRoot={(props) => <Link {...props} {...map} />}
          >
            Map of the group
          </Menu.Item>
        )}
        {commands.length > 0 && (
          <>
            <Menu.Divider />
            <ManyMenuItems commands={commands} onChoose={setCommand} />
            {commands.includes('InhibitGroup') && (
              <Menu.Item h={44} leftSection={<IconClockPause {...icon} />} onClick={() => setIsHolding(true)}>
                Hold from watering…
              </Menu.Item>
            )}
          </>
        )}
        {canDelete && (
          <>
            <Menu.Divider />
            <Menu.Item
              h={44}
              className={classes.danger ?? ''}
              leftSection={<IconTrash {...icon} />}
              onClick={() => setIsDeleting(true)}
            >
              Delete group
            </Menu.Item>
          </>
        )}
      </ActionsMenu>
      {command && (
        <ManyDialogHost
          command={command}
          scope={{ farmUID: group.farmUID, groupUID: group._id, name: group.name }}
          onClose={() => setCommand(null)}
        />
      )}
      {isHolding && (
        <HoldDialogHost
          farmUID={group.farmUID}
          groupUID={group._id}
          name={group.name}
          onClose={() => setIsHolding(false)}
        />
      )}
      {isDeleting && canDelete && <DeleteGroup group={group} onClose={() => setIsDeleting(false)} />}
    </>
  );
}

function DeleteGroup({ group, onClose }: { group: Group; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={`Delete ${group.name}?`}
      confirm="Delete group"
      doing="Deleting…"
      isUndoable
      run={() => call('DELETE /group', { query: { groupId: group._id } })}
      failed="Group couldn't be deleted!"
      onDone={({ batchId }) => {
        const { farmUID } = group;
        offerUndo(queryClient, 'Group deleted successfully!', { farmUID, batchId, act: 'delete group' });
        void renewGroups(queryClient, group.farmUID);
      }}
      onClose={onClose}
    >
      {keptText(group.amountOfIpc)}
    </ConfirmDialog>
  );
}

const keptText = (sprinklers: number): string =>
  sprinklers === 0
    ? 'It has no sprinkler in service. Devices in it stay on the farm.'
    : `Its ${sprinklers === 1 ? 'sprinkler stays' : `${wholeText(sprinklers)} sprinklers stay`} on the farm.`;
