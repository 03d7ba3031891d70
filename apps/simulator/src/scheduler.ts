export type Scheduler = {
  /** Runs once at or soon after `at` (epoch ms), in order. */
  readonly add: (at: number, run: (now: number) => void) => void;
  readonly size: () => number;
  readonly stop: () => void;
};

type Entry = { at: number; run: (now: number) => void };

/** Entries run in one go: with a thousand farms due at once, sockets and signals get their turn between. */
const mostAtOnce = 100;

/** One timer and one heap for everything: a thousand farms of devices cost a heap entry each. */
export function createScheduler(now: () => number): Scheduler {
  const heap: Entry[] = [];
  let timer: NodeJS.Timeout | null = null;
  let timerAt = Number.POSITIVE_INFINITY;
  let stopped = false;

  function arm(): void {
    const next = heap[0]?.at ?? Number.POSITIVE_INFINITY;
    if (stopped || next >= timerAt) return;
    if (timer) clearTimeout(timer);
    timerAt = next;
    // An hour at most: a clock that jumps is noticed.
    timer = setTimeout(tick, Math.min(Math.max(0, next - now()), 3_600_000));
  }

  function tick(): void {
    timer = null;
    timerAt = Number.POSITIVE_INFINITY;
    const time = now();
    // What is left, and what these add for the past, runs on the next turn.
    const due: Entry[] = [];
    for (let entry = heap[0]; entry && entry.at <= time && due.length < mostAtOnce; entry = heap[0])
      due.push(popEntry(heap));
    for (const entry of due) if (!stopped) entry.run(time);
    arm();
  }

  return {
    add: (at, run) => {
      pushEntry(heap, { at, run });
      arm();
    },
    size: () => heap.length,
    stop: () => {
      stopped = true;
      if (timer) clearTimeout(timer);
      heap.length = 0;
    },
  };
}

function pushEntry(heap: Entry[], entry: Entry): void {
  let index = heap.push(entry) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (at(heap, parent).at <= entry.at) break;
    heap[index] = at(heap, parent);
    index = parent;
  }
  heap[index] = entry;
}

function popEntry(heap: Entry[]): Entry {
  const top = at(heap, 0);
  const last = heap.pop() ?? top;
  if (heap.length === 0) return top;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && at(heap, child + 1).at < at(heap, child).at) child += 1;
    if (at(heap, child).at >= last.at) break;
    heap[index] = at(heap, child);
    index = child;
  }
  heap[index] = last;
  return top;
}

function at(heap: Entry[], index: number): Entry {
  const entry = heap[index];
  if (!entry) throw new RangeError('heap index out of range');
  return entry;
}
