import { describe, expect, it } from 'vitest';
import {
  alertMessage,
  alertSentence,
  alertTitle,
  endMessage,
  farmClock,
  type AlertEpisode,
} from './alert-texts.ts';

const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
/** 05:40 on 21 November by the farm's clock. */
const since = Date.parse('2026-11-20T16:40:00Z');
const now = since + 49 * 60_000;
const episode = (over: Partial<AlertEpisode> = {}): AlertEpisode => ({
  facts: { name: 'Trough 4' },
  since,
  value: 12.3,
  peak: 9,
  endedAt: null,
  ...over,
});
const low = { kind: 'TankLow', condition: 'below', limit: 20 } as const;
const say = (
  kind: Parameters<typeof alertSentence>[0]['kind'],
  over: Partial<AlertEpisode>,
  condition = 'any',
) => alertSentence({ kind, condition, limit: null }, episode(over), zone, now);

describe('what is told', () => {
  it('says what, where, how much against which limit and since when, by the farm’s clock', () => {
    expect(alertMessage(low, [episode()], zone, now)).toBe(
      'Trough 4 is at 12 %, below 20 % since 05:40. See what fills it, and what draws from it.',
    );
  });

  it.each([
    [
      'OutOfContact',
      { facts: { name: 'Home shed', kind: 'gateway' } },
      'Gateway Home shed is offline since 05:40.',
    ],
    ['OutOfContact', { facts: { name: 'Trough 4' } }, 'Trough 4 has not been heard since 05:40.'],
    [
      'ValveOpen',
      { facts: { name: 'A12', until: since + 50 * 60_000 } },
      'The valve of A12 should have closed at 06:30. Nobody has reported it closed.',
    ],
    [
      'ValveOpen',
      { facts: { name: 'A12', until: null } },
      'The valve of A12 is open since 05:40, and nothing that is known asked for it.',
    ],
    [
      'LowBattery',
      { facts: { name: 'Trough 4', unit: 'V' }, value: 3.414 },
      'The battery of Trough 4 is low: 3.41 V.',
    ],
    [
      'InputChange',
      { facts: { name: 'Home shed', input: 'Float of', isOn: true } },
      'Float of Home shed went on at 05:40.',
    ],
    [
      'TankLeak',
      { facts: { name: 'Trough 4', litresPerHour: 220 } },
      'Trough 4 loses about 220 L an hour, since 05:40.',
    ],
    [
      'SprinklerError',
      { facts: { name: 'A12', fault: 'The ipc has a clock error!' } },
      'A12: The ipc has a clock error!',
    ],
  ] as const)('%s %o', (kind, over, sentence) => {
    expect(say(kind, over)).toBe(sentence);
  });

  it('names three of many, and counts the others', () => {
    const five = [1, 2, 3, 4, 5].map((n) => episode({ facts: { name: `A${n}` } }));
    expect(alertTitle('Home Block', low, five)).toBe('Home Block: Tank low: A1, A2, A3 and 2 more');
    expect(alertMessage(low, five, zone, now)).toContain('And 2 more.');
  });

  it('cuts the farm’s name before what is wrong', () => {
    const title = alertTitle('A very long name of a farm in the Ashburton district', low, [episode()]);
    expect(title).toBe('A very long name of a farm in the Ashbur: Tank low: Trough 4');
  });

  it('of the end says when, how long it was so, and how bad', () => {
    expect(endMessage(low, [episode()], zone, now)).toBeNull();
    expect(endMessage(low, [episode({ endedAt: now })], zone, now + 60_000)).toBe(
      'Trough 4: it ended at 06:29 after 49 minutes. Lowest: 9 %.',
    );
  });

  it('names the day of what was longer ago', () => {
    expect(farmClock(zone, since, since + 86_400_000)).toBe('Sat 21 Nov, 05:40');
  });
});
