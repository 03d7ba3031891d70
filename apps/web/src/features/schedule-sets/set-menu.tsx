import { Menu } from '@mantine/core';
import {
  IconArrowsDiff,
  IconCopy,
  IconDeviceFloppy,
  IconFileExport,
  IconFileText,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { commandNeeds } from '@headrace/contract/command-types';
import { can, flag, needs } from '@headrace/contract/permissions';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import classes from './sets.module.css';

/** What can be asked for of a set. */
export type SetAct = 'export' | 'send' | 'poll' | 'compute' | 'clone' | 'operating' | 'delete';

const icon = { size: 18, stroke: 1.7 };

/** What this person may do with the farm's sets. */
export function useSetRights(farmUID: string) {
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const canCreate = mayOn(permissions, farmUID, { anyOf: [can('schedules', 'Create')] });
  const canSend = mayOn(permissions, farmUID, commandNeeds.SendScheduleSet);
  return {
    canSend,
    canCreate,
    canCompute: canCreate && canSend,
    canExport: mayOn(permissions, farmUID, { anyOf: [flag('export')] }),
    canReport: mayOn(permissions, farmUID, needs.dashboard),
    canPoll: mayOn(permissions, farmUID, commandNeeds.PollGroup),
    canDelete: mayOn(permissions, farmUID, { anyOf: [can('schedules', 'Delete')] }),
  };
}

interface Props {
  set: SetSummary;
  farmUID: string;
  currentUID: string | null;
  onAsk: (act: SetAct) => void;
}

/** What can be done with a set, by what the person may do. */
export function SetMenu({ set, farmUID, currentUID, onAsk }: Props) {
  const { canSend, canCreate, canExport, canReport, canDelete } = useSetRights(farmUID);
  const compare = { to: '/schedules/compare/$id', params: { id: farmUID } } as const;
  return (
    <ActionsMenu of={set.name} width={280}>
      {canSend && (
        <Menu.Item h={44} leftSection={<IconSend {...icon} />} onClick={() => onAsk('send')}>
          Send…
        </Menu.Item>
      )}
      {currentUID !== null && currentUID !== set._id && (
        <Menu.Item
          h={44}
          leftSection={<IconArrowsDiff {...icon} />}
          renderRoot={(props) => <Link {...props} {...compare} search={{ to: set._id, from: currentUID }} />}
        >
          Compare with current
        </Menu.Item>
      )}
      <Menu.Item
        h={44}
        leftSection={<IconDeviceFloppy {...icon} />}
        renderRoot={(props) => <Link {...props} {...compare} search={{ to: set._id }} />}
      >
        Compare with what units hold
      </Menu.Item>
      {canCreate && (
        <Menu.Item h={44} leftSection={<IconCopy {...icon} />} onClick={() => onAsk('clone')}>
          Clone as template…
        </Menu.Item>
      )}
      {canExport && (
        <Menu.Item h={44} leftSection={<IconFileExport {...icon} />} onClick={() => onAsk('export')}>
          Export
        </Menu.Item>
      )}
      {canReport && (
        <Menu.Item h={44} leftSection={<IconFileText {...icon} />} onClick={() => onAsk('operating')}>
          Operating time…
        </Menu.Item>
      )}
      {canDelete && (
        <>
          <Menu.Divider />
          <Menu.Item
            mih={44}
            className={(set.inUse === null ? classes.danger : classes.off) ?? ''}
            leftSection={<IconTrash {...icon} />}
            aria-disabled={set.inUse !== null || undefined}
            onClick={() => set.inUse === null && onAsk('delete')}
          >
            Delete…
            {set.inUse !== null && <span className={classes.reason}>{set.inUse}</span>}
          </Menu.Item>
        </>
      )}
    </ActionsMenu>
  );
}
