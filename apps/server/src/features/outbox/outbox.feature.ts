import type { Core, Feature } from '../../feature.ts';
import { registerOutboxPage } from './outbox-page.ts';
import { createOutboxRepo } from './outbox.repo.ts';

/** What waits to be sent, for the operator. */
export function createOutboxFeature({ db }: Core): Feature {
  const outbox = createOutboxRepo(db);
  return { pages: (http, operators) => registerOutboxPage(http, outbox, operators) };
}
