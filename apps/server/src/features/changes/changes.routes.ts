import { listChanges } from '@headrace/contract/changes';
import type { Mount } from '../../http/mount.ts';
import type { ChangesService } from './changes.service.ts';

export function changesRoutes(mount: Mount, changes: ChangesService): void {
  mount(listChanges, ({ farm, query, now }) => changes.list(farm, query, now));
}
