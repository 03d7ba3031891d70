import { getDeadLetter, listDeadLetters, replayDeadLetters } from '@headrace/contract/dead-letters';
import type { Mount } from '../../http/mount.ts';
import type { DeadLettersService } from './dead-letters.service.ts';

export function deadLettersRoutes(mount: Mount, letters: DeadLettersService): void {
  mount(listDeadLetters, ({ farm, query }) => letters.list(farm, query));
  mount(getDeadLetter, ({ farm, query }) => letters.get(farm, query));
  mount(replayDeadLetters, ({ farm, body }) => letters.replay(farm, body));
}
