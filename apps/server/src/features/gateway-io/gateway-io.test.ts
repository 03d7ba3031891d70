import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayMonitor, IoSettings } from '@headrace/contract/gateway-io';
import { defaultIoSettings } from '@headrace/contract/rules/io-settings';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildTank } from '../../testing/factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import { eventually, pause } from '../commands/testing/eventually.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

let kit: CommandsKit;
let driver: FarmDriver;
/** 2,500 mm are full, and the sensor sits 500 mm over the floor. */
let tank: DeviceRow;

beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(async () => {
  await kit.close();
  expect(kit.problems).toEqual([]);
});
beforeEach(async () => {
  driver = await kit.farm();
  tank = await buildTank(kit.server.database.db, driver.farm.id, { name: 'House' });
});

const at = () => kit.clock.now.toISOString();
const monitor = async () =>
  (
    await kit.server.call('GET /gateway/monitor', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid },
    })
  ).json<GatewayMonitor>();
const save = (relay5: object = {}, more: Partial<IoSettings> = {}) => {
  const settings = defaultIoSettings();
  return kit.server.call('POST /gateway/iosettings', {
    headers: driver.headers,
    body: {
      farmUID: driver.farm.uid,
      ioSettings: { ...settings, relay5: { title: 'Trough pump', ...relay5 }, ...more },
    },
  });
};
const bind = (more: object = {}) => save({ binding: tank.uid, maxOnTime: 10, ...more });
const sentSettings = () => driver.messages('io-settings');
const lastRelay = () => (sentSettings().at(-1)?.body['relays'] as object[] | undefined)?.[4];
const level = (levelMm: number | null, more: object = {}) =>
  driver.says('sensor', { items: [{ mac: tank.mac, at: at(), values: { levelMm, ...more } }] });
const off = Array.from({ length: 6 }, () => false);

