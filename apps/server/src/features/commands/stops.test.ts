import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SendPlan } from '@headrace/contract/commands';
import { commandTypes } from '@headrace/device/commands';
import { buildTank } from '../../testing/factories.ts';
import { buildGroup, buildScheduleSet, buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from './testing/commands-kit.ts';
import { eventually, pause } from './testing/eventually.ts';
import type { FarmDriver, FarmDriverOptions } from './testing/farm-driver.ts';

/** Water can always be stopped: what a stop overtakes, what it takes back, and how long it is tried. */
let kit: CommandsKit;
let driver: FarmDriver;
let groupUID: string;
const db = () => kit.server.database.db;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(() => begin());

const numbered = ['priority', 'seq', 'within', 'cycleLen'];

async function begin({ supports = numbered, ...options }: FarmDriverOptions & { supports?: string[] } = {}) {
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  kit.broker.take = async () => {};
  driver = await kit.farm({ units: 3, ...options });
  await driver.hello({ supports, listRev: 1 });
  groupUID = await buildGroup(db(), driver.farm.id, 'North', driver.units);
}

const mac = (index: number) => driver.units[index]?.mac ?? '';
const to = (index: number, more: object = {}) => ({ mac: mac(index), ...more });
const group = (more: object = {}) => ({ payload: { groupUID, ...more } });
const bodies = (kind?: string) => driver.messages(kind).map(({ body }) => body);
const statesOf = async (uid: string) => (await driver.detail(uid)).units.map(({ state }) => state);
const notesOf = async (uid: string) => (await driver.detail(uid)).units.map(({ note }) => note);
const entries = [{ start: 60, duration: 45, cycle: 1 }];
const someSet = () => buildScheduleSet(db(), driver.farm.id, driver.units, entries);

describe('what lets water run', () => {
  it('for many units is over ten minutes after the tap, not hours', async () => {
    await begin({ units: 60 });
    await driver.command('TurnGroupValvesOn', group());
    const [on] = bodies('cmd');
    expect(on).toMatchObject({ priority: 1, expiresAt: '2026-11-20T21:10:00.000Z', maxOpenMinutes: 60 });
    expect(on?.['within']).toBeGreaterThan(590);
    expect(on?.['within']).toBeLessThanOrEqual(600);
  });

  it('may be given up to an hour by a person, and no longer', async () => {
    await driver.command('TurnGroupValvesOn', group({ beginWithinMinutes: 60 }));
    expect(bodies('cmd')[0]).toMatchObject({ expiresAt: '2026-11-20T22:00:00.000Z' });
    const reply = await driver.send('ValveOn', to(0, { payload: { beginWithinMinutes: 61 } }));
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      400,
      'payload: beginWithinMinutes must be <= 60',
    ]);
  });

  it('does not go out late where the server’s clock was put back', async () => {
    kit.broker.take = async () => {
      throw new Error('the broker is away');
    };
    const before = kit.problems.length;
    const uid = await driver.queue('ValveOn', to(0));
    await eventually(() => kit.problems.length > before);
    await pause();
    kit.broker.take = async () => {};
    // The database's clock has gone on for eleven minutes, the server's was put back by an hour.
    await kit.server.database.pool.query(
      `update command set open_by = clock_timestamp() - interval '1 minute' where uid = $1`,
      [uid],
    );
    kit.pass(-60);
    await kit.tick();
    expect(bodies('cmd')).toEqual([]);
    kit.pass(71);
    await kit.tick();
    expect((await driver.detail(uid)).command.state).toBe('expired');
  });

  it('says of a valve whose turn did not come that it was not opened', async () => {
    const poll = await driver.command('IpcReconfigure', to(0));
    await driver.answers(poll, 'accepted');
    await driver.command('ValveOn', to(1));
    const uid = await driver.queue('ValveOn', to(1));
    kit.pass(10);
    await kit.tick();
    expect(await notesOf(uid)).toEqual(['Not opened: its turn did not come in time.']);
  });
});

