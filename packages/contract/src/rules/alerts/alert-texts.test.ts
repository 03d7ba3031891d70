import { describe, expect, it } from 'vitest';
import {
  alertMessage,
  alertSentence,
  alertTitle,
  endMessage,
  farmClock,
  isUnwatched,
  overText,
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

  it('of a level behind a gateway that is offline, how old the word is', () => {
    const facts = { name: 'Trough 4', asOf: since + 10 * 60_000 };
    expect(alertSentence(low, episode({ facts }), zone, now)).toBe(
      'Trough 4 is at 12 %, below 20 % since 05:40, as of 05:50: its gateway is offline.',
    );
  });

  it('of what stayed away when its gateway came back, only those', () => {
    const back = { deviceId: 1, name: 'Home shed', at: since + 10 * 60_000, of: 26 };
    const silent = { kind: 'OutOfContact', condition: 'longer than', limit: null } as const;
    const away = ['A1', 'A2', 'A3'].map((name) => episode({ facts: { name, back } }));
    expect(alertMessage(silent, away, zone, now)).toBe(
      'Home shed is back since 05:50. 3 of 26 behind it are not: A1, A2 and A3. Check its power and its aerial.',
    );
  });

  it('of what is over and may come back yet, since when', () => {
    expect(overText([episode({ overSince: since + 10 * 60_000 })], zone, now)).toBe(
      'It is over since 05:50, if it stays so.',
    );
    expect(overText([episode({ overSince: since }), episode()], zone, now)).toBeNull();
  });

  it.each([
    [
      'OutOfContact',
      { facts: { name: 'Home shed', kind: 'gateway' } },
      'Gateway Home shed is offline since 05:40.',
    ],
    ['OutOfContact', { facts: { name: 'Trough 4' } }, 'Trough 4 has not been heard since 05:40.'],
    [
      'OutOfContact',
      { facts: { name: 'Home shed', kind: 'gateway', behind: { tank: 1, switch: 2, sprinkler: 23 } } },
      'Gateway Home shed is offline since 05:40. 26 devices are behind it: 1 tank, 2 switches, 23 sprinklers.',
    ],
    [
      'OutOfContact',
      {
        facts: {
          name: 'Home shed',
          kind: 'gateway',
          behind: { sprinkler: 1 },
          valves: { count: 14, until: since + 60_000 },
        },
      },
      'Gateway Home shed is offline since 05:40. 1 device is behind it: 1 sprinkler. 14 valves were open; they close by their own clock until 05:41.',
    ],
    [
      'OutOfContact',
      { facts: { name: 'TTN', kind: 'network server', behind: { tank: 3 } } },
      'Nothing has come from the network server TTN since 05:40. 3 devices are behind it: 3 tanks.',
    ],
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
      { facts: { name: 'Trough 4', litresPerHour: 184.2 } },
      'Trough 4 loses about 180 L an hour, since 05:40.',
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

  it('names devices in their order, and what is wrong with all of them once', () => {
    const fault = 'The ipc has a schedule error!';
    const units = ['A12', 'A3', 'A2', 'A1'].map((name) => episode({ facts: { name, fault } }));
    const errors = { kind: 'SprinklerError', condition: 'any', limit: null } as const;
    expect(alertMessage(errors, units, zone, now)).toMatch(
      /^A1, A2, A3 and 1 more: The ipc has a schedule error! Open/,
    );
    expect(alertTitle('Home Block', errors, units)).toBe(
      'Home Block: Sprinkler error: A1, A2, A3 and 1 more',
    );
  });

  it('cuts the farm’s name before what is wrong', () => {
    const troughs = [14, 15, 16].map((n) => episode({ facts: { name: `Trough ${n}` } }));
    const title = alertTitle('A very long name of a farm in the Ashburton district', low, [episode()]);
    expect(title).toBe('A very long name of a farm in the Ashbur: Tank low: Trough 4');
    expect(alertTitle('Ashburton Plains Dairies', low, troughs, ' – over')).toBe(
      'Ashburton: Tank low: Trough 14, Trough 15 and 1 more – over',
    );
  });

  it('of the end says when, how long it was so, and how bad', () => {
    expect(endMessage(low, [episode()], zone, now)).toBeNull();
    expect(endMessage(low, [episode({ endedAt: now })], zone, now + 60_000)).toBe(
      'Trough 4: it ended at 06:29 after 49 minutes. Lowest: 9 %.',
    );
  });

  it('of what nobody watches any more is not that it is over', () => {
    const gone = (unwatched: string, name: string) => episode({ facts: { name, unwatched }, endedAt: now });
    expect(endMessage(low, [gone('no longer watched', 'Trough 4')], zone, now + 60_000)).toBe(
      'Trough 4: no longer watched since 06:29, 49 minutes after it began.',
    );
    // The other one is over: of that it is known.
    const both = [gone('no longer watched', 'Trough 4'), episode({ endedAt: now - 60_000 })];
    expect([endMessage(low, both, zone, now)?.slice(0, 28), isUnwatched(both)]).toEqual([
      'Trough 4: no longer watched ',
      true,
    ]);
    const overLast = [gone('no longer watched', 'Trough 4'), episode({ endedAt: now + 60_000 })];
    expect([endMessage(low, overLast, zone, now), isUnwatched(overLast)]).toEqual([
      expect.stringContaining('it ended at 06:30'),
      false,
    ]);
    expect(isUnwatched([gone('no longer watched', 'Trough 4'), episode()])).toBe(false);
  });

  it('of a moment is what it was: it has no end', () => {
    const failed = { kind: 'CommandFailed', condition: 'any', limit: null } as const;
    const facts = { name: 'Block 9', fault: 'it failed for 3 of 25 sprinklers.' };
    expect(endMessage(failed, [episode({ facts, endedAt: since })], zone, now)).toBe(
      'Block 9, 05:40: it failed for 3 of 25 sprinklers. See in the app which sprinklers it did not reach, and send it again.',
    );
  });

  it('names the day of what was longer ago', () => {
    expect(farmClock(zone, since, since + 86_400_000)).toBe('Sat 21 Nov, 05:40');
  });
});