describe('what a gateway says of its inputs and relays', () => {
  it('is null for a farm that has none', async () => {
    const owner = await buildAccount(kit.server.database.db);
    const farm = await buildFarm(kit.server.database.db, owner.id);
    const reply = await kit.server.call('GET /gateway/monitor', {
      headers: await kit.server.signIn(owner),
      query: { farmUID: farm.uid },
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toBeNull();
  });

  it('is unknown before it was contacted, with the titles that everyone begins with', async () => {
    const found = await monitor();
    expect(found).toMatchObject({
      mac: driver.gateway.mac,
      state: null,
      statusTime: null,
      settingsTaken: true,
    });
    expect(found.ioSettings.input1).toEqual({ title: 'Input 1' });
    expect(found.ioSettings.relay6).toEqual({
      title: 'Relay 6',
      binding: null,
      maxOnTime: 0,
      overriddenAt: null,
    });
    expect(found.tanks).toEqual([{ _id: tank.uid, name: 'House', level: null, invalid: false }]);
  });

  it('is what up/io told last', async () => {
    await driver.says('io', {
      at: at(),
      inputs: [true, false, false, false, false, true],
      relays: [false, true, false, false, false, false],
    });
    const found = await monitor();
    expect(found.statusTime).toBe(at());
    expect(found.state).toMatchObject({
      input1: true,
      input2: false,
      input6: true,
      relay1: false,
      relay2: true,
    });
  });

  it('is asked for by a MAC address that the farm has', async () => {
    const ask = (mac: string) =>
      kit.server.call('GET /gateway/monitor', {
        headers: driver.headers,
        query: { farmUID: driver.farm.uid, mac },
      });
    expect((await ask(driver.gateway.mac?.toLowerCase() ?? '')).statusCode).toBe(200);
    const other = await kit.farm();
    expect((await ask(other.gateway.mac ?? '')).statusCode).toBe(404);
  });

  it('has levels only where they are known now', async () => {
    await level(1000);
    // (500 + 1000) / 2500
    expect((await monitor()).tanks[0]).toMatchObject({ level: 60, invalid: false });
    await driver.says('sensor', {
      items: [
        { mac: tank.mac, at: new Date(kit.clock.now.getTime() + 1).toISOString(), values: { levelMm: null } },
      ],
    });
    expect((await monitor()).tanks[0]).toMatchObject({ level: null, invalid: true });
    kit.pass(1);
    await level(1000);
    kit.pass(181);
    expect((await monitor()).tanks[0]).toMatchObject({ level: null, invalid: false });
  });
});

describe('settings of inputs and relays', () => {
  it('go to the gateway in mm of the bound sensor, and are taken when it says so', async () => {
    const reply = await bind();
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      settingsTaken: false,
      ioSettings: { relay5: { title: 'Trough pump', binding: tank.uid, maxOnTime: 10, overriddenAt: null } },
    });
    await eventually(() => sentSettings().length === 1);
    expect(sentSettings()[0]?.body).toMatchObject({ rev: 1 });
    // Below 20 % is below what the sensor sees (2500 × 0.2 - 500 = 0): at its zero. 2500 × 0.95 - 500.
    expect(lastRelay()).toEqual({
      relay: 5,
      sensorMac: tank.mac,
      onAtOrBelowMm: 0,
      offAtOrAboveMm: 1875,
      maxOnMinutes: 10,
      overriddenAt: null,
    });
    await driver.answers('io-1', 'done');
    expect((await monitor()).settingsTaken).toBe(true);
    expect(
      kit.events.some(
        ({ frame }) =>
          frame.type === 'status_update' && frame.data.type === 'io' && frame.data.uid === driver.gateway.uid,
      ),
    ).toBe(true);
    const log = await kit.server.database.db
      .selectFrom('change_log')
      .select(['kind', 'what', 'fields'])
      .where('farm_id', '=', driver.farm.id)
      .execute();
    expect(log).toEqual([
      {
        kind: 'gateway',
        what: 'changed',
        fields: [
          { field: 'relay5.title', from: 'Relay 5', to: 'Trough pump' },
          { field: 'relay5.binding', from: null, to: 'House' },
          { field: 'relay5.maxOnTime', from: 0, to: 10 },
        ],
      },
    ]);
  });

  it('are not taken by a number that was never given out, nor by a refusal', async () => {
    await bind();
    await driver.answers('io-7', 'done');
    await driver.answers('io-1', 'failed', { error: 'no relays' });
    expect((await monitor()).settingsTaken).toBe(false);
  });

  it.each([
    [{ title: '' }, 'relay5.title', 'The label of Relay 5 is required.'],
    [{ title: 'Thirteen char' }, 'relay5.title', 'The label of Relay 5 can have at most 12 characters.'],
    [
      { title: 'x', maxOnTime: 31 },
      'relay5.maxOnTime',
      'The max on time of Relay 5 must be a whole number from 0 to 30 minutes (0: no limit).',
    ],
    [
      { title: 'x', binding: 'e'.repeat(24) },
      'relay5.binding',
      'Relay 5 can only be linked to a tank sensor of this farm.',
    ],
  ])('that are wrong are refused by field: %j', async (relay5, field, errorMessage) => {
    const reply = await save(relay5);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field, errorMessage });
    await pause();
    expect(sentSettings()).toEqual([]);
  });

  it('refuse the tank of another farm', async () => {
    const other = await kit.farm();
    const theirs = await buildTank(kit.server.database.db, other.farm.id);
    expect((await save({ binding: theirs.uid })).json()).toMatchObject({ field: 'relay5.binding' });
  });

  it('are sent anew when setpoints or the shape of the tank change, and not when nothing does', async () => {
    await bind();
    await eventually(() => sentSettings().length === 1);
    await level(800, { lowSetpoint: 40, highSetpoint: 80 });
    await kit.server.runJob('settings of gateways');
    await eventually(() => sentSettings().length === 2);
    // 2500 × 0.4 - 500
    expect(lastRelay()).toMatchObject({ onAtOrBelowMm: 500, offAtOrAboveMm: 1875 });
    await kit.server.runJob('settings of gateways');
    await pause();
    expect(sentSettings()).toHaveLength(2);
    const reply = await kit.server.call('POST /sensor/settingsupdate', {
      headers: driver.headers,
      body: { sensorUid: tank.uid, settings: { toplevel: 2000 } },
    });
    expect(reply.statusCode).toBe(200);
    await eventually(() => sentSettings().length === 3);
    // 2000 × 0.4 - 500, 2000 × 0.95 - 500
    expect(lastRelay()).toMatchObject({ onAtOrBelowMm: 300, offAtOrAboveMm: 1400 });
  });

  it('end a binding with its sensor, and the history says so', async () => {
    await bind();
    await eventually(() => sentSettings().length === 1);
    await kit.server.call('DELETE /sensor', { headers: driver.headers, query: { deviceId: tank.uid } });
    await eventually(() => sentSettings().length === 2);
    expect(lastRelay()).toEqual({ relay: 5, sensorMac: null, maxOnMinutes: 10 });
    expect((await monitor()).ioSettings.relay5.binding).toBeNull();
    const { fields } = await kit.server.database.db
      .selectFrom('change_log')
      .select('fields')
      .where('farm_id', '=', driver.farm.id)
      .where('kind', '=', 'gateway')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(fields).toEqual([{ field: 'relay5.binding', from: 'House', to: null }]);
  });

  it('are told again to a gateway that comes back', async () => {
    await bind();
    await eventually(() => sentSettings().length === 1);
    await driver.answers('io-1', 'done');
    await driver.hello();
    await eventually(() => sentSettings().length === 2);
    expect(sentSettings()[1]?.body['rev']).toBe(1);
  });

  it('wait for a gateway that is away', async () => {
    await kit.server.database.db
      .updateTable('gateway_state')
      .set({ online: false })
      .where('farm_id', '=', driver.farm.id)
      .execute();
    await bind();
    await pause();
    expect(sentSettings()).toEqual([]);
    await driver.hello();
    await eventually(() => sentSettings().length === 1);
  });
});

