import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceRow } from '../../db/schema.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildDevice, buildGateway, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { noteListening } from '../device-connections/listening.ts';

let server: TestServer;
let world: FarmWorld;
let gateway: DeviceRow;
const START = Date.parse('2026-11-20T21:00:00Z');
const MINUTE = 60_000;

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
  // It has been up for long: no device gets time for our own start.
  server.clock.now = new Date(START - 86_400_000);
  await server.runJob('alerts');
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.now = new Date(START);
  await db().deleteFrom('listening').execute();
  await db().deleteFrom('alert_rule').execute();
  world = await buildFarmWorld(server);
  gateway = await buildGateway(db(), world.farm.id);
  await db().updateTable('device').set({ name: 'Home shed' }).where('id', '=', gateway.id).execute();
  await db()
    .insertInto('gateway_state')
    .values({ farm_id: world.farm.id, device_id: gateway.id, online: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await isOnline(true, -600);
});

const db = () => server.database.db;
const at = (minute: number) => new Date(START + minute * MINUTE);
const isOnline = (online: boolean, minute: number) =>
  db()
    .updateTable('gateway_state')
    .set({ online, state_at: at(minute), contact_at: at(minute) })
    .where('device_id', '=', gateway.id)
    .execute();
const silence = (watch: 'gateway' | 'sprinkler' | 'tank' | 'sensor', minutes: number | null = null) =>
  buildRule(db(), world.farm.id, {
    kind: 'OutOfContact',
    name: `Silent ${watch}`,
    watch,
    condition: 'longer than',
    value: minutes,
    hold_min: 0,
  });

async function look(minute: number, of: TestServer = server): Promise<void> {
  of.clock.now = at(minute);
  of.committed(new Set([world.farm.id]));
  await of.runJob('alerts');
}
async function lookEach(from: number, to: number, step = 1): Promise<void> {
  for (let minute = from; minute <= to; minute += step) await look(minute);
}

/** Sessions end; days pass here. */
const bell = async (account = world.owner) =>
  (await server.call('GET /notifications', { headers: await server.signIn(account) }))
    .json<{ list: { message: string }[] }>()
    .list.map(({ message }) => message)
    .toReversed();

/** Sprinklers behind the gateway, each heard at that minute. */
async function buildUnits(count: number, heard: number): Promise<void> {
  await sql`with made as (
      insert into device (farm_id, uid, kind, name, mac, serial_number, gateway_id)
      select ${world.farm.id}, substr(md5(${world.farm.uid} || n), 1, 24), 'sprinkler', 'A' || n,
        upper(substr(md5(${world.farm.uid} || n), 1, 16)), 'S' || n, ${gateway.id} from generate_series(1, ${count}::int) n
      returning farm_id, id),
    kept as (insert into series (farm_id, device_id, metric) select farm_id, id, 'charge' from made returning farm_id, id)
    insert into latest (farm_id, series_id, at, value) select farm_id, id, ${at(heard)}, 80 from kept`.execute(
    db(),
  );
}
const unitsHeard = (minute: number, butNot: readonly string[] = []) =>
  sql`update latest l set at = ${at(minute)} from series s join device d on d.farm_id = s.farm_id and d.id = s.device_id
    where l.farm_id = ${world.farm.id} and s.farm_id = l.farm_id and s.id = l.series_id and d.kind = 'sprinkler'
      and not d.name = any(${[...butNot]}::text[])`.execute(db());

async function buildTanks(names: readonly string[], values: object = { gateway_id: gateway.id }) {
  const tanks: DeviceRow[] = [];
  for (const name of names) {
    const tank = await buildTank(db(), world.farm.id, { name });
    await db().updateTable('device').set(values).where('id', '=', tank.id).execute();
    tanks.push(tank);
  }
  return tanks;
}
const heard = async (tanks: readonly DeviceRow[], minute: number) => {
  for (const tank of tanks)
    await world.record(tank, [{ at: at(minute).toISOString(), values: { levelMm: 1500 } }]);
};

