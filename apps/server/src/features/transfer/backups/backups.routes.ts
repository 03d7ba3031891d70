import * as api from '@headrace/contract/backups';
import type { Mount } from '../../../http/mount.ts';
import { byOf } from '../../devices/replies.ts';
import type { BackupsService } from './backups.service.ts';

export function backupsRoutes(mount: Mount, backups: BackupsService): void {
  mount(api.listBackups, ({ farm }) => backups.list(farm.farm));
  mount(api.createBackup, (call) => backups.create(call.farm.farm, call.body.desc, byOf(call)));
  mount(api.planRestore, ({ farm, body }) => backups.plan(farm.farm, body.bakUID));
  mount(api.restoreBackup, (call) => backups.restore(call.farm.farm, call.body, byOf(call)));
  mount(api.deleteBackup, ({ farm, query }) => backups.remove(farm.farm, query.bakUID));
}