describe('two people at the labels of one gateway', () => {
  const saveAs = (version: number | undefined, title: string, relay5: object = {}) => {
    const settings = defaultIoSettings();
    const ioSettings = { ...settings, input6: { title }, relay5: { title: 'Trough pump', ...relay5 } };
    return kit.server.call('POST /gateway/iosettings', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, ioSettings, version },
    });
  };

  it('the second one gets what the first saved, and nothing of hers is stored over it', async () => {
    expect((await monitor()).version).toBe(0);
    const first = await saveAs(0, 'Tab one', { binding: tank.uid, maxOnTime: 10 });
    expect(first.json<GatewayMonitor>().version).toBe(1);
    const second = await saveAs(0, 'Tab two', { binding: null });
    expect(second.statusCode).toBe(409);
    const { field, current } = second.json<{ field: string; current: GatewayMonitor }>();
    expect(field).toBe('version');
    expect(current).toMatchObject({ version: 1, ioSettings: { input6: { title: 'Tab one' } } });
    const { ioSettings } = await monitor();
    expect(ioSettings.input6.title).toBe('Tab one');
    expect(ioSettings.relay5).toMatchObject({ binding: tank.uid, maxOnTime: 10 });
    expect((await saveAs(1, 'Tab two', { binding: null })).statusCode).toBe(200);
    expect(await monitor()).toMatchObject({ version: 2, ioSettings: { input6: { title: 'Tab two' } } });
  });

  it('of twenty at once one is the first', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_none, n) => saveAs(0, `Tab ${n}`)));
    const statuses = replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(409)]);
  });

  it('a program that names no version writes what it says', async () => {
    await saveAs(0, 'Tab one');
    expect((await saveAs(undefined, 'Program')).statusCode).toBe(200);
    expect(await monitor()).toMatchObject({ version: 2, ioSettings: { input6: { title: 'Program' } } });
  });

  it('a hand that switches, a level, and a save of the same are nobody else’s change; a tank that goes is', async () => {
    await bind();
    const { version } = await monitor();
    await bind({ overriddenAt: at() });
    await level(1000);
    await bind();
    expect((await monitor()).version).toBe(version);
    await kit.server.call('DELETE /sensor', { headers: driver.headers, query: { deviceId: tank.uid } });
    await expect.poll(async () => (await monitor()).version).toBe(version + 1);
  });
});

