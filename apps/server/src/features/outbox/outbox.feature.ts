import { messageShown } from '@headrace/contract/notifications';
import type { Core, Feature } from '../../feature.ts';
import { registerOutboxPage } from './outbox-page.ts';
import { createMessageProgress } from './message-progress.ts';
import { createOutboxRepo } from './outbox.repo.ts';
import { hashShownKey } from './shown-key.ts';

/** What waits to be sent, for the operator; and browsers say here which push message they showed. */
export function createOutboxFeature({ db }: Core): Feature {
  const outbox = createOutboxRepo(db);
  return {
    pages: (http, operators) => registerOutboxPage(http, outbox, operators),
    routes: (mount) =>
      mount(messageShown, async ({ body, now }) => {
        // The same answer for a key that is none: whoever guesses learns nothing.
        await createMessageProgress(db).setShown(hashShownKey(body.key), now);
        return { success: true };
      }),
  };
}
