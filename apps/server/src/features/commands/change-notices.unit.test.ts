import { expect, it } from 'vitest';
import { createChangeNotices } from './change-notices.ts';

const command = (commandId: number, isFinished = false) => ({ farmId: 1, commandId, isFinished });

/** What was told, and a way to let the telling that is under way be over. */
function teller() {
  const told: string[] = [];
  let over = () => {};
  const { add, done } = createChangeNotices(async (changed) => {
    told.push(changed.map((one) => `${one.commandId}${one.isFinished ? ' ended' : ''}`).join(', '));
    await new Promise<void>((resolve) => (over = resolve));
  });
  return { told, add, done, over: () => over() };
}

it('tells the first change at once and what comes meanwhile together, each command once', async () => {
  const { told, add, done, over } = teller();
  add([]);
  add([command(1)]);
  expect(told).toEqual(['1']);
  add([command(1), command(2)]);
  add([command(1)]);
  over();
  await expect.poll(() => told).toEqual(['1', '1, 2']);
  over();
  await done();
});

it('keeps the end of a command, whatever is said of it after that', async () => {
  const { told, add, done, over } = teller();
  add([command(1)]);
  add([command(2, true)]);
  add([command(2)]);
  over();
  await expect.poll(() => told).toEqual(['1', '2 ended']);
  over();
  await done();
});

it('is done once all is told', async () => {
  const { told, add, done, over } = teller();
  add([command(1)]);
  add([command(2)]);
  const all = done();
  over();
  await expect.poll(() => told).toHaveLength(2);
  over();
  await all;
  expect(told).toEqual(['1', '2']);
});
