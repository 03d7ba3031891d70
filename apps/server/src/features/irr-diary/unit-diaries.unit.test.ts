import { expect, it } from 'vitest';
import type { DiaryFactsRepo, PrintedFacts } from './diary-facts.repo.ts';
import type { RunRow } from './diary-units.repo.ts';
import { createUnitDiaries } from './unit-diaries.ts';

const zone = { timeZoneId: 'Pacific/Auckland', dstEnabled: true, rawOffset: 0, dstOffset: 0 };
const from = Date.parse('2026-11-20T11:00:00Z');
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const days = { zone, span: { from, to: from + DAY }, wide: { from: from - DAY, to: from + 2 * DAY } };
const UNITS = 600;

/** Of a valve that said so often in a day that it was open, a minute each time. */
function factsOf(id: number, times: number): PrintedFacts {
  const unit = {
    id,
    uid: `unit-${id}`,
    name: `U${id}`,
    serial: '',
    isPart: false,
    isOutOfService: false,
    groupIds: [],
    wanted: [],
  };
  const runs = Array.from({ length: times }, (_, index): RunRow => {
    const openedAt = from + 10 * index * MINUTE;
    const until = openedAt + MINUTE;
    return {
      unit: unit.uid,
      openedAt,
      openedHow: 'said',
      openUntil: until,
      closedAt: until,
      closedHow: 'said',
      lps: 1,
      mmPerMin: 0.1,
      isPart: false,
    };
  });
  return {
    print: `${id}`,
    facts: { unit, held: [], sends: [], groupings: [], runs, openings: [], clock: null },
  };
}

/** How many sprinklers were read for a second look, and how many are shown in it. */
async function readAgain(times: number): Promise<[number, number]> {
  const units = Array.from({ length: UNITS }, (_, id) => factsOf(id, times));
  let read = 0;
  const repo: Pick<DiaryFactsRepo, 'facts' | 'prints'> = {
    prints: async () => new Map(units.map(({ print }, id) => [id, print])),
    async facts(_, ids) {
      const asked = units.flatMap((one, id) =>
        ids === null || ids.includes(id) ? [[id, one] as const] : [],
      );
      read += asked.length;
      return new Map(asked);
    },
  };
  const diaries = createUnitDiaries(repo);
  await diaries(1, null, days, from + 3 * DAY);
  read = 0;
  const shown = await diaries(1, null, days, from + 3 * DAY);
  return [read, shown.length];
}

it('keeps the days of sprinklers that water as sprinklers do', async () => {
  expect(await readAgain(2)).toEqual([0, UNITS]);
});

it('keeps no days of valves that chatter so much that their runs would fill the memory', async () => {
  expect(await readAgain(100)).toEqual([UNITS, UNITS]);
});
