import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { DiaryLog, DiaryPage } from '@headrace/contract/irr-diary';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import type { Timeline } from '@headrace/contract/timeline';
import { buildGroup } from '../../testing/irrigation-factories.ts';
import { simulateFarm } from '../../testing/simulated-farm.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** A schedule from its template to the morning after, with the simulator's sprinklers on a clock of their own. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());

const UNITS = 300;
const GROUPS = 12;
const EACH = UNITS / GROUPS;

async function ask<T>(key: string, body: object, status = 200): Promise<T> {
  const headers = await kit.server.signIn(driver.owner);
  const isQuery = key.startsWith('GET ');
  const all = { farmUID: driver.farm.uid, ...body };
  const reply = await kit.server.call(key, { headers, ...(isQuery ? { query: all } : { body: all }) });
  expect(reply.statusCode, reply.body).toBe(status);
  return reply.json<T>();
}
const standing = async (setUID: string) =>
  (await ask<{ sets: SetSummary[] }>('GET /schedules/sets', {})).sets.find(({ _id }) => _id === setUID)
    ?.standing;
const unitsBy = async (state: 'done' | 'cancelled', commandId: string) =>
  (await ask<{ unitStates: Record<string, number> }>('GET /command', { commandId })).unitStates[state] ?? 0;

async function lastNight(day: string): Promise<DiaryLog[]> {
  const logs: DiaryLog[] = [];
  let after: string | null = null;
  do {
    const page: DiaryPage = await ask('GET /irr-diary-logs', {
      start: day,
      stop: day,
      ...(after && { after }),
    });
    logs.push(...page.logs);
    after = page.next;
  } while (after);
  return logs;
}

it('is designed, mended, previewed, sent, taken back half-way, sent again, and told the morning after', {
  timeout: 240_000,
}, async () => {
  // Noon of 21 November in New Zealand.
  kit.clock.now = new Date('2026-11-20T23:00:00Z');
  driver = await kit.farm({ units: UNITS });
  const groups: { uid: string }[] = [];
  for (let group = 0; group < GROUPS; group += 1)
    groups.push({
      uid: await buildGroup(
        kit.server.database.db,
        driver.farm.id,
        `Block ${group + 1}`,
        driver.units.slice(group * EACH, (group + 1) * EACH),
      ),
    });
  let unheard = '';
  const farm = simulateFarm(kit, driver, {
    isHeard: ({ mac }) => mac !== unheard,
    onMinute: () => undefined,
  });
  await driver.hello();
  await farm.talk(10);

  // Five sprinklers at a time in ten hours of the night: 300 × 28 min are 28 h.
  const design = {
    name: 'Night',
    groups,
    settings: { duration: 28 },
    windy: false,
    leveling: false,
    startMin: 21 * 60,
    limits: { maxLps: 20, windows: [{ fromMin: 21 * 60, toMin: 7 * 60 }], avoid: [] },
  };
  const template = await ask<{ _id: string; version: number }>('POST /schedule-template', design);
  const refused = await ask<{ errorMessage: string }>('POST /schedule-template/compute', design, 400);
  expect(refused.errorMessage).toMatch(/^The plan does not fit into the limits/);
  const mended = { ...design, settings: { duration: 10 } };
  const { version } = await ask<{ version: number }>('PUT /schedule-template', { ...mended, ...template });
  const computed = await ask<object>('POST /schedule-template/compute', {
    ...mended,
    templateUID: template._id,
    templateVersion: version,
  });
  const set = await ask<SetSummary>('POST /schedules/create', computed);
  expect([set.figures?.units, set.settings.cycleLen, set.isByHand]).toEqual([UNITS, 1440, false]);

  // From noon to noon, as if all held it.
  const span = { from: '2026-11-20T23:00:00Z', to: '2026-11-21T23:00:00Z' };
  const preview = await ask<Timeline>('GET /schedules/timeline', { ...span, setUID: set._id });
  // Some were not heard yet: they are not sure.
  expect(preview.lines.reduce((sum, { turns }) => sum + turns.will + turns.unsure, 0)).toBe(UNITS);
  expect(Math.max(...preview.flow.planned)).toBe(20);
  expect(await standing(set._id)).toBeNull();

  const send = async () =>
    (
      await ask<{ commandId: string }>('POST /commands/send', {
        type: commandTypes.SendScheduleSet,
        name: '-',
        mac: '-',
        serialNumber: '-',
        payload: { setUID: set._id },
      })
    ).commandId;
  const first = await send();
  await farm.talk(200);
  const body = { commandId: first, type: commandTypes.SendScheduleSet };
  await ask('POST /commands/cancel', body);
  await farm.talk(240);
  const reached = await unitsBy('done', first);
  expect([reached > 50, reached < 250]).toEqual([true, true]);
  expect(await unitsBy('cancelled', first)).toBeGreaterThan(50);
  const back = await ask<{ commandId: string }>('POST /commands/go-back', body);
  await farm.talk(reached * 3 + 60);
  expect(await unitsBy('done', back.commandId)).toBe(reached);
  // Nothing waters by it.
  const none = await ask<Timeline>('GET /schedules/timeline', span);
  expect(none.lines.reduce((sum, { turns }) => sum + turns.will + turns.unsure, 0)).toBe(0);

  const again = await send();
  await farm.talk(UNITS * 3);
  const silent = UNITS - (await unitsBy('done', again));
  // The simulator's two that are never heard.
  expect(silent).toBe(2);
  expect(await standing(set._id)).toMatchObject({ total: UNITS, holding: UNITS - 2, otherwise: 0 });

  // One is inhibited in the evening, and one goes dumb; two were never heard.
  const [inhibited, dumb] = [driver.units[1], driver.units[2]];
  await ask('POST /commands/send', {
    type: commandTypes.Inhibit,
    name: inhibited?.name,
    mac: inhibited?.mac,
    serialNumber: inhibited?.serial_number,
  });
  await farm.talk(30);
  unheard = dumb?.mac ?? '';
  // To 08:00.
  await farm.run(Math.round((Date.parse('2026-11-21T19:00:00Z') - kit.clock.now.getTime()) / 60_000));
  farm.stop();

  const logs = [...(await lastNight('21-11-2026')), ...(await lastNight('22-11-2026'))];
  const told = new Map(
    logs.map((log) => [log.sprinkler, [log.outcome, ...log.reasons.map(({ code }) => code)].join(' ')]),
  );
  expect(told.get(inhibited?.name ?? '')).toBe('missed inhibited');
  expect(told.get(dumb?.name ?? '')).toBe('not known notHeard');
  // They were sent it and never answered: what they hold, nobody knows.
  const unknown = logs.filter(
    ({ outcome, reasons }) => outcome === 'not known' && reasons[0]?.code === 'heldUnknown',
  );
  expect(unknown.map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
    ['heldUnknown', 'notHeard'],
    ['heldUnknown', 'notHeard'],
  ]);
  const outcomes = [...told.values()];
  expect(outcomes.filter((one) => one.startsWith('watered'))).toHaveLength(UNITS - 4);
  // Ten minutes at 4 L/s.
  const sure = logs.find(({ outcome, reasons }) => outcome === 'watered' && reasons.length === 0);
  expect([sure?.minutes, sure?.volume]).toEqual([10, 2400]);
});
