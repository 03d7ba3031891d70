import { moveDevices } from '@headrace/contract/moves';
import type { Mount } from '../../http/mount.ts';
import type { Moves } from './moves.ts';
import { byOf } from './replies.ts';

export function movesRoutes(mount: Mount, moves: Moves): void {
  mount(moveDevices, (call) => moves.move(call.farm.farm, call.body, byOf(call)));
}
