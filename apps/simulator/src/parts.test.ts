import type { MqttClient } from 'mqtt';
import { describe, expect, it, vi } from 'vitest';
import { createConnectGate } from './link/connect-gate.ts';
import { createOutbox } from './link/outbox.ts';
import { missedTimes } from './live-sensors.ts';
import { readCommandLine } from './options.ts';
import { createSaver } from './saver.ts';
import { createScheduler } from './scheduler.ts';
import { createWindow } from './window.ts';

const minuteMs = 60_000;

describe('the scheduler', () => {
  it('runs things in their order, and what they add in its turn', () => {
    vi.useFakeTimers({ now: 0 });
    const scheduler = createScheduler(Date.now);
    const ran: string[] = [];
    for (const at of [500, 100, 300, 200, 400]) scheduler.add(at, () => ran.push(`${at}`));
    scheduler.add(250, () => scheduler.add(350, () => ran.push('added')));
    vi.advanceTimersByTime(450);
    expect(ran).toEqual(['100', '200', '300', 'added', '400']);
    scheduler.stop();
    vi.advanceTimersByTime(1000);
    expect(ran).toHaveLength(5);
    vi.useRealTimers();
  });

  it('keeps a hundred thousand entries in order', () => {
    vi.useFakeTimers({ now: 0 });
    const scheduler = createScheduler(Date.now);
    const ran: number[] = [];
    for (let index = 0; index < 100_000; index += 1) {
      const at = (index * 7919) % 100_003;
      scheduler.add(at, () => ran.push(at));
    }
    vi.advanceTimersByTime(100_003);
    expect(ran).toHaveLength(100_000);
    expect(ran.every((at, index) => index === 0 || at >= (ran[index - 1] ?? 0))).toBe(true);
    vi.useRealTimers();
  });
});

describe('the window', () => {
  it('lets no more under way than its limit', async () => {
    const window = createWindow(3);
    let running = 0;
    let most = 0;
    for (let index = 0; index < 20; index += 1)
      await window.add(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
      });
    await window.drain();
    expect(most).toBe(3);
    expect(running).toBe(0);
  });

  it('passes a failure on', async () => {
    const window = createWindow(2);
    await window.add(() => Promise.reject(new Error('lost')));
    await expect(window.drain()).rejects.toThrow('lost');
  });
});

describe('the connect gate', () => {
  it('lets so many in at once, the next when one is through', () => {
    const gate = createConnectGate(2);
    const inside: (() => void)[] = [];
    for (let index = 0; index < 4; index += 1) gate.enter((leave) => inside.push(leave));
    expect(inside).toHaveLength(2);
    inside[0]?.();
    inside[0]?.();
    expect(inside).toHaveLength(3);
  });
});

describe('the outbox', () => {
  const letter = (topic: string) => ({ topic, payload: '{}', retain: false });
  /** A connection that answers as it is told: acknowledged, or broken before. */
  const connection = (isBroken: boolean) => {
    const sent: string[] = [];
    const publish = (topic: string, _payload: string, _options: object, done: (error?: Error) => void) => {
      sent.push(topic);
      done(isBroken ? new Error('closed') : undefined);
    };
    return { sent, client: { publish } as unknown as MqttClient };
  };

  it('keeps what was not acknowledged, in order, for the next connection', async () => {
    const outbox = createOutbox();
    const broken = connection(true);
    const sending = [outbox.add(letter('a'), broken.client), outbox.add(letter('b'), null)];
    expect(outbox.size()).toBe(2);
    const whole = connection(false);
    outbox.sendAll(whole.client);
    await Promise.all(sending);
    expect([broken.sent, whole.sent]).toEqual([['a'], ['a', 'b']]);
    expect(outbox.size()).toBe(0);
  });

  it('drops the oldest when there are more than 5,000, and says so', async () => {
    const outbox = createOutbox();
    const oldest = outbox.add(letter('oldest'), null);
    for (let index = 0; index < 5000; index += 1) outbox.add(letter('x'), null).catch(() => undefined);
    await expect(oldest).rejects.toThrow('too many messages wait for the broker');
    outbox.fail(new Error('over'));
  });
});

describe('saving', () => {
  it('never writes twice at once, and whoever asks meanwhile waits for the next write', async () => {
    const ended: number[] = [];
    let writes = 0;
    const save = createSaver(
      async () => {
        const number = (writes += 1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        ended.push(number);
      },
      { info: () => undefined, warn: () => undefined },
    );
    const first = save();
    const second = save();
    const third = save();
    await first;
    expect(ended).toEqual([1]);
    await Promise.all([second, third]);
    expect(ended).toEqual([1, 2]);
  });
});

describe('what a sensor missed', () => {
  const at = Date.UTC(2026, 0, 20);

  it.each([
    ['nothing while it reports as it should', 5 * minuteMs, 5 * minuteMs, 0],
    ['nothing in a pause of ten minutes', 10 * minuteMs, minuteMs, 0],
    // 55 minutes in steps of 5, the last being the present one.
    ['every five minutes of an hour', 60 * minuteMs, minuteMs, 11],
    ['its own interval when that is longer', 60 * minuteMs, 15 * minuteMs, 3],
    ['every half hour of a day', 24 * 60 * minuteMs, minuteMs, 47],
    ['no more than 30 days', 90 * 24 * 60 * minuteMs, minuteMs, 30 * 48 - 1],
  ])('is %s', (_name, gap, interval, count) => {
    const times = missedTimes(at - gap, at, interval);
    expect(times).toHaveLength(count);
    expect(times.every((time) => time < at)).toBe(true);
  });
});

describe('the command line', () => {
  it('has sensible values without one', () => {
    const line = readCommandLine([], {});
    expect(line).toMatchObject({
      mqttUrl: 'mqtt://127.0.0.1:1883',
      secretFile: 'data/demo-secret',
      speed: 1,
      backfillDays: 365,
    });
    expect(line.farms).toHaveLength(3);
    expect(line.radio).toEqual({ ackDelayMs: 1000, unitDelayMs: 1500, radioLoss: 0.02 });
    expect(line.controlPort).toBeNull();
  });

  it('prefers arguments to the environment', () => {
    const env = { SIM_SPEED: '10', SIM_DATA_DIR: '/somewhere' };
    expect(readCommandLine(['--speed', '60', '--farms', 'load:4'], env)).toMatchObject({
      speed: 60,
      stateDir: '/somewhere/simulator',
      backfillDays: 0,
    });
    expect(readCommandLine(['--farms', 'load:4'], {}).farms).toHaveLength(4);
    const radio = { SIM_RADIO_LOSS: '0.5', SIM_CONTROL_PORT: '4000' };
    expect(readCommandLine(['--unit-delay-ms', '0'], radio)).toMatchObject({
      radio: { unitDelayMs: 0, radioLoss: 0.5 },
      controlPort: 4000,
    });
    expect(() => readCommandLine(['--radio-loss', '2'], {})).toThrow(
      '--radio-loss must be a number from 0 to 1',
    );
  });

  it('says all that is wrong at once', () => {
    expect(() => readCommandLine(['--speed', '0', '--farms', 'mine', '--seed', 'x'], {})).toThrow(
      /--farms must be demo or load:N.*\n.*--speed must be a whole number from 1 to 3600, not "0"\n.*--seed/,
    );
  });
});
