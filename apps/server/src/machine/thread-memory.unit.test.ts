import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { leaveThreadsTheirLimits } from './thread-memory.ts';

/** Makes objects of which many live on, and says how large the space of young ones became meanwhile, MB. */
const BURN = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1e6;
  const kept = [];
  let most = 0;
  for (let nth = 0; nth < 3_000_000; nth += 1) {
    kept[nth % 200_000] = { nth };
    if (nth % 50_000 === 0) most = Math.max(most, young());
  }
  require('node:worker_threads').parentPort.postMessage(most);`;

const mostYoung = (megabytes: number) =>
  new Promise<number>((resolve, reject) => {
    const thread = new Worker(BURN, {
      eval: true,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: megabytes },
    });
    thread.once('message', resolve);
    thread.once('error', reject);
  });

afterEach(() => setFlagsFromString('--max-semi-space-size=0'));

it('a thread of a server with much room for young objects has the room of its own limits', async () => {
  setFlagsFromString('--max-semi-space-size=64');
  leaveThreadsTheirLimits();
  // Two of three parts are in use at a time at most.
  expect(await mostYoung(8)).toBeLessThanOrEqual(9);
});
