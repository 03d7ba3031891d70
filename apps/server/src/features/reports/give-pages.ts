import type { PackPage } from '@headrace/paper/reports/pack-pages';

/** What a pack is made of beside its order. */
export interface PackFeed {
  readonly pages: AsyncGenerator<PackPage, void>;
  /** How far it is, 0 to 1, and what is done now. */
  readonly onStep: (part: number, text: string) => void;
  /** What it lacks: from when to when, epoch ms, one after the other. */
  readonly onMissing: (times: MissingTimes) => void;
}

export type MissingTimes = readonly (readonly [from: number, to: number])[];

/** What a process says of a pack: how far it is; or what it lacks, or that it wants the next page, and to these it waits for an answer. */
export type PackSaid =
  | { readonly part: number; readonly text: string }
  | { readonly missing: MissingTimes }
  | { readonly wants: 'page' };

interface Listener {
  /** Null: there are no more. */
  answer(page: PackPage | null): void;
  fail(error: unknown): void;
}

/** Gives a process page after page, each when it asks; the next is read while it is at work on the one before. */
export function givePages({ pages, onStep, onMissing }: PackFeed, { answer, fail }: Listener) {
  const read = () => {
    const page = pages.next();
    page.catch(fail);
    return page;
  };
  let next = read();
  async function give(): Promise<void> {
    const { value } = await next;
    next = read();
    answer(value ?? null);
  }
  return {
    hear(said: PackSaid): void {
      if ('part' in said) onStep(said.part, said.text);
      else if ('missing' in said) {
        onMissing(said.missing);
        answer(null);
      } else give().catch(fail);
    },
  };
}
