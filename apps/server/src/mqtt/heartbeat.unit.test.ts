import { describe, expect, it } from 'vitest';
import { Heartbeat } from './heartbeat.ts';

function setup() {
  const clock = { ms: 1_000 };
  return { clock, heart: new Heartbeat(() => clock.ms) };
}

describe('the lag of a subscription', () => {
  it('is what the last beat took', () => {
    const { clock, heart } = setup();
    const beat = heart.beat();
    clock.ms += 40;
    heart.heard(beat);
    clock.ms += 5_000;
    expect(heart.lagMs()).toBe(40);
  });

  it('grows with the age of the oldest beat that is not back', () => {
    const { clock, heart } = setup();
    heart.beat();
    clock.ms += 5_000;
    heart.beat();
    clock.ms += 3_000;
    expect(heart.lagMs()).toBe(8_000);
  });

  it('forgets beats that a full queue dropped once a later one is back', () => {
    const { clock, heart } = setup();
    heart.beat();
    clock.ms += 5_000;
    const later = heart.beat();
    clock.ms += 20;
    heart.heard(later);
    expect(heart.lagMs()).toBe(20);
  });

  it('is not touched by what another process or an earlier start of this one sent', () => {
    const { clock, heart } = setup();
    heart.beat();
    clock.ms += 9_000;
    heart.heard(new Heartbeat().beat());
    expect(heart.lagMs()).toBe(9_000);
  });

  it('remembers a bounded number of beats', () => {
    const { clock, heart } = setup();
    for (let count = 0; count < 1_000; count++) {
      clock.ms += 5_000;
      heart.beat();
    }
    expect(heart.lagMs()).toBe(119 * 5_000);
  });
});