describe('a stop', () => {
  it('goes out at once while a plan is being sent to its unit', async () => {
    await begin({ units: 120 });
    const plan = await driver.command('SendScheduleSet', { payload: { setUID: await someSet() } });
    const off = await driver.command('ValveOff', to(100));
    expect(bodies('cmd')).toMatchObject([{ cmdId: off, type: 3, priority: 0 }]);
    const { units } = await driver.detail(plan);
    expect(units.find(({ uid }) => uid === driver.units[100]?.uid)).toMatchObject({
      state: 'cancelled',
      note: 'Stopped meanwhile: Valve Off.',
    });
  });

  it('of a group ends every start of its units, also those that the gateway has, and none is sent again', async () => {
    const on = await driver.command('TurnGroupValvesOn', group());
    await driver.answers(on, 'accepted', to(0));
    await driver.answers(on, 'done', to(1));
    const off = await driver.command('TurnGroupValvesOff', group());
    expect(await statesOf(on)).toEqual(['cancelled', 'done', 'cancelled']);
    const [first, second] = bodies('cmd');
    expect(second).toMatchObject({ cmdId: off, priority: 0 });
    expect(second?.['seq']).toBeGreaterThan(Number(first?.['seq']));
    await driver.hello({ supports: numbered });
    // In two messages: what one may have opened may stay open for longer than what the other did.
    await eventually(() => bodies('cmd').length === 5);
    expect(bodies('cmd').map(({ cmdId }) => cmdId)).toEqual([on, off, `${off}-2`, off, `${off}-2`]);
    // Sent again it keeps its number: what is newer than it stays newer.
    expect(bodies('cmd')[3]?.['seq']).toBe(second?.['seq']);
  });

  it('asks first those that say that they are open, and leaves out nobody', async () => {
    await driver.reportsValve(driver.units[0]!, 'closed');
    await driver.reportsValve(driver.units[2]!, 'open');
    await driver.command('TurnGroupValvesOff', group());
    expect(bodies('cmd')[0]?.['payload']).toEqual({ macs: [mac(2), mac(1), mac(0)] });
  });

  describe('of a group or the whole farm', () => {
    const shelved = [
      { isSpareUnit: true },
      { outOfService: true },
      { isPlaceholder: true, outOfService: true },
    ];
    /** The first of four units is in service; the third is to water by something. */
    beforeEach(async () => {
      await begin({ units: 4 });
      for (const [index, settings] of shelved.entries())
        await db()
          .updateTable('device')
          .set({ settings: JSON.stringify(settings) })
          .where('id', '=', driver.units[index + 1]!.id)
          .execute();
      await buildWanted(db(), driver.farm.id, [driver.units[2]!], entries);
    });
    const macsOf = (index: number) => (bodies('cmd')[index]?.['payload'] as { macs?: string[] })?.macs;
    const planned = async (
      name: 'TurnGroupValvesOff' | 'InhibitGroup' | 'UninhibitGroup' | 'TurnGroupValvesOn',
    ) => {
      const reply = await kit.server.call('POST /commands/plan', {
        headers: driver.headers,
        body: { farmUID: driver.farm.uid, type: commandTypes[name], payload: { groupUID } },
      });
      const { total, findings } = reply.json<SendPlan>();
      const service = findings.filter(({ kind }) => kind.startsWith('outOfService'));
      return [total, ...service.map(({ text, names }) => [text, names])];
    };

    it('closes spare units, those out of service and placeholders too, those on a shelf last', async () => {
      await driver.command('TurnGroupValvesOff', { payload: { groupUID: 'FARM' } });
      expect(macsOf(0)).toEqual([mac(0), mac(2), mac(1), mac(3)]);
      await driver.command('TurnGroupValvesOff', group());
      expect(macsOf(1)).toEqual([mac(0), mac(2), mac(1), mac(3)]);
      expect(await planned('TurnGroupValvesOff')).toEqual([
        4,
        ['3 of them are spare or out of service: they may water all the same.', ['U003', 'U002', 'U004']],
      ]);
    });

    it('asks a spare that says that it is open before all that don’t', async () => {
      await driver.reportsValve(driver.units[3]!, 'open');
      await driver.command('TurnGroupValvesOff', group());
      expect(macsOf(0)).toEqual([mac(3), mac(0), mac(2), mac(1)]);
    });

    it('says how those that did not answer stood by their own word, once they failed', async () => {
      await driver.reportsValve(driver.units[0]!, 'open');
      await driver.reportsValve(driver.units[1]!, 'closed');
      const uid = await driver.command('TurnGroupValvesOff', group());
      expect((await driver.detail(uid)).unstopped).toBeNull();
      const [message] = driver.messages('cmd').slice(-1);
      const cmdId = String(message?.body.cmdId);
      await driver.answers(cmdId, 'done', { mac: mac(2) });
      for (const index of [0, 1, 3]) await driver.answers(cmdId, 'failed', { mac: mac(index) });
      expect((await driver.detail(uid)).unstopped).toEqual({
        saidOpen: 1,
        mayBeOpen: 0,
        saidClosed: 1,
        notKnown: 1,
        shelved: 1,
      });
    });

    it('reaches a farm that has nothing but spares', async () => {
      driver = await kit.farm({ units: 1 });
      await db()
        .updateTable('device')
        .set({ settings: JSON.stringify({ isSpareUnit: true }) })
        .where('id', '=', driver.units[0]!.id)
        .execute();
      await driver.command('TurnGroupValvesOff', { payload: { groupUID: 'FARM' } });
      expect(macsOf(0)).toEqual([mac(0)]);
    });

    it('inhibits those of them too that may hold a schedule, and says who is left out', async () => {
      await driver.command('InhibitGroup', group());
      expect(macsOf(0)).toEqual([mac(0), mac(2)]);
      expect(await planned('InhibitGroup')).toEqual([
        2,
        ['2 sprinklers are spare or out of service and are left out.', ['U002', 'U004']],
        ['1 of them is spare or out of service: it may water all the same.', ['U003']],
      ]);
    });

    it('says that an Uninhibit leaves them as they are', async () => {
      expect(await planned('UninhibitGroup')).toEqual([
        1,
        [
          '3 sprinklers are spare or out of service and are left out: an inhibited one stays so until it is uninhibited itself.',
          ['U002', 'U003', 'U004'],
        ],
      ]);
    });

    it('is no start: those are for units in service alone', async () => {
      await driver.command('TurnGroupValvesOn', group());
      expect(macsOf(0)).toEqual([mac(0)]);
      expect(await planned('TurnGroupValvesOn')).toEqual([
        1,
        ['3 sprinklers are spare or out of service and are left out.', ['U002', 'U003', 'U004']],
      ]);
    });
  });

  it('ends the stop of its kind before it and goes out at once; an Inhibit stays beside an Off', async () => {
    const inhibit = await driver.command('Inhibit', to(0));
    const first = await driver.command('ValveOff', to(0));
    const second = await driver.command('ValveOff', to(0));
    expect(bodies('cmd').map(({ cmdId }) => cmdId)).toEqual([inhibit, first, second]);
    expect(await notesOf(first)).toEqual([
      'Replaced by a newer Valve Off. It had been sent by then: it is not known whether it was carried out.',
    ]);
    expect((await driver.detail(first)).command.message).toBe(
      'Valve Off: cancelled after it was sent. Replaced by a newer Valve Off. It had been sent by then: it is not known whether it was carried out.',
    );
    expect(await statesOf(inhibit)).toEqual(['sent']);
  });

  it('says of the start that it ended what its gateway said of it after that', async () => {
    const on = await driver.command('TurnGroupValvesOn', group());
    await driver.answers(on, 'done', { mac: mac(0) });
    await driver.command('TurnGroupValvesOff', group());
    const message = async () => (await driver.detail(on)).command.message;
    expect(await message()).toBe('Group Valves On: cancelled; 1 of 3 done, 2 cancelled after it was sent.');
    for (const times of [1, 2]) {
      await driver.answers(on, 'failed', { mac: mac(1), error: 'stopped $& meanwhile' });
      const { units, steps } = await driver.detail(on);
      expect(units.slice(1).map(({ state, note }) => [state, note])).toEqual([
        ['cancelled', 'Stopped meanwhile: Group Valves Off. The gateway says: stopped $& meanwhile'],
        [
          'cancelled',
          'Stopped meanwhile: Group Valves Off. It had been sent by then: it is not known whether it was carried out.',
        ],
      ]);
      expect(
        steps.filter(({ note }) => note === 'The gateway says: stopped $& meanwhile'),
        `${times}`,
      ).toHaveLength(1);
    }
  });

  it('is not taken for the same tap again: Off, On, Off is three commands', async () => {
    const request = to(0, { requestId: 'tap-00001' });
    const [off, on, offAgain] = [
      await driver.command('ValveOff', request),
      await driver.queue('ValveOn', to(0, { requestId: 'tap-00002' })),
      await driver.command('ValveOff', request),
    ];
    expect(new Set([off, on, offAgain]).size).toBe(3);
    expect(await statesOf(on)).toEqual(['cancelled']);
  });

  it('ends with an Uninhibit where it is an Inhibit, and by no time', async () => {
    const inhibit = await driver.command('Inhibit', to(0));
    kit.pass(60 * 20);
    await kit.tick();
    expect(await statesOf(inhibit)).toEqual(['sent']);
    await driver.hello({ supports: numbered });
    await driver.command('Uninhibit', to(0));
    expect(await notesOf(inhibit)).toEqual([
      'Replaced by Uninhibit. It had been sent by then: it is not known whether it was carried out.',
    ]);
  });

  it('is done when the unit itself reports its valve closed', async () => {
    const off = await driver.command('ValveOff', to(0));
    await driver.reportsValve(driver.units[0]!, 'closed', new Date('2026-11-20T20:59:00Z'));
    expect(await statesOf(off)).toEqual(['sent']);
    kit.pass(1);
    await driver.reportsValve(driver.units[0]!, 'closed');
    expect((await driver.detail(off)).units[0]).toMatchObject({
      state: 'done',
      note: 'The unit itself reports its valve closed.',
    });
  });

  it('of one relay leaves the others alone', async () => {
    const relay = (number: number, set: boolean) => ({ payload: { relay: number, set } });
    const first = await driver.command('ToggleIO', relay(1, true));
    const second = await driver.queue('ToggleIO', relay(2, true));
    await driver.command('ToggleIO', relay(1, false));
    expect(await statesOf(first)).toEqual(['cancelled']);
    expect(await statesOf(second)).not.toEqual(['cancelled']);
  });

  it('that got no answer does not keep the unit from being asked for ever', async () => {
    await driver.command('Inhibit', to(0));
    const poll = await driver.queue('Poll', to(0));
    await pause();
    expect(await statesOf(poll)).toEqual(['queued']);
    kit.pass(9);
    await driver.hello({ supports: numbered });
    kit.pass(1.1);
    const later = await driver.queue('Poll', to(0));
    await kit.tick();
    await driver.reaches(later, 'sent');
  });
});

