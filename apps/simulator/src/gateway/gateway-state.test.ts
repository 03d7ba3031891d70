import { demoFarms } from '@headrace/demo/demo-farms';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';
import { freshGateway, type GatewayState, wakeGateway } from './gateway-state.ts';

const { command, inc, minute, second, unitNamed } = world;
const [a01, a02] = [unitNamed('A01'), unitNamed('A02')];

beforeEach(() => {
  vi.useFakeTimers({ now: world.afternoon });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a gateway kept by a version that knew no lanes goes on with what was left', async () => {
  const one = world.liveField();
  const entries = [{ start: 60, duration: 30, cycle: 2 }];
  const units = [{ mac: a02, crc: '12:34', entries }];
  one.tell(inc, 'cmd', command('poll', 1, { mac: a01 }));
  one.tell(inc, 'schedules', { setId: 's', rev: 1, part: 1, parts: 1, units });
  one.tell(inc, 'cmd', command('off', 3, { mac: a02 }));
  one.tell(inc, 'schedules', { setId: 's', rev: 2, part: 1, parts: 1, units });
  await one.run(second);
  one.stop();
  const kept = JSON.parse(
    JSON.stringify(one.kept(), (key: string, value: unknown) =>
      ['lane', 'cycleLength', 'newestRevs', 'stopSeqs'].includes(key) ? undefined : value,
    ),
  ) as ReturnType<typeof one.kept>;
  const again = world.liveField({ state: kept });
  await again.run(minute);
  for (const cmdId of ['poll', 'off', 'set-2']) expect(again.acks(cmdId).at(-1)?.state).toBe('done');
  expect(again.ipcs(a02).at(-1)).toMatchObject({ ipcCrc: '12:34', cycleLen: 2 });
  again.stop();
});

it('one that was never kept begins fresh', () => {
  const [farm] = demoFarms();
  const [gateway] = farm?.gateways ?? [];
  if (!farm || !gateway) throw new Error('no farm');
  const fresh: GatewayState = freshGateway(farm, gateway, 0);
  expect(wakeGateway(undefined, fresh)).toBe(fresh);
});