describe('an override', () => {
  const since = async () => (await monitor()).ioSettings.relay5.overriddenAt;

  it('begins by our clock, stays when others save, and ends by null', async () => {
    const begun = at();
    await bind({ overriddenAt: '2020-01-01T00:00:00Z' });
    expect(await since()).toBe(begun);
    kit.pass(3);
    await bind({ overriddenAt: '2030-01-01T00:00:00Z' });
    expect(await since()).toBe(begun);
    await bind({ title: 'Trough' });
    expect(await since()).toBe(begun);
    await bind({ overriddenAt: null });
    expect(await since()).toBeNull();
  });

  it('ends by itself when the max on time has passed, and never without one', async () => {
    await bind({ overriddenAt: at() });
    kit.pass(9);
    expect(await since()).not.toBeNull();
    kit.pass(1);
    expect(await since()).toBeNull();
    await bind({ overriddenAt: at(), maxOnTime: 0 });
    kit.pass(1000);
    expect(await since()).not.toBeNull();
  });

  it('ends with the binding', async () => {
    await bind({ overriddenAt: at() });
    await save({ binding: null, overriddenAt: at() });
    expect(await since()).toBeNull();
  });
});

describe('a relay that follows a tank, switched by hand', () => {
  const toggle = (set: boolean, more: object = {}) =>
    driver.send('ToggleIO', { mac: driver.gateway.mac, payload: { relay: 5, set, ...more } });
  const refused = async (reply: ReturnType<typeof toggle>) => {
    const { statusCode, json } = await reply;
    return [statusCode, json<{ errorMessage?: string }>().errorMessage];
  };

  it.each([
    // 1875 mm + 500 mm are 95 % of 2500 mm.
    [1875, true, 409],
    [1874, true, 200],
    [2000, false, 200],
  ])('at %s mm, on: %s, is answered with %s', async (levelMm, set, status) => {
    await bind();
    await level(levelMm);
    expect(await refused(toggle(set))).toEqual([
      status,
      status === 409 ? 'Linked tank is almost full, manual control not allowed.' : undefined,
    ]);
    await eventually(() => driver.messages('cmd').length === (status === 200 ? 1 : 0));
  });

  it('stays off where the level is not known and nothing would stop it', async () => {
    await bind({ maxOnTime: 0 });
    const text =
      'The level of the linked tank is not known, so nothing would stop this output. Please set a max on time first.';
    expect(await refused(toggle(true))).toEqual([409, text]);
    await level(1000);
    kit.pass(14);
    expect(await refused(toggle(true))).toEqual([200, undefined]);
  });

  it('goes on with an unknown level where its max on time ends it', async () => {
    await bind();
    expect((await toggle(true)).statusCode).toBe(200);
  });

  it('is a hand’s from then on by our clock, and shows what up/io says alone', async () => {
    await bind();
    await level(1000);
    await driver.says('io', { at: at(), inputs: off, relays: off });
    await toggle(true, { overriddenAt: '2020-01-01T00:00:00Z' });
    const command = await eventually(() => driver.messages('cmd')[0]);
    expect(command.body['payload']).toEqual({ relay: 5, set: true, overriddenAt: at() });
    const found = await monitor();
    expect(found.ioSettings.relay5.overriddenAt).toBe(at());
    expect(found.state?.relay5).toBe(false);
    kit.pass(1);
    await driver.says('io', { at: at(), inputs: off, relays: [false, false, false, false, true, false] });
    expect((await monitor()).state?.relay5).toBe(true);
  });

  it('is free where nothing is linked', async () => {
    await level(2000);
    expect((await toggle(true)).statusCode).toBe(200);
    const command = await eventually(() => driver.messages('cmd')[0]);
    expect(command.body['payload']).toEqual({ relay: 5, set: true });
    expect((await monitor()).ioSettings.relay5.overriddenAt).toBeNull();
  });
});
