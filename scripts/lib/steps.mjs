/** Two light steps or one heavy one at a time: more would only slow each other on two cores. */
const CAPACITY = 2;
const weight = (step) => (step.heavy ? CAPACITY : 1);

/**
 * Runs steps `{ name, title, heavy?, needs?, skip?, run }` and prints each one's output as a block when it ends.
 * Resolves with `{ step, seconds, passed, failed, skipped, reason? }` in the order of the steps.
 */
export async function runSteps(steps) {
  const results = new Map();
  const waiting = [...steps];
  const running = new Map();
  const isReady = ({ needs }) => !needs || results.has(needs) || !steps.some(({ name }) => name === needs);
  const used = () => [...running.keys()].reduce((sum, step) => sum + weight(step), 0);
  const runnable = () => waiting.find((step) => isReady(step) && used() + weight(step) <= CAPACITY);
  const follow = async (step) => {
    results.set(step.name, await runOne(step, results));
    running.delete(step);
  };
  while (waiting.length > 0 || running.size > 0) {
    for (let next = runnable(); next; next = runnable()) {
      waiting.splice(waiting.indexOf(next), 1);
      running.set(next, follow(next));
    }
    await Promise.race(running.values());
  }
  return steps.map(({ name }) => results.get(name));
}

async function runOne(step, results) {
  const begun = Date.now();
  const reason = whyNot(step, results);
  const result = reason ? { passed: 0, failed: 0, skipped: 0, output: '' } : await step.run();
  const seconds = (Date.now() - begun) / 1000;
  const verdict = reason ? `skipped: ${reason}` : result.failed > 0 ? 'FAILED' : 'ok';
  console.log(`\n──── ${step.title} (${step.name}): ${verdict}, ${seconds.toFixed(1)} s`);
  if (result.output?.trim()) console.log(result.output.trim());
  return { step, seconds, reason, ...result };
}

function whyNot(step, results) {
  if (step.needs && results.get(step.needs)?.failed > 0) return `${step.needs} failed`;
  return step.skip?.() ?? null;
}
