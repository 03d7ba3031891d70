import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { demoFarms } from '@headrace/demo/demo-farms';
import type { FarmProfile } from '@headrace/demo/profile';
import { createFarmModel } from './farm-model.ts';
import { unitHistory } from './history.ts';
import { afternoon, command, type Field, hour, inc, liveField, minute, unitNamed } from './testing/field.ts';

const dayMs = 24 * hour;
const waihao = demoFarms()[1] as FarmProfile;
const macOf = (name: string) =>
  [...waihao.sprinklers, ...waihao.repeaters].find((one) => one.name === name)?.mac ?? '';
/** The repeater and those that are heard over it alone. */
const cutOff = ['RP5', 'O03', 'O04', 'O05', 'O06', 'O07', 'O08'];

/** What its sprinklers and repeaters said in three days. */
const saidOf = (profile: FarmProfile) =>
  unitHistory(createFarmModel(profile, 1), {
    from: afternoon - 3 * dayMs,
    to: afternoon,
    end: afternoon,
  }).flatMap(({ ipcs, repeaters }): { mac: string; at: string; valve?: string }[] => [...ipcs, ...repeaters]);
const timesOf = (said: ReturnType<typeof saidOf>, mac: string) =>
  said.flatMap((item) => (item.mac === mac ? Date.parse(item.at) : []));

let field: Field | null = null;
const awake = (profile?: FarmProfile) => (field = liveField({ ...(profile && { profile }) }));
beforeEach(() => {
  vi.useFakeTimers({ now: afternoon });
});
afterEach(() => {
  field?.stop();
  expect(field?.faults ?? []).toEqual([]);
  field = null;
  vi.useRealTimers();
});

describe('what always is wrong on the farms of the demo', () => {
  it('a repeater that is down, and the units behind it: last heard two days ago', () => {
    const said = saidOf(waihao);
    const lastOf = (name: string) => afternoon - Math.max(...timesOf(said, macOf(name)));
    for (const name of cutOff) {
      expect(lastOf(name)).toBeGreaterThanOrEqual(2 * dayMs);
      expect(lastOf(name)).toBeLessThan(3 * dayMs);
    }
    expect(lastOf('O09')).toBeLessThan(dayMs);
  });

  it('they say nothing while it lives, and answer nobody', async () => {
    const { run, ipcs, said, tell, acks } = awake(waihao);
    await run(7 * hour);
    for (const name of cutOff.slice(1)) expect(ipcs(macOf(name))).toEqual([]);
    const repeaters = said.flatMap(({ message }) => (message.kind === 'repeater' ? message.items : []));
    expect(repeaters.map(({ mac }) => mac)).not.toContain(macOf('RP5'));
    expect(repeaters.map(({ mac }) => mac)).toContain(macOf('RP4'));
    const gateway = waihao.gateways[0]?.mac ?? '';
    tell(gateway, 'cmd', command('poll', 1, { mac: macOf('O03') }));
    await run(minute);
    expect(acks('poll').at(-1)).toMatchObject({ state: 'failed' });
  });

  it('a valve that nobody hears to close, night after night', async () => {
    const [rakaia] = demoFarms();
    const valves = saidOf(rakaia as FarmProfile).filter(({ mac }) => mac === unitNamed('B04'));
    expect(valves.filter(({ valve }) => valve === 'open').length).toBeGreaterThanOrEqual(2);
    const { run, ipcs } = awake();
    await run(dayMs);
    const live = ipcs(unitNamed('B04'));
    expect(live.some(({ valve }) => valve === 'open')).toBe(true);
    expect([...valves, ...live].filter(({ valve }) => valve === 'closed')).toEqual([]);
    // The pod beside it waters by the same plan, and is heard to be closed.
    expect(ipcs(unitNamed('B05')).some(({ valve }) => valve === 'closed')).toBe(true);
  });

  it('a valve that nobody hears to close answers an Off', async () => {
    const { run, tell, acks } = awake();
    await run(minute);
    tell(inc, 'cmd', command('off', 3, { mac: unitNamed('B04') }));
    await run(minute);
    expect(acks('off').at(-1)).toMatchObject({ state: 'done' });
  });

  it('a spare with a flat battery, beside one that is ready', async () => {
    const { run, ipcs } = awake();
    await run(2 * minute);
    const charge = (name: string) => ipcs(unitNamed(name)).at(-1)?.charge ?? 0;
    expect(charge('SP1')).toBeGreaterThanOrEqual(70);
    expect(charge('SP2')).toBeLessThan(70);
  });
});
