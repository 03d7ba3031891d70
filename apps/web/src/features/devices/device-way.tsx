import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconEdit, IconList } from '@tabler/icons-react';
import { useCan } from '../../access/permissions.ts';
import { type DeviceKind, editPath, listPath, needOf } from '../../device-records/device-kinds.ts';

export interface DeviceWayProps {
  kind: DeviceKind;
  farmUID: string;
  id: string;
  name: string;
  /** What its form is called here: "Open" where it is more than a form. */
  edit?: string | undefined;
}

/** The way to a device's form; to its list for those who may only read; nothing for others. Saving comes back here. */
export function DeviceWay({ kind, farmUID, id, name, edit = 'Edit' }: DeviceWayProps) {
  const canEdit = useCan(needOf(kind, 'Edit'), farmUID);
  const canRead = useCan(needOf(kind, 'Read'), farmUID);
  if (canEdit)
    return (
      <Button
        renderRoot={(props) => <Link {...props} to={editPath(kind, farmUID, id)} state={{ opened: true }} />}
        variant="default"
        mih={44}
        leftSection={<IconEdit size={17} stroke={1.7} aria-hidden="true" />}
        aria-label={`${edit} ${name}`}
      >
        {edit}
      </Button>
    );
  if (!canRead) return null;
  return (
    <Button
      renderRoot={(props) => <Link {...props} to={listPath(kind, farmUID)} search={{ q: name } as never} />}
      variant="default"
      mih={44}
      leftSection={<IconList size={17} stroke={1.7} aria-hidden="true" />}
      aria-label={`Show ${name} in the list`}
    >
      Show in the list
    </Button>
  );
}
