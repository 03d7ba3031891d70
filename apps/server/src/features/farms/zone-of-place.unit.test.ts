import { describe, expect, it } from 'vitest';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { zoneOfPlace } from './zone-of-place.ts';

/** Offsets in hours, and the moments (UTC) at which the clocks change after 20 November 2026: to standard, and to summer time. */
interface Clock {
  readonly standard: number;
  readonly summer?: number;
  readonly ends?: string;
  readonly begins?: string;
}

/**
 * New Zealand: last Sunday of September, 2:00 standard, to first Sunday of April, 3:00 summer time (Daylight Time Order 2007);
 * the Chathams at the same moment. South-eastern Australia: first Sunday of October to first Sunday of April, each state at
 * 2:00 its standard time; Lord Howe by half an hour at 2:00 local; Norfolk Island like New South Wales since 2019.
 */
const clocks: Readonly<Record<string, Clock>> = {
  'Pacific/Auckland': { standard: 12, summer: 13, ends: '2027-04-03T14:00Z', begins: '2027-09-25T14:00Z' },
  'Pacific/Chatham': {
    standard: 12.75,
    summer: 13.75,
    ends: '2027-04-03T14:00Z',
    begins: '2027-09-25T14:00Z',
  },
  'Australia/Sydney': { standard: 10, summer: 11, ends: '2027-04-03T16:00Z', begins: '2027-10-02T16:00Z' },
  'Australia/Melbourne': { standard: 10, summer: 11, ends: '2027-04-03T16:00Z', begins: '2027-10-02T16:00Z' },
  'Australia/Hobart': { standard: 10, summer: 11, ends: '2027-04-03T16:00Z', begins: '2027-10-02T16:00Z' },
  'Australia/Adelaide': {
    standard: 9.5,
    summer: 10.5,
    ends: '2027-04-03T16:30Z',
    begins: '2027-10-02T16:30Z',
  },
  'Australia/Broken_Hill': {
    standard: 9.5,
    summer: 10.5,
    ends: '2027-04-03T16:30Z',
    begins: '2027-10-02T16:30Z',
  },
  'Australia/Lord_Howe': {
    standard: 10.5,
    summer: 11,
    ends: '2027-04-03T15:00Z',
    begins: '2027-10-02T15:30Z',
  },
  'Pacific/Norfolk': { standard: 11, summer: 12, ends: '2027-04-03T15:00Z', begins: '2027-10-02T15:00Z' },
  'Australia/Brisbane': { standard: 10 },
  'Australia/Lindeman': { standard: 10 },
  'Australia/Darwin': { standard: 9.5 },
  'Australia/Perth': { standard: 8 },
  'Australia/Eucla': { standard: 8.75 },
};

const places: [string, number, number, string][] = [
  ['Auckland', -36.849, 174.763, 'Pacific/Auckland'],
  ['Kaitaia', -35.113, 173.262, 'Pacific/Auckland'],
  ['Hastings', -39.638, 176.839, 'Pacific/Auckland'],
  ['Hinds', -44.0, 171.57, 'Pacific/Auckland'],
  ['Ashburton', -43.898, 171.73, 'Pacific/Auckland'],
  ['Culverden', -42.775, 172.85, 'Pacific/Auckland'],
  ['Ranfurly', -45.131, 170.099, 'Pacific/Auckland'],
  ['Invercargill', -46.413, 168.354, 'Pacific/Auckland'],
  ['Oban, Stewart Island', -46.899, 168.13, 'Pacific/Auckland'],
  ['Waitangi, Chatham Islands', -43.954, -176.56, 'Pacific/Chatham'],
  ['Pitt Island', -44.29, -176.22, 'Pacific/Chatham'],
  ['Sydney', -33.868, 151.207, 'Australia/Sydney'],
  ['Griffith', -34.289, 146.04, 'Australia/Sydney'],
  ['Wentworth', -34.107, 141.913, 'Australia/Sydney'],
  ['Tweed Heads', -28.18, 153.54, 'Australia/Sydney'],
  ['Tenterfield', -29.049, 152.02, 'Australia/Sydney'],
  ['Canberra', -35.283, 149.128, 'Australia/Sydney'],
  ['Broken Hill', -31.957, 141.467, 'Australia/Broken_Hill'],
  ['Silverton', -31.885, 141.22, 'Australia/Broken_Hill'],
  ['Lord Howe Island', -31.53, 159.07, 'Australia/Lord_Howe'],
  ['Shepparton', -36.383, 145.4, 'Australia/Melbourne'],
  ['Mildura', -34.185, 142.162, 'Australia/Melbourne'],
  ['Kaniva', -36.379, 141.242, 'Australia/Melbourne'],
  ['Launceston', -41.439, 147.135, 'Australia/Hobart'],
  ['Currie, King Island', -39.93, 143.85, 'Australia/Hobart'],
  ['Adelaide', -34.929, 138.599, 'Australia/Adelaide'],
  ['Renmark', -34.174, 140.747, 'Australia/Adelaide'],
  ['Bordertown', -36.311, 140.77, 'Australia/Adelaide'],
  ['Mount Gambier', -37.829, 140.783, 'Australia/Adelaide'],
  ['Brisbane', -27.468, 153.028, 'Australia/Brisbane'],
  ['Stanthorpe', -28.654, 151.933, 'Australia/Brisbane'],
  ['Goondiwindi', -28.544, 150.306, 'Australia/Brisbane'],
  ['Coolangatta', -28.168, 153.53, 'Australia/Brisbane'],
  ['Hamilton Island', -20.35, 148.955, 'Australia/Lindeman'],
  ['Darwin', -12.461, 130.842, 'Australia/Darwin'],
  ['Alice Springs', -23.698, 133.881, 'Australia/Darwin'],
  ['Perth', -31.952, 115.861, 'Australia/Perth'],
  ['Kununurra', -15.774, 128.739, 'Australia/Perth'],
  ['Eucla', -31.677, 128.889, 'Australia/Eucla'],
  ['Norfolk Island', -29.03, 167.95, 'Pacific/Norfolk'],
];

const now = new Date('2026-11-20T21:00:00Z');
const MINUTE = 60_000;

describe.each(places)('%s', (_name, lat, lng, zoneId) => {
  const zone = zoneOfPlace(lat, lng, now);
  const { standard, summer = standard, ends, begins } = clocks[zoneId] as Clock;
  const hoursAt = (at: number) => farmOffsetSeconds(zone, at) / 3600;

  it(`has the clock of ${zoneId}`, () => {
    expect(zone).toEqual({
      timeZoneId: zoneId,
      rawOffset: standard * 3600,
      dstOffset: (summer - standard) * 3600,
      dstEnabled: summer !== standard,
    });
    expect(hoursAt(now.getTime())).toBe(summer);
  });

  it('changes it at the right minute, or never', () => {
    if (!ends || !begins) {
      for (let month = 0; month < 12; month += 1) expect(hoursAt(Date.UTC(2027, month, 15))).toBe(standard);
      return;
    }
    const [end, begin] = [Date.parse(ends), Date.parse(begins)];
    expect([hoursAt(end - MINUTE), hoursAt(end)]).toEqual([summer, standard]);
    expect([hoursAt(begin - MINUTE), hoursAt(begin)]).toEqual([standard, summer]);
  });

  it('keeps standard time all year when daylight saving is off', () => {
    const off = { ...zone, dstEnabled: false };
    for (const at of ['2026-12-21', '2027-04-04', '2027-06-21', '2027-10-03'])
      expect(farmOffsetSeconds(off, Date.parse(at)) / 3600).toBe(standard);
  });
});
