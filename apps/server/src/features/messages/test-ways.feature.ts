import { testNotification, testProgress } from '@headrace/contract/notifications';
import type { Core, Feature } from '../../feature.ts';
import type { Way } from '../outbox/outbox.repo.ts';
import type { Messages } from './messages.ts';
import { createTestWaysService } from './test-ways.service.ts';

export interface TestWaysOptions {
  readonly messages: Messages;
  /** Ways that the operator has set up. */
  readonly ways: readonly Way[];
  /** Names a browser that takes push messages by its uid; empty where it is gone. */
  readonly browserOf: (accountId: number, uid: string) => Promise<string>;
}

/** "Send me a test", by each way, and how far it got. */
export function createTestWaysFeature({ db }: Core, options: TestWaysOptions): Feature {
  const service = createTestWaysService(db, options);
  return {
    routes: (mount) => {
      mount(testNotification, ({ caller, body, now }) => service.send(caller.accountId, body.way, now));
      mount(testProgress, async ({ caller, query }) => ({
        messages: await service.progress(caller.accountId, query.id.toLowerCase()),
      }));
    },
  };
}
