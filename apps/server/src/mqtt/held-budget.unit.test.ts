import { describe, expect, it, vi } from 'vitest';
import { HeldBudget } from './held-budget.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('held budget', () => {
  it('is full by messages or by bytes, and lets one large message in when it was empty', () => {
    const budget = new HeldBudget({ messages: 2, bytes: 100 });
    budget.take(500);
    expect(budget.hasRoom()).toBe(false);
    budget.release(500);
    budget.take(1);
    expect(budget.hasRoom()).toBe(true);
    budget.take(1);
    expect(budget.hasRoom()).toBe(false);
  });

  it('wakes who waits once there is room, each once', async () => {
    const budget = new HeldBudget({ messages: 1, bytes: 100 });
    const wake = vi.fn<() => void>();
    budget.take(1);
    budget.whenRoom(wake);
    budget.whenRoom(wake);
    await turn();
    expect(wake).not.toHaveBeenCalled();
    budget.release(1);
    budget.take(1);
    budget.release(1);
    await turn();
    await turn();
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('keeps the others waiting when the first takes the room', async () => {
    const budget = new HeldBudget({ messages: 1, bytes: 100 });
    const second = vi.fn<() => void>();
    budget.take(1);
    budget.whenRoom(() => budget.take(1));
    budget.whenRoom(second);
    budget.release(1);
    await turn();
    expect(second).not.toHaveBeenCalled();
    budget.release(1);
    await turn();
    expect(second).toHaveBeenCalledTimes(1);
  });

  it('counts in the budget above it, and waits for the one that is full', async () => {
    const all = new HeldBudget({ messages: 2, bytes: 100 });
    const one = new HeldBudget({ messages: 5, bytes: 100 }, all);
    const other = new HeldBudget({ messages: 5, bytes: 100 }, all);
    one.take(10);
    other.take(10);
    expect([all.messages, all.bytes, one.hasRoom()]).toEqual([2, 20, false]);
    const wake = vi.fn<() => void>();
    one.whenRoom(wake);
    other.release(10);
    await turn();
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('forgets who no longer waits', async () => {
    const all = new HeldBudget({ messages: 1, bytes: 100 });
    const one = new HeldBudget({ messages: 5, bytes: 100 }, all);
    const wake = vi.fn<() => void>();
    one.take(1);
    one.whenRoom(wake);
    one.forget(wake);
    one.release(1);
    await turn();
    expect(wake).not.toHaveBeenCalled();
  });
});
