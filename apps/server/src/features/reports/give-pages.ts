import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { buffersOf, type PackPage } from '@headrace/paper/reports/pack-pages';

/** What a pack is made of beside its order. */
export interface PackFeed {
  readonly pages: AsyncGenerator<PackPage, void>;
  /** How far it is, 0 to 1, and what is done now. */
  readonly onStep: (part: number, text: string) => void;
  /** What it lacks: from when to when, epoch ms, one after the other. */
  readonly onMissing: (times: MissingTimes) => void;
}

export type MissingTimes = readonly (readonly [from: number, to: number])[];

/** What a thread says: how far it is, or what it found, to which it waits for an answer; null: it wants the next page. */
type Said = { part: number; text: string } | { missing: MissingTimes } | null;

export interface GivenPages {
  /** For the thread that asks for them. */
  readonly port: MessagePort;
  /** Rejects when a page can't be read. */
  readonly failed: Promise<never>;
  /** Nobody asks for more. */
  end(): void;
}

/** Gives a thread page after page, each when it asks; the next is read while the thread is at work on the one before. */
export function givePages({ pages, onStep, onMissing }: PackFeed): GivenPages {
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
  port1.on('message', (said: Said) => {
    if (!said) give().catch(fail);
    else if ('part' in said) onStep(said.part, said.text);
    else {
      onMissing(said.missing);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
      port1.postMessage(null);
    }
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
