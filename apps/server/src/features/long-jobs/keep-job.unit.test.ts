import { expect, it } from 'vitest';
import { keepJob } from './keep-job.ts';
import type { LongJobRow } from './long-jobs.repo.ts';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

const job = { farm_id: 1, id: '7', attempt: 1, cancel_asked_at: null } as LongJobRow;

it('stores the last progress also where it was told while an earlier one was being stored', async () => {
  const stored: (string | undefined)[] = [];
  const begun = gate();
  const slow = gate();
  const kept = keepJob(job, {
    repo: {
      async keep(_, progress) {
        stored.push(progress?.text);
        begun.open();
        await slow.opened;
        return { cancel_asked_at: null };
      },
    },
    stopping: new AbortController().signal,
    onError() {},
  });
  kept.progress(0.5, 'half');
  await begun.opened;
  kept.progress(1, 'all');
  const ended = kept.end();
  slow.open();
  await ended;
  expect(stored).toEqual(['half', 'all']);
});
