import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allPieces } from '@headrace/contract/rules/pieces';
import { daysOfTake } from '@headrace/contract/rules/water-take/account';
import { DAY_MS, quarterStart, takeDayAt, utcDay } from '@headrace/contract/rules/water-take/clock';
import { codedPlaces } from '@headrace/contract/rules/water-take/coded-places';
import { dayPart } from '@headrace/contract/rules/water-take/day-parts';
import { counterVolumes } from '@headrace/contract/rules/water-take/meter-volumes';
import { packedStretches } from '@headrace/contract/rules/water-take/packed-stretches';
import { volumesAtPlaces } from '@headrace/contract/rules/water-take/places';
import type { TakeMeter } from '@headrace/contract/water-takes';
import { made } from '../testing/fixtures.ts';
import { type PackOrder, packOfPages, packPages, type PackSource } from './pack-pages.ts';
import { type PackData, takeTables } from './take-pack.ts';

const time = { offsetMs: 43_200_000 };
const start = takeDayAt(time, '2026-11-22') ?? 0;
const limits = {
  maxLps: 10,
  maxM3Day: 400,
  maxM37Day: null,
  maxM3Year: null,
  validFrom: null,
  validTo: null,
  restrictions: [],
};
const entries = { consentNo: 'CRC1', holder: '', council: '', source: '', restrictionNote: '', ...limits };
const atPlace = (id: number, site: string, startsAt: number) => ({
  id,
  site,
  measure: 'V',
  startsAt: new Date(startsAt),
  endsAt: null,
});
const said = (device: string): TakeMeter => ({
  uid: device,
  deviceUID: device,
  device,
  metric: 'pulsesTotal',
  site: 'A',
  measure: 'V',
  startsAt: new Date(start).toISOString(),
  endsAt: null,
  verifiedOn: null,
  nextVerification: null,
  pipe: 'full',
  m3PerUnit: 0.1,
  isByVolume: false,
  isGone: false,
  readings: [],
});

interface Pack {
  readonly order: PackOrder;
  readonly source: PackSource;
}

/**
 * A meter's word after so many minutes each, with so much more, at two places, the second a week later; a third meter was never heard.
 * It is asked for from three hours after the first word on, where a gap may be cut.
 */
function packOf(steps: readonly { minutes: number; m3: number }[], places = 3): Pack {
  const words = [{ at: start, value: 1000 }];
  for (const { minutes, m3 } of steps) {
    const last = words.at(-1) ?? { at: start, value: 0 };
    words.push({ at: last.at + minutes * 60_000, value: Math.max(0, last.value + m3) });
  }
  const [from, until] = [start + 3 * 3_600_000, quarterStart(words.at(-1)?.at ?? start)];
  const span = { from: utcDay(from), to: utcDay(until) + DAY_MS };
  const counted = () => {
    const whole = [...counterVolumes(words, { m3PerUnit: 0.1 })];
    const partsOf = (day: number) => whole.flatMap((one) => dayPart(one, day, day + DAY_MS) ?? []);
    return Array.from({ length: (span.to - span.from) / DAY_MS }, (_none, nth) =>
      packedStretches(partsOf(span.from + nth * DAY_MS)),
    );
  };
  const meters = [
    atPlace(1, 'A', start),
    atPlace(2, 'B', start + 7 * DAY_MS),
    atPlace(3, 'None', start),
  ].slice(0, places);
  const readings = [20, 90].map((hours) => ({
    meterId: 1,
    at: new Date(start + hours * 3_600_000),
    register: hours,
  }));
  const numbers = (of: typeof words) => Float64Array.from(of.flatMap(({ at, value }) => [at, value]));
  return {
    order: {
      kind: 'pack',
      take: { ...entries, uid: 't', version: 1, updatedAt: new Date(start).toISOString(), meters: [] },
      options: { codes: true, gapsLeftOut: false },
      account: {
        time,
        take: { ...limits, meters, readings },
        range: { from, to: until },
        notes: [{ from: new Date(from), to: new Date(until), note: 'Lightning' }],
        outages: [{ from, to: from + 7_200_000 }],
        keptSince: 0,
        volumes: { until, accuracy: 0.05, others: new Set([start]) },
      },
      reckoned: meters.map((meter) => ({ meter, span })),
      from,
      meters: [said('Bore'), said('Silent'), said('Second')],
      made: { ...made, at: until - 1 },
      asked: {},
    },
    source: {
      days: [counted(), counted(), []].slice(0, places),
      said: [
        { meter: said('Bore'), pages: [numbers(words.slice(0, 40)), numbers(words.slice(40))] },
        { meter: said('Silent'), pages: [] },
        { meter: said('Second'), pages: [numbers(words)] },
      ],
    },
  };
}

/** As a process gets it. */
function handedOver({ order, source }: Pack): Promise<PackData> {
  const pages = packPages(source);
  return packOfPages(structuredClone(order), async () => {
    const { value } = await pages.next();
    return value ? structuredClone(value) : null;
  });
}

/** With nothing handed over. */
function reckonedHere({ order, source }: Pack): PackData {
  const { account, from, take, options } = order;
  const meters = order.reckoned.map((meter, nth) => ({ ...meter, days: source.days[nth] ?? [] }));
  const found = allPieces(volumesAtPlaces(meters, { from, to: account.volumes.until }));
  const volumes = { ...account.volumes, ...found };
  return {
    take,
    time,
    options,
    days: allPieces(daysOfTake({ ...account, volumes }, order.made.at, Infinity)),
    places: codedPlaces(found.places, account.take, account.range),
    said: source.said,
  };
}

async function textsOf(of: PackData): Promise<string[][]> {
  const texts: string[][] = [];
  for (const { pieces } of takeTables(of, made)) {
    const text: string[] = [];
    for await (const piece of pieces) text.push(piece);
    texts.push(text);
  }
  return texts;
}

it('is to the letter the same by way of a thread, piece by piece, whatever its meters said', async () => {
  const step = fc.record({
    minutes: fc.constantFrom(5, 15, 20, 45, 130, 600),
    m3: fc.integer({ min: -30, max: 90 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 300, maxLength: 320 }), async (steps) => {
      // What is handed over is gone here.
      const [there, here] = [await handedOver(packOf(steps)), reckonedHere(packOf(steps))];
      expect(there.days).toEqual(here.days);
      expect(await textsOf(there)).toEqual(await textsOf(here));
    }),
    { numRuns: 3, endOnFailure: true },
  );
});

it('knows a gap whose start lies outside by what the counter shows for all of it', async () => {
  // 600 minutes of silence and 90 counts of 0.1 m³, asked for from three hours after it began: 9 m³ in all, none of them the range's own.
  const { days } = await handedOver(packOf([{ minutes: 600, m3: 90 }, ...quiet(300)], 1));
  expect(days.gaps.at(-1)).toMatchObject({ m3: null, isCut: true });
  expect(days.taken).toMatchObject({ m3: 0, cutM3: 9, isWhole: false });
});
const quiet = (count: number) => Array.from({ length: count }, () => ({ minutes: 15, m3: 0 }));
