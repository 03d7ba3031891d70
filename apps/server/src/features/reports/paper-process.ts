import { fileURLToPath } from 'node:url';
import type { Paper } from '@headrace/paper/paper';
import type { PackOrder } from '@headrace/paper/reports/pack-pages';
import type { PaperOrder } from '@headrace/paper/reports/paper-order';
import { createOwnProcess, type OwnProcess, type ProcessMemory } from '../../machine/own-process.ts';
import { givePages, type PackFeed, type PackSaid } from './give-pages.ts';

const PROGRAM = fileURLToPath(new URL('./paper-program.mjs', import.meta.url));

/** What is to be made; a pack is made of its feed as well. */
export interface PaperJob {
  readonly asked: Paper | PaperOrder | PackOrder;
  readonly feed?: PackFeed;
}

/** A process that makes PDFs and packs, one after the other. */
export interface PaperProcess {
  /** Throws what its process does, and what the feed throws. */
  make(job: PaperJob): Promise<Uint8Array>;
  readonly end: OwnProcess<PackSaid>['end'];
}

export function createPaperProcess(memory: ProcessMemory, onEnd: () => void): PaperProcess {
  const { make, answer, end } = createOwnProcess<PackSaid>(PROGRAM, { what: 'A report', memory, onEnd });
  return {
    make: ({ asked, feed }) =>
      new Promise((resolve, reject) => {
        const given = feed && givePages(feed, { answer, fail: reject });
        make<Uint8Array>(asked, (said) => given?.hear(said)).then(resolve, reject);
      }),
    end,
  };
}
