import { needs } from '@headrace/contract/permissions';
import type { DeviceFormKind } from '@headrace/contract/rules/device-form';
import { type FarmPermissions, mayOn } from '../access/permissions.ts';
import { deviceKinds, editPath, listPath, needOf } from './device-kinds.ts';

/** The farm's own group: every device of it. */
const WHOLE_FARM = 'FARM';

interface Shown {
  readonly id: string;
  readonly kind: DeviceFormKind;
  readonly name: string;
}

/** Where a device is seen: a sprinkler on the map, another in its form. Where one may not do that there, in its list. */
export function deviceWay(
  permissions: readonly FarmPermissions[],
  farmUID: string,
  { id, kind, name }: Shown,
): { to: string; search: never } {
  if (kind === 'sprinkler' && mayOn(permissions, farmUID, needs.groupMap))
    return { to: `/group-status/${WHOLE_FARM}`, search: { farm: farmUID, ipc: id } as never };
  const device = deviceKinds[kind];
  if (mayOn(permissions, farmUID, needOf(device, 'Edit')))
    return { to: editPath(device, farmUID, id), search: {} as never };
  return { to: listPath(device, farmUID), search: { q: name } as never };
}