describe('a gateway with a thousand sprinklers', () => {
  const GONE =
    'Gateway Home shed is offline since 10:05. 1000 devices are behind it: 1000 sprinklers. Check its power and its aerial.';

  it('that dies is one message to a person, and on its return one more that names only those that stayed away', async () => {
    const agent = await buildAccount(db(), { type: 'AGENT', name: 'Mere' });
    await buildShare(db(), world.farm.id, agent.id);
    await silence('gateway');
    await silence('sprinkler', 60);
    await buildUnits(1000, 0);
    await isOnline(false, 5);
    await lookEach(5, 125, 40);
    expect(await bell()).toEqual([GONE]);
    expect(await bell(agent)).toEqual([GONE]);
    await isOnline(true, 130);
    await unitsHeard(135, ['A7', 'A12', 'A900']);
    await lookEach(130, 161, 31);
    expect(await bell()).toEqual([
      GONE,
      'Home shed is back since 12:10. 3 of 1000 behind it are not: A7, A12 and A900. Check its power and its aerial.',
    ]);
    await unitsHeard(171);
    await lookEach(172, 180, 8);
    expect(await bell()).toHaveLength(3);
  }, 120_000);

  it('that comes back with all of them is told as over, once they had time to be heard', async () => {
    await silence('gateway');
    await silence('sprinkler', 60);
    await buildUnits(20, 0);
    await isOnline(false, 5);
    await lookEach(5, 100, 5);
    await isOnline(true, 100);
    await unitsHeard(110);
    await lookEach(100, 125, 5);
    expect(await bell()).toHaveLength(1);
    const open = (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json().open;
    expect(open[0].message).toContain('It is over since 11:40, if it stays so.');
    await lookEach(130, 140, 5);
    expect((await bell()).slice(1)).toEqual(['Home shed: it ended at 11:40 after 1 hour, 35 minutes.']);
  });
});

describe('a device behind a gateway', () => {
  it('that was silent for too long before is told by itself, and its end too', async () => {
    await silence('gateway');
    await silence('tank');
    const [one] = await buildTanks(['Trough 1']);
    if (!one) throw new Error('no tank');
    await heard([one], -200);
    await look(0);
    expect(await bell()).toEqual([expect.stringContaining('Trough 1 has not been heard since 06:40.')]);
    await isOnline(false, 5);
    await lookEach(5, 30, 5);
    expect(await bell()).toHaveLength(2);
  });

  it('with a shorter limit than its gateway’s waits for it', async () => {
    await silence('gateway');
    await silence('tank', 5);
    await heard(await buildTanks(['Trough 1', 'Trough 2']), 0);
    await isOnline(false, 1);
    await lookEach(1, 30);
    expect(await bell()).toEqual([
      'Gateway Home shed is offline since 10:01. 2 devices are behind it: 2 tanks. Check its power and its aerial.',
    ]);
  });

  it('of which the gateway is watched by no alert: the gateway is told, once, by one of those that watch what is behind it', async () => {
    await silence('tank', 60);
    await silence('sensor', 60);
    const tanks = await buildTanks(['Trough 1', 'Trough 2', 'Trough 3']);
    await heard(tanks, 0);
    await isOnline(false, 5);
    await lookEach(5, 120, 5);
    expect(await bell()).toEqual([
      expect.stringContaining('Gateway Home shed is offline since 10:05. 3 devices'),
    ]);
    await isOnline(true, 120);
    await heard(tanks, 125);
    await lookEach(125, 160, 5);
    expect((await bell()).slice(1)).toEqual([expect.stringMatching(/^Home shed: it ended/)]);
  });

  it('is told by its gateway where that is out of service, though an alert watches gateways', async () => {
    await silence('gateway');
    await silence('tank', 60);
    await heard(await buildTanks(['Trough 1', 'Trough 2']), 0);
    await db()
      .updateTable('device')
      .set({ settings: JSON.stringify({ outOfService: true }) })
      .where('id', '=', gateway.id)
      .execute();
    await isOnline(false, 5);
    await lookEach(5, 120, 5);
    expect(await bell()).toEqual([
      expect.stringContaining('Gateway Home shed is offline since 10:05. 2 devices'),
    ]);
  });

  it('that falls silent as its gateway, watched by no alert, is away for a few minutes is told by neither', async () => {
    await silence('tank', 60);
    const tanks = await buildTanks(['Trough 1']);
    await heard(tanks, 0);
    await isOnline(false, 59);
    for (const minute of [59, 61, 65]) await look(minute);
    await isOnline(true, 66);
    await heard(tanks, 67);
    await lookEach(66, 120, 6);
    expect(await bell()).toEqual([]);
  });

  it('of which the gateway comes and goes every few minutes for hours is told as silent all the same', async () => {
    await silence('tank', 60);
    const [quiet] = await buildTanks(['Trough 1']);
    if (!quiet) throw new Error('no tank');
    await heard([quiet], 0);
    for (let minute = 5; minute < 180; minute += 8) {
      await isOnline(false, minute);
      await look(minute);
      await isOnline(true, minute + 4);
      await look(minute + 4);
    }
    expect(await bell()).toEqual([expect.stringContaining('Trough 1 has not been heard since 10:00.')]);
  });
});

it('sprinklers behind a repeater that fell silent are told as that repeater', async () => {
  await silence('sprinkler', 60 * 40);
  await buildUnits(5, 0);
  const repeater = await buildDevice(db(), world.farm.id, 'repeater', { name: 'Hill' });
  await sql`insert into device_fact (farm_id, device_id, name, at, value)
    select farm_id, id, 'via', ${at(0)}, ${repeater.mac} from device
    where farm_id = ${world.farm.id} and kind = 'sprinkler'`.execute(db());
  await world.record(repeater, [{ at: at(-60).toISOString(), values: { charge: 80 } }]);
  await db()
    .updateTable('gateway_state')
    .set({ contact_at: at(60 * 40) })
    .where('device_id', '=', gateway.id)
    .execute();
  await look(60 * 40 + 1);
  expect(await bell()).toEqual([
    expect.stringContaining(
      'Hill has not been heard since Sat 21 Nov, 10:00. 5 devices are behind it: 5 sprinklers.',
    ),
  ]);
});

it('sensors of a network server that fell silent together are told as that server', async () => {
  await silence('tank');
  const { id } = await db()
    .insertInto('integration_key')
    .values({
      farm_id: world.farm.id,
      uid: world.farm.uid,
      name: 'TTN',
      user_name: `u${world.farm.id}`,
      key_hash: Buffer.alloc(32, world.farm.id),
      broker_hash: null,
      last_used_at: null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const tanks = await buildTanks(['Trough 1', 'Trough 2', 'Trough 3'], { gateway_id: null });
  for (const [index, tank] of tanks.entries()) {
    await heard([tank], index * 10);
    await db()
      .insertInto('uplink')
      .values({
        farm_id: world.farm.id,
        device_id: tank.id,
        at: at(index * 10),
        received_at: at(index * 10),
        topic: 't',
        key_id: id,
        digest: Buffer.alloc(32),
        payload: Buffer.alloc(1),
      })
      .execute();
  }
  await lookEach(30, 300, 5);
  expect(await bell()).toEqual([
    'Nothing has come from the network server TTN since 10:20. 3 devices are behind it: 3 tanks. See whether it runs, and whether it still reaches Headrace.',
  ]);
  await heard(tanks, 300);
  await lookEach(301, 340, 3);
  expect((await bell()).slice(1)).toEqual([expect.stringMatching(/^TTN: it ended at 15:00/)]);
}, 90_000);

it('devices that fall silent one after the other within ten minutes are one incident', async () => {
  await silence('tank', 60);
  const tanks = await buildTanks(['Trough 1', 'Trough 2', 'Trough 3']);
  for (const [index, tank] of tanks.entries()) await heard([tank], index * 3);
  await isOnline(true, 60);
  await lookEach(60, 80);
  const { open } = (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json();
  expect(open.map(({ count }: { count: number }) => count)).toEqual([3]);
});

describe('an outage of our own', () => {
  it('of an hour is told to no farmer, and stands on the page', async () => {
    await silence('gateway');
    await silence('tank', 30);
    const tanks = await buildTanks(['Trough 1', 'Trough 2']);
    await noteListening(db(), at(-30));
    for (let minute = -30; minute <= 0; minute += 1) await noteListening(db(), at(minute));
    await heard(tanks, -5);
    await look(0);
    // After our start the broker knows of no gateway, until each has come back.
    await db()
      .updateTable('gateway_state')
      .set({ online: false })
      .where('device_id', '=', gateway.id)
      .execute();
    await look(60);
    await noteListening(db(), at(60));
    await look(61);
    await isOnline(true, 62);
    await lookEach(62, 70);
    await heard(tanks, 70);
    for (let minute = 61; minute <= 95; minute += 1) await noteListening(db(), at(minute));
    await lookEach(71, 95);
    expect(await bell()).toEqual([]);
    const { outages } = (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json();
    expect(outages).toEqual([
      {
        from: at(0).toISOString(),
        to: at(60).toISOString(),
        sentence:
          'Headrace did not listen from 10:00 to 11:00: what devices said meanwhile may be missing, and none was called silent for it.',
      },
    ]);
  });

  it('doesn’t hide for ever what stayed away after it', async () => {
    await silence('tank', 30);
    const tanks = await buildTanks(['Trough 1']);
    await noteListening(db(), at(0));
    await heard(tanks, -5);
    for (let minute = 60; minute <= 95; minute += 1) {
      await noteListening(db(), at(minute));
      await look(minute);
    }
    expect(await bell()).toEqual([expect.stringContaining('Trough 1 has not been heard since 09:55.')]);
  });
});

it('more than ten alerts that begin within ten minutes are told as one, and what is urgent besides', async () => {
  const tank = await buildTank(db(), world.farm.id, {
    name: 'Trough 9',
    settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
  });
  await world.record(tank, [{ at: at(0).toISOString(), values: { levelMm: 150 } }]);
  for (let index = 0; index < 14; index += 1) await buildRule(db(), world.farm.id, { hold_min: 0 });
  await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent', value: 16 });
  await look(0);
  const told = await bell();
  expect(told).toHaveLength(2);
  expect(told[0]).toMatch(/^15 alerts began within 10 minutes: 15 tank low\./);
  expect(told[1]).toMatch(/^Trough 9 is at 15 %, below 16 %/);
  const { open } = (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json();
  expect(open).toHaveLength(15);
});

it('a flood is over when little began before the next one, which is told as the first was', async () => {
  const tank = await buildTank(db(), world.farm.id, {
    name: 'Trough 9',
    settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
  });
  const burst = async (minute: number, count: number) => {
    await world.record(tank, [{ at: at(minute).toISOString(), values: { levelMm: 150 } }]);
    for (let index = 0; index < count; index += 1) await buildRule(db(), world.farm.id, { hold_min: 0 });
    await look(minute);
  };
  // Rules are read anew after half a minute.
  await burst(10, 14);
  await burst(15, 12);
  expect(await bell()).toEqual([expect.stringMatching(/^14 alerts began within 10 minutes/)]);
  await burst(70, 12);
  expect((await bell()).slice(1)).toEqual([expect.stringMatching(/^12 alerts began within 10 minutes/)]);
  await burst(130, 1);
  expect((await bell()).slice(2)).toEqual([expect.stringMatching(/^Trough 9 is at 15 %, below 20 %/)]);
});

it('a healthy farm is told nothing in seven days', async () => {
  for (const watch of ['gateway', 'sprinkler', 'tank'] as const) await silence(watch);
  for (const kind of ['TankLow', 'TankLeak', 'ValveOpen', 'SprinklerError', 'LowBattery'] as const)
    await buildRule(db(), world.farm.id, {
      kind,
      condition: kind === 'TankLow' ? 'below' : 'any',
      value: kind === 'TankLow' ? 20 : null,
    });
  const tanks = await buildTanks(['Trough 1', 'Trough 2']);
  await buildUnits(10, 0);
  const HOURS = 7 * 24;
  for (let hour = 0; hour < HOURS; hour += 2) {
    const minute = hour * 60;
    // By the farm's clock stock drink from six to eight in the evening, then it is filled. A sensor misses a word now and then.
    const drunk = Math.min(14, Math.max(0, ((hour + 10) % 24) - 6)) % 14;
    for (const [index, tank] of tanks.entries())
      if ((hour + index) % 5 !== 0)
        await world.record(tank, [
          { at: at(minute).toISOString(), values: { levelMm: 1500 - 30 * drunk, batteryV: 3.9 } },
        ]);
    if (hour % 6 === 0) await unitsHeard(minute);
    await isOnline(true, minute);
    await look(minute + 1);
  }
  expect(await bell()).toEqual([]);
}, 120_000);