describe('a gateway that closes valves itself', () => {
  beforeEach(() => begin({ supports: [...numbered, 'maxOpenMinutes'] }));

  it('is asked to open none for longer than an hour', async () => {
    const { db } = kit.server.database;
    await buildWanted(db, driver.farm.id, driver.units, [{ start: 60, duration: 90, cycle: 1 }]);
    await driver.command('ValveOn', to(0));
    await driver.command('TurnGroupValvesOn', group({ maxOpenMinutes: 20 }));
    expect(bodies('cmd')).toMatchObject([{ maxOpenMinutes: 60 }, { maxOpenMinutes: 20 }]);
    const reply = await driver.send('ValveOn', to(0, { payload: { maxOpenMinutes: 61 } }));
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      400,
      `payload: maxOpenMinutes must be <= 60 here: ${driver.gateway.name} closes these valves itself, and can't while it has no power.`,
    ]);
  });

  it('is told of before valves are opened, and of nothing else', async () => {
    const findings = async (type: number) => {
      const body = { farmUID: driver.farm.uid, type, ...group() };
      const reply = await kit.server.call('POST /commands/plan', { headers: driver.headers, body });
      return reply.json<SendPlan>().findings.map(({ text }) => text);
    };
    const text = `${driver.gateway.name} closes these valves, after 60 minutes at most: without power they stay open.`;
    expect(await findings(commandTypes.TurnGroupValvesOn)).toContain(text);
    expect(await findings(commandTypes.TurnGroupValvesOff)).not.toContain(text);
  });
});

