import { undo } from '@headrace/contract/undo';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import type { UndoService } from './undo.service.ts';

export function undoRoutes(mount: Mount, service: UndoService): void {
  mount(undo, (call) => service.undo(call.farm, call.body, byOf(call)));
}
