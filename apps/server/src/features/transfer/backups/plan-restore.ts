import type { RestoreRow } from '@headrace/contract/backups';
import type { ScheduleSet } from '@headrace/contract/schedules';
import type { DeviceRow } from '../../../db/schema.ts';
import type { ChangedDevice, ChangedRecord, DeletedDevice } from '../../changes/change-batch.ts';
import type { ContentGroup, ContentTemplate } from '../farm-content.repo.ts';
import type { FarmNow } from './farm-now.ts';
import { planDevices } from './plan-devices.ts';
import { planFarm, planGroups, planInputs, planSets, planTemplates } from './plan-records.ts';
import { planTakes } from './plan-takes.ts';
import type { Snapshot } from './snapshot.ts';

/** What a row of the plan does. */
export type Deed =
  | { readonly do: 'take device off'; readonly device: DeviceRow }
  | { readonly do: 'put device back'; readonly record: ChangedDevice | DeletedDevice }
  | { readonly do: 'take group off'; readonly group: { id: number; uid: string; name: string } }
  | { readonly do: 'return group'; readonly group: ContentGroup }
  | { readonly do: 'change record'; readonly record: ChangedRecord }
  | { readonly do: 'return template'; readonly template: ContentTemplate }
  | { readonly do: 'return set'; readonly set: ScheduleSet };

export interface RestoreItem {
  readonly row: RestoreRow;
  /** Null: it stays as it is, the row says why. */
  readonly deed: Deed | null;
}

/** What would make the farm as it was, by turns. The same backup and the same farm give the same plan. */
export const planRestore = async (backup: Snapshot, now: FarmNow): Promise<RestoreItem[]> => [
  ...planFarm(backup, now),
  ...planGroups(backup, now),
  ...(await planDevices(backup, now)),
  ...planTemplates(backup, now),
  ...planSets(backup, now),
  ...planInputs(backup, now),
  ...planTakes(backup, now.snapshot),
];