describe('a farm whose pump runs by a relay', () => {
  const allOff = { payload: { groupUID: 'FARM' } };
  const { ToggleIO, TurnGroupValvesOff } = commandTypes;
  const types = () => bodies('cmd').map(({ type }) => type);
  async function markPump(isPump = true, more: object = {}): Promise<void> {
    const query = { farmUID: driver.farm.uid, mac: driver.gateway.mac ?? '' };
    const monitor = await kit.server.call('GET /gateway/monitor', { headers: driver.headers, query });
    const { ioSettings } = monitor.json<{ ioSettings: Record<string, object> }>();
    const reply = await kit.server.call('POST /gateway/iosettings', {
      headers: driver.headers,
      body: { ...query, ioSettings: { ...ioSettings, relay2: { title: 'Bore pump', isPump, ...more } } },
    });
    expect(reply.statusCode, reply.body).toBe(200);
  }
  const pumpFindings = async () => {
    const body = { farmUID: driver.farm.uid, type: TurnGroupValvesOff, ...allOff };
    const reply = await kit.server.call('POST /commands/plan', { headers: driver.headers, body });
    return reply.json<SendPlan>().findings.filter(({ kind }) => kind.startsWith('pump'));
  };

  it('has it put off before all valves are closed, and the plan says so', async () => {
    await markPump();
    expect(await pumpFindings()).toEqual([
      {
        kind: 'pumpsFirst',
        text: `Before that Bore pump (relay 2 of ${driver.gateway.name}) goes off.`,
        count: 1,
        names: [],
      },
    ]);
    await driver.command('TurnGroupValvesOff', allOff);
    expect(bodies('cmd')).toMatchObject([
      { type: ToggleIO, payload: { relay: 2, set: false }, priority: 0 },
      { type: TurnGroupValvesOff },
    ]);
  });

  it('leaves it on where only a group or some are closed, and where it is no pump any more', async () => {
    await markPump();
    await driver.command('TurnGroupValvesOff', group());
    await driver.command('TurnGroupValvesOff', {
      payload: { groupUID: 'FARM', uids: [driver.units[0]!.uid] },
    });
    await markPump(false);
    expect(await pumpFindings()).toEqual([]);
    await driver.command('TurnGroupValvesOff', allOff);
    expect(types()).not.toContain(ToggleIO);
  });

  it('says that it is to be stopped by hand where its gateway is away, and closes valves all the same', async () => {
    await begin({ gateways: 2 });
    await markPump();
    await db()
      .updateTable('gateway_state')
      .set({ online: false })
      .where('device_id', '=', driver.gateway.id)
      .execute();
    expect(await pumpFindings()).toMatchObject([
      {
        kind: 'pumpAway',
        text: `The gateway of Bore pump (relay 2 of ${driver.gateway.name}) is offline: please stop the pump by hand.`,
      },
    ]);
    const off = await driver.command('TurnGroupValvesOff', allOff);
    expect(types()).toEqual([TurnGroupValvesOff]);
    expect((await driver.detail(off)).command.state).not.toBe('queued');
  });

  it('leaves a pump that follows a tank to its tank once it is off, and the plan says so', async () => {
    const tank = await buildTank(db(), driver.farm.id, { name: 'House' });
    await markPump(true, { binding: tank.uid });
    expect((await pumpFindings()).map(({ kind, text }) => [kind, text])).toEqual([
      ['pumpsFirst', `Before that Bore pump (relay 2 of ${driver.gateway.name}) goes off.`],
      [
        'pumpFollowsTank',
        `Bore pump (relay 2 of ${driver.gateway.name}, by House) goes on again by itself where its tank is low: to keep it off, please put it off by hand.`,
      ],
    ]);
    await driver.command('TurnGroupValvesOff', allOff);
    const [off] = bodies('cmd');
    expect(off).toMatchObject({ type: ToggleIO, payload: { relay: 2, set: false } });
    expect(off?.['payload']).not.toHaveProperty('overriddenAt');
    const query = { farmUID: driver.farm.uid, mac: driver.gateway.mac ?? '' };
    const monitor = await kit.server.call('GET /gateway/monitor', { headers: driver.headers, query });
    expect(monitor.json<{ ioSettings: { relay2: object } }>().ioSettings.relay2).toMatchObject({
      binding: tank.uid,
      overriddenAt: null,
    });
  });

  it('is not put off any more by what waits for its gateway once somebody waters again', async () => {
    await begin({ gateways: 2 });
    await markPump();
    const isOnline = (online: boolean) =>
      db().updateTable('gateway_state').set({ online }).where('device_id', '=', driver.gateway.id).execute();
    await isOnline(false);
    await driver.command('TurnGroupValvesOff', allOff);
    kit.pass(5);
    // Of the gateway that is there.
    await driver.queue('ValveOn', to(1));
    await isOnline(true);
    await kit.tick();
    await kit.server.commands.done();
    expect(types()).not.toContain(ToggleIO);
    const pumpOff = await db()
      .selectFrom('command as c')
      .innerJoin('command_unit as u', 'u.command_id', 'c.id')
      .select(['u.state', 'u.note'])
      .where('c.farm_id', '=', driver.farm.id)
      .where('c.type', '=', ToggleIO)
      .execute();
    expect(pumpOff).toEqual([{ state: 'cancelled', note: 'Not needed any more: Valve On.' }]);
  });
});

