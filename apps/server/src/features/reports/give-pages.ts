import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { buffersOf, type PackPage } from '@headrace/paper/reports/pack-pages';

/** What a pack is made of beside its order. */
export interface PackFeed {
  readonly pages: AsyncGenerator<PackPage, void>;
  /** How far it is, 0 to 1, and what is done now. */
  readonly onStep: (part: number, text: string) => void;
}

export interface GivenPages {
  /** For the thread that asks for them. */
  readonly port: MessagePort;
  /** Rejects when a page can't be read. */
  readonly failed: Promise<never>;
  /** Nobody asks for more. */
  end(): void;
}

/** Gives a thread page after page, each when it asks; the next is read while the thread is at work on the one before. */
export function givePages({ pages, onStep }: PackFeed): GivenPages {
  const { port1, port2 } = new MessageChannel();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  failed.catch(() => {});
  const read = () => {
    const page = pages.next();
    page.catch(fail);
    return page;
  };
  let next = read();
  async function give(): Promise<void> {
    const { value } = await next;
    next = read();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    port1.postMessage(value ?? null, value ? buffersOf(value) : []);
  }
  port1.on('message', (step: { part: number; text: string } | null) => {
    if (step) onStep(step.part, step.text);
    else give().catch(fail);
  });
  return {
    port: port2,
    failed,
    end() {
      port1.close();
      void pages.return().catch(() => {});
    },
  };
}