describe('what waits for a unit that was moved to another gateway', () => {
  beforeEach(() => begin({ units: 2, gateways: 2 }));

  const gateway = (index: number) => driver.gateways[index]!;
  const online = (index: number, is: boolean) =>
    db()
      .updateTable('gateway_state')
      .set({ online: is })
      .where('device_id', '=', gateway(index).id)
      .execute();
  const moveTo = (index: number) =>
    db()
      .updateTable('device')
      .set({ gateway_id: gateway(index).id })
      .where('id', '=', driver.units[0]!.id)
      .execute();
  async function turn(): Promise<void> {
    await kit.tick();
    await kit.server.commands.done();
  }
  /** Type and MACs of what a gateway was told. */
  const sentTo = (index: number) =>
    kit.published
      .filter(({ topic }) => topic === `headrace/v1/${gateway(index).mac}/down/cmd`)
      .map(({ body }) => [body['type'], body['mac'] ?? (body['payload'] as { macs: string[] }).macs]);

  /** The first unit does what the second gateway was told last. */
  const answered = () =>
    driver.answers(String(bodies('cmd').at(-1)?.['cmdId']), 'done', { mac: mac(0), gateway: gateway(1) });
  const stateOf = async (uid: string, name: string) =>
    (await driver.detail(uid)).units.find((unit) => unit.name === name)?.state;

  it('goes through that one, and no more through the one before', async () => {
    await online(0, false);
    const uid = await driver.queue('InhibitGroup', group({ groupUID: 'FARM' }));
    await kit.server.commands.done();
    await moveTo(1);
    await turn();
    const { InhibitGroup } = commandTypes;
    expect(sentTo(1)).toEqual([
      [InhibitGroup, [mac(1)]],
      [InhibitGroup, [mac(0)]],
    ]);
    await answered();
    const { units, steps } = await driver.detail(uid);
    expect(units).toContainEqual(expect.objectContaining({ name: 'U001', state: 'done' }));
    expect(steps).toContainEqual(
      expect.objectContaining({
        name: 'U001',
        note: 'It goes through another gateway, which speaks for it by now.',
      }),
    );
    await online(0, true);
    await driver.hello({ supports: numbered });
    await turn();
    expect(sentTo(0)).toEqual([]);
  });

  it('waits there, where that one is away too', async () => {
    await online(0, false);
    await driver.queue('PollGroup', group({ groupUID: 'FARM' }));
    await kit.server.commands.done();
    await moveTo(1);
    await online(1, false);
    await turn();
    const before = sentTo(1).length;
    expect(sentTo(0)).toEqual([]);
    await online(1, true);
    await turn();
    expect(sentTo(1).slice(before)).toEqual([[commandTypes.PollGroup, [mac(0)]]]);
  });

  it('as a stop goes through it also where the one before has it and does not answer; what is no stop stays there', async () => {
    const poll = await driver.command('Poll', to(0));
    const off = await driver.command('ValveOff', to(0));
    await moveTo(1);
    await turn();
    expect(sentTo(0)).toEqual([
      [commandTypes.Poll, mac(0)],
      [commandTypes.ValveOff, mac(0)],
    ]);
    expect(sentTo(1)).toEqual([[commandTypes.ValveOff, mac(0)]]);
    await answered();
    await turn();
    expect([await statesOf(off), await statesOf(poll)]).toEqual([['done'], ['sent']]);
    expect(sentTo(1)).toHaveLength(1);
  });

  it('as a stop goes once more after a start that the gateway before was given', async () => {
    await driver.command('ValveOn', to(0));
    await online(0, false);
    const off = await driver.queue('TurnGroupValvesOff', group({ groupUID: 'FARM' }));
    await kit.server.commands.done();
    await moveTo(1);
    await turn();
    await answered();
    // The start could begin until 21:10.
    expect(await stateOf(off, 'U001')).toBe('accepted');
    const before = sentTo(1).length;
    kit.pass(11);
    await turn();
    expect(sentTo(1)).toHaveLength(before);
    kit.pass(1);
    await turn();
    expect(sentTo(1).slice(before)).toEqual([[commandTypes.TurnGroupValvesOff, [mac(0)]]]);
    await answered();
    expect(await stateOf(off, 'U001')).toBe('done');
  });

  it('as a stop that is tapped after that goes once more as well', async () => {
    await driver.command('ValveOn', to(0));
    await moveTo(1);
    const off = await driver.command('ValveOff', to(0));
    await answered();
    expect(await statesOf(off)).toEqual(['accepted']);
    kit.pass(12);
    await turn();
    expect(sentTo(1)).toHaveLength(2);
  });

  it('takes the schedules back that the gateway before was given and a stop has ended', async () => {
    const setUID = await someSet();
    await driver.command('UpdateSchedule', {
      payload: { setUID, serialNumbers: [driver.units[0]!.serial_number] },
    });
    await online(0, false);
    await driver.queue('InhibitGroup', group({ groupUID: 'FARM' }));
    await kit.server.commands.done();
    await moveTo(1);
    await turn();
    expect(sentTo(1).at(-1)).toEqual([commandTypes.InhibitGroup, [mac(0)]]);
    const before = bodies('schedules').length;
    await online(0, true);
    const poll = await driver.queue('IncStatusReq', { mac: gateway(0).mac });
    await driver.reaches(poll, 'sent');
    expect(bodies('schedules').slice(before)).toMatchObject([{ setId: 'withdrawn', units: [] }]);
  });
});

describe('a stop through a gateway that does not number what it is sent', () => {
  beforeEach(() => begin({ supports: [] }));

  it('goes once more when the start has its answer, and is not done before', async () => {
    const on = await driver.command('ValveOn', to(0));
    await driver.answers(on, 'accepted', to(0));
    const off = await driver.command('ValveOff', to(0));
    await driver.answers(off, 'done', to(0));
    expect((await driver.detail(off)).units[0]).toMatchObject({
      state: 'accepted',
      note: 'It goes once more: its gateway may have carried out an earlier start after it.',
    });
    await driver.answers(on, 'done', to(0));
    await kit.tick();
    await eventually(() => bodies('cmd').length === 3);
    expect(bodies('cmd').map(({ cmdId }) => cmdId)).toEqual([on, off, `${off}-2`]);
    await driver.answers(`${off}-2`, 'done', to(0));
    expect(await statesOf(off)).toEqual(['done']);
  });

  it('goes once more when the last moment of the start is over', async () => {
    await driver.command('ValveOn', to(0));
    const off = await driver.command('ValveOff', to(0));
    kit.pass(11);
    await kit.tick();
    expect(bodies('cmd')).toHaveLength(2);
    kit.pass(1);
    await driver.hello({ supports: [] });
    await kit.tick();
    await eventually(() => bodies('cmd').some(({ cmdId }) => cmdId === `${off}-2`));
  });

  it('takes back the schedules that the gateway holds, and what other sends still want goes again', async () => {
    const plan = await driver.command('SendScheduleSet', { payload: { setUID: await someSet() } });
    await driver.command('ValveOff', to(1));
    await eventually(() => bodies('schedules').length === 3);
    const macs = (body: Record<string, unknown>) =>
      (body['units'] as { mac: string }[]).map((unit) => unit.mac);
    expect(bodies('schedules').map((body) => [body['rev'], macs(body)])).toEqual([
      [1, [mac(0), mac(1), mac(2)]],
      [2, []],
      [3, [mac(0), mac(2)]],
    ]);
    // The stop itself goes before all that.
    expect(driver.messages()[1]?.body).toMatchObject({ type: 3 });
    await eventually(async () => (await statesOf(plan)).join() === 'sent,cancelled,sent');
    await driver.answers('set-3', 'done', to(0));
    await driver.answers('set-3', 'done', to(2));
    expect((await driver.detail(plan)).command).toMatchObject({ state: 'cancelled', done: 2 });
  });
});

describe('a gateway that numbers what it is sent', () => {
  it('is not told of sets by number: the stop says it by itself', async () => {
    await driver.command('SendScheduleSet', { payload: { setUID: await someSet() } });
    await driver.command('ValveOff', to(1));
    await driver.answers('set-1', 'failed', to(1, { error: 'stopped meanwhile' }));
    await pause();
    expect(bodies('schedules')).toHaveLength(1);
  });
});
