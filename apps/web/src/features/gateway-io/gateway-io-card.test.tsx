import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { GatewayMonitor } from '@headrace/contract/gateway-io';
import { presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, MINUTE, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago } from '../../testing/tank-fixtures.ts';
import { buildCommand, buildDetails } from '../commands/command-fixtures.ts';
import { farmOfList } from '../devices/device-fixtures.ts';
import { buildGateway } from '../gateways/gateway-fixtures.ts';
import { buildMonitor, ioState, linkable } from './gateway-io-fixtures.ts';
// Its code is there when the first test begins to wait.
import '../dashboard/dashboard-page.tsx';
import './gateway-io-card.tsx';

const onlyIo = {
  data: { farms: [{ info: { id: rakaia._id }, dashboard: { cards: [{ type: 'IO', visible: true }] } }] },
  version: 6,
};
const command = buildCommand(1, { type: 24, title: 'Switch Relay', state: 'queued' });

async function open(monitor: GatewayMonitor, permissions = presets.farmManager, search = '') {
  const api = new FakeApi()
    .on('GET /settings', onlyIo)
    .on('GET /gateway/monitor', monitor)
    .on('GET /gateway/devices', {
      ...farmOfList,
      gateways: [buildGateway(), buildGateway({ _id: uid(2002), name: 'River', macAddress: '0018B2000A50' })],
    })
    .on('POST /commands/send', { commandId: command._id, status: 'queued' })
    .on('GET /command', buildDetails(command))
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, permissions)] });
  const view = renderApp(`/dashboard${search}`, { api });
  // A loading sign of the same name stands there first.
  await screen.findByText(/^Shed gateway/);
  const card = within(screen.getByRole('region', { name: 'Gateway I/O' }));
  return { ...view, api, card };
}
const sent = (api: FakeApi) => api.calls('POST /commands/send').map(({ body }) => [body.type, body.payload]);
const io = (statusTime: string) => ({
  type: 'status_update' as const,
  data: {
    type: 'io' as const,
    farmUID: rakaia._id,
    uid: uid(2001),
    serialNumber: 'GW1',
    updatedAt: statusTime,
  },
});

describe('the card', () => {
  test('shows six inputs and six relays as the gateway said them, and how long ago', async () => {
    const { card } = await open(buildMonitor({ state: ioState('input1', 'relay2') }));
    const rows = card.getAllByRole('listitem').map((item) => item.textContent);
    expect(rows).toHaveLength(12);
    expect(rows[0]).toBe('Input 1On');
    expect(rows[1]).toBe('Input 2Off');
    expect(rows[7]).toMatch(/^Relay 2On/);
    expect(card.getByText('4 min ago')).toBeTruthy();
    const shed = card.getByRole('link', { name: 'Shed gateway: connected' });
    expect(shed.getAttribute('href')).toBe(`/dashboard?farm=${rakaia._id}&gateway=${uid(2001)}`);
  });

  test('of a gateway that was never heard says what to do', async () => {
    const { card } = await open(buildMonitor({ state: null, statusTime: null, connected: false }));
    expect(
      card.getByText('The gateway has not been contacted yet. Please check the connection and try again.'),
    ).toBeTruthy();
    expect(card.queryAllByRole('switch')).toEqual([]);
  });

  test('of several gateways shows the one that is chosen, by its MAC', async () => {
    const { card, user, api, router } = await open(buildMonitor());
    await user.selectOptions(await card.findByRole('combobox', { name: 'Gateway' }), '0018B2000A50');
    await waitFor(() => expect(api.calls('GET /gateway/monitor').at(-1)?.query.mac).toBe('0018B2000A50'));
    expect(router.state.location.search).toMatchObject({ io: '0018B2000A50' });
  });

  test('can only be read by who may not send relay values', async () => {
    const { card } = await open(buildMonitor(), presets.guest);
    expect(card.queryAllByRole('switch')).toEqual([]);
    expect(card.queryByRole('button', { name: 'Edit labels' })).toBeNull();
  });

  test('switches nothing while the gateway is not connected, and says why', async () => {
    const { card } = await open(buildMonitor({ connected: false }));
    const relay = card.getByRole('switch', { name: 'Relay 1' });
    expect(relay.hasAttribute('disabled')).toBe(true);
    const why = document.querySelector(`#${relay.getAttribute('aria-describedby')}`);
    expect(why?.textContent).toBe(
      "Nothing can be switched while this gateway isn't connected to the server.",
    );
  });
});

describe('a relay without a tank', () => {
  test('is asked at once, after a Ping, and stands as it was until the gateway says otherwise', async () => {
    const { card, user, api } = await open(buildMonitor());
    await user.click(card.getByRole('switch', { name: 'Relay 2' }));
    expect(await screen.findByText('Command sent successfully!')).toBeTruthy();
    expect(sent(api)).toEqual([
      [23, undefined],
      [24, { relay: 2, set: true }],
    ]);
    expect(await card.findByText('Asked to turn on')).toBeTruthy();
    expect(card.getByRole<HTMLInputElement>('switch', { name: 'Relay 2' }).checked).toBe(false);
    const said = buildMonitor({ state: ioState('input1', 'relay2'), statusTime: ago(0) });
    api.on('GET /gateway/monitor', said);
    act(() => FakeSocket.last.push(io(said.statusTime ?? '')));
    await waitFor(() =>
      expect(card.getByRole<HTMLInputElement>('switch', { name: 'Relay 2' }).checked).toBe(true),
    );
    expect(card.queryByText('Asked to turn on')).toBeNull();
  });

  test('is no longer asked when the command has failed', async () => {
    const { card, user, api } = await open(buildMonitor());
    await user.click(card.getByRole('switch', { name: 'Relay 1' }));
    await card.findByText('Asked to turn on');
    const failed = { ...command, state: 'failed' as const, stateAt: new Date().toISOString() };
    api.on('GET /command', buildDetails(failed));
    act(() => FakeSocket.last.push({ type: 'command_update', data: failed }));
    await waitFor(() => expect(card.queryByText('Asked to turn on')).toBeNull());
    expect(card.getByRole<HTMLInputElement>('switch', { name: 'Relay 1' }).checked).toBe(false);
  });

  test.each([
    ['behind', ago(2 * HOUR), ago(2 * HOUR - MINUTE)],
    ['ahead', ago(-2 * HOUR), ago(-2 * HOUR - MINUTE)],
  ])(
    'that stays off all the same is no longer asked, by a gateway whose clock is %s',
    async (_, before, after) => {
      const { card, user, api } = await open(buildMonitor({ statusTime: before }));
      await user.click(card.getByRole('switch', { name: 'Relay 1' }));
      await card.findByText('Asked to turn on');
      const done = { ...command, state: 'done' as const, stateAt: new Date().toISOString() };
      api.on('GET /command', buildDetails(done));
      act(() => FakeSocket.last.push({ type: 'command_update', data: done }));
      await waitFor(() => expect(api.calls('GET /command').length).toBeGreaterThan(1));
      expect(card.getByText('Asked to turn on')).toBeTruthy();
      api.on('GET /gateway/monitor', buildMonitor({ statusTime: after }));
      act(() => FakeSocket.last.push(io(after)));
      await waitFor(() => expect(card.queryByText('Asked to turn on')).toBeNull());
      expect(card.getByRole<HTMLInputElement>('switch', { name: 'Relay 1' }).checked).toBe(false);
    },
  );

  test('that tells no newer state is no longer asked half a minute after the command was done', async () => {
    const { card, user, api } = await open(buildMonitor());
    const at = ago(MINUTE);
    api.on('GET /command', buildDetails({ ...command, state: 'done', createdAt: at, stateAt: at }));
    await user.click(card.getByRole('switch', { name: 'Relay 1' }));
    expect(await screen.findByText('Command sent successfully!')).toBeTruthy();
    await waitFor(() => expect(card.queryByText(/Asked|Sending/)).toBeNull());
  });

  test("says the server's reason when it isn't sent", async () => {
    const { card, user, api } = await open(buildMonitor());
    api.on('POST /commands/send', new Failure(505, 'Gateway currently unavailable.'));
    await user.click(card.getByRole('switch', { name: 'Relay 1' }));
    expect(await screen.findByText('Gateway currently unavailable.')).toBeTruthy();
    expect(card.queryByText(/Asked/)).toBeNull();
  });
});

describe('a relay that fills a tank', () => {
  const bound = (level: number | null, over: Partial<GatewayMonitor> = {}) =>
    buildMonitor(
      { tanks: [linkable(1, level)], ...over },
      { relay1: { title: 'Bore pump', binding: uid(1001), maxOnTime: 20 } },
    );

  test('is switched by hand only after a question that names the tank and its level', async () => {
    const { card, user, api } = await open(bound(64));
    expect(card.getByText('Fills Tank 1, 64 % full')).toBeTruthy();
    await user.click(card.getByRole('switch', { name: 'Bore pump' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Turn Bore pump on?' }));
    expect(dialog.getByText('This ouput is bound to a sensor!')).toBeTruthy();
    expect(dialog.getByText('It fills Tank 1, which is 64 % full.')).toBeTruthy();
    expect(sent(api)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Turn on' }));
    await screen.findByText('Command sent successfully!');
    expect(sent(api).at(-1)).toEqual([
      24,
      { relay: 1, set: true, overriddenAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  test.each([
    [95, true, 'Linked tank is almost full, manual control not allowed.'],
    [94.9, false, null],
  ])('at %d %% is refused: %s', async (level, isRefused, text) => {
    const { card, user } = await open(bound(level));
    await user.click(card.getByRole('switch', { name: 'Bore pump' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByRole('button', { name: 'Turn on' }) === null).toBe(isRefused);
    expect(dialog.queryByRole('alert')?.textContent ?? null).toBe(text);
  });

  test('may be turned off however full the tank is', async () => {
    const { card, user } = await open(bound(99, { state: ioState('relay1') }));
    await user.click(card.getByRole('switch', { name: 'Bore pump' }));
    expect(await screen.findByRole('button', { name: 'Turn off' })).toBeTruthy();
  });

  const overridden = buildMonitor(
    { tanks: [linkable(1, 64)] },
    {
      relay1: { title: 'Bore pump', binding: uid(1001), maxOnTime: 0, overriddenAt: ago(12 * MINUTE) },
      relay2: { binding: uid(1001), maxOnTime: 30, overriddenAt: ago(2 * MINUTE) },
    },
  );

  test('shows since when a hand decides, and gives it back to the tank', async () => {
    const { card, user, api } = await open(overridden);
    expect(card.getByText('12 min ago')).toBeTruthy();
    const after = buildMonitor(
      { tanks: [linkable(1, 64)] },
      { relay1: { title: 'Bore pump', binding: uid(1001), maxOnTime: 0, overriddenAt: null } },
    );
    api.on('POST /gateway/iosettings', after).on('GET /gateway/monitor', after);
    await user.click(card.getByRole('button', { name: 'Cancel override of Bore pump' }));
    expect(await screen.findByText('Override cancelled!')).toBeTruthy();
    const [{ body } = { body: undefined }] = api.calls('POST /gateway/iosettings');
    expect(body?.ioSettings.relay1).toEqual({
      title: 'Bore pump',
      binding: uid(1001),
      maxOnTime: 0,
      overriddenAt: null,
    });
    // Not named: it stays as it is.
    expect(body?.ioSettings.relay2).not.toHaveProperty('overriddenAt');
    expect(card.queryByRole('button', { name: 'Cancel override of Bore pump' })).toBeNull();
  });

  test('a cancel leaves the labels that somebody else has saved since', async () => {
    const { card, user, api } = await open(overridden);
    const current = {
      ...overridden,
      version: 2,
      ioSettings: { ...overridden.ioSettings, input6: { title: 'Door' } },
    };
    api.on('POST /gateway/iosettings', ({ body }) =>
      body.version === 2 ? { ...current, version: 3 } : new Failure(409, 'x', { field: 'version', current }),
    );
    await user.click(card.getByRole('button', { name: 'Cancel override of Bore pump' }));
    expect(await screen.findByText('Override cancelled!')).toBeTruthy();
    expect(api.calls('POST /gateway/iosettings').map(({ body }) => body.ioSettings.input6.title)).toEqual([
      'Input 6',
      'Door',
    ]);
  });

  test('a cancel that fails says so', async () => {
    const { card, user, api } = await open(overridden);
    api.on('POST /gateway/iosettings', new Failure(503, 'x'));
    await user.click(card.getByRole('button', { name: 'Cancel override of Bore pump' }));
    expect(await screen.findByText('Failed to cancel the override, please try again later.')).toBeTruthy();
  });
});

describe('labels and links', () => {
  async function edit(monitor: GatewayMonitor) {
    const view = await open(monitor);
    await view.user.click(view.card.getByRole('button', { name: 'Edit labels' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Labels and links of Shed gateway' }));
    return { ...view, dialog };
  }

  test('are saved with a tank and a max on time', async () => {
    const monitor = buildMonitor({ tanks: [linkable(1, 64), linkable(2, null)] });
    const { dialog, user, api } = await edit(monitor);
    await user.clear(dialog.getByRole('textbox', { name: /^Input 1/ }));
    await user.type(dialog.getByRole('textbox', { name: /^Input 1/ }), 'Float low');
    const [first] = dialog.getAllByRole('switch', { name: "A tank's level switches it" });
    await user.click(first as HTMLElement);
    const [pump] = dialog.getAllByRole('switch', { name: "It runs the sprinklers' pump" });
    await user.click(pump as HTMLElement);
    await user.selectOptions(dialog.getByRole('combobox', { name: /Tank of relay 1/ }), 'Tank 2');
    await user.clear(dialog.getByRole('textbox', { name: /Max on time/ }));
    await user.type(dialog.getByRole('textbox', { name: /Max on time/ }), '25');
    api.on('POST /gateway/iosettings', { ...monitor, settingsTaken: false });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Saved. The gateway is told as soon as it can be reached.')).toBeTruthy();
    const [{ body } = { body: undefined }] = api.calls('POST /gateway/iosettings');
    expect(body?.mac).toBe('0018B2000A4F');
    expect(body?.ioSettings.input1).toEqual({ title: 'Float low' });
    expect(body?.ioSettings.relay1).toEqual({
      title: 'Relay 1',
      binding: uid(1002),
      maxOnTime: 25,
      isPump: true,
    });
    expect(await screen.findByText(/has not taken the newest settings yet/)).toBeTruthy();
  });

  test('what is wrong is said at its field, and nothing is sent', async () => {
    const { dialog, user, api } = await edit(buildMonitor({ tanks: [linkable(1, 64)] }));
    await user.clear(dialog.getByRole('textbox', { name: /^Relay 3/ }));
    const switches = dialog.getAllByRole('switch', { name: "A tank's level switches it" });
    await user.click(switches[0] as HTMLElement);
    await user.clear(dialog.getByRole('textbox', { name: /Max on time/ }));
    await user.type(dialog.getByRole('textbox', { name: /Max on time/ }), '31');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Relay 1 is linked: please choose its tank sensor.')).toBeTruthy();
    expect(
      dialog.getByText(
        'The max on time of Relay 1 must be a whole number from 0 to 30 minutes (0: no limit).',
      ),
    ).toBeTruthy();
    expect(dialog.getByText('The label of Relay 3 is required.')).toBeTruthy();
    expect(dialog.getByText('3 fields need a change.')).toBeTruthy();
    expect(api.calls('POST /gateway/iosettings')).toEqual([]);
  });

  const theirs = (over: Partial<GatewayMonitor> = {}) => {
    const monitor = buildMonitor({ version: 2, tanks: [linkable(1, 64)], ...over });
    return { ...monitor, ioSettings: { ...monitor.ioSettings, input6: { title: 'Tab one' } } };
  };
  const stale = new Failure(409, 'Somebody else changed this meanwhile. Please compare and save again.', {
    field: 'version',
    current: theirs(),
  });

  test('that somebody else saved meanwhile are not undone: both are shown field by field', async () => {
    const { dialog, user, api } = await edit(buildMonitor({ tanks: [linkable(1, 64)] }));
    const [first] = dialog.getAllByRole('switch', { name: "A tank's level switches it" });
    await user.click(first as HTMLElement);
    await user.selectOptions(dialog.getByRole('combobox', { name: /Tank of relay 1/ }), uid(1001));
    api.on('POST /gateway/iosettings', ({ body }) => (body.version === 2 ? theirs({ version: 3 }) : stale));
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    const clash = within(await screen.findByRole('dialog', { name: 'Somebody else changed this meanwhile' }));
    expect(clash.getAllByRole('group').map((group) => group.textContent)).toEqual([
      'Input 6MineInput 6TheirsTab one',
    ]);
    await user.click(clash.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved.');
    const bodies = api.calls('POST /gateway/iosettings').map(({ body }) => body);
    expect(bodies.map(({ version }) => version)).toEqual([1, 2]);
    expect(bodies[1]?.ioSettings).toMatchObject({
      input6: { title: 'Tab one' },
      relay1: { binding: uid(1001) },
    });
  });

  test('that somebody else saves while one types say so, and compare at once', async () => {
    const { dialog, user, api } = await edit(buildMonitor());
    await user.type(dialog.getByRole('textbox', { name: /^Input 5/ }), '!');
    expect(dialog.queryByText(/Somebody else changed this/)).toBeNull();
    api.on('GET /gateway/monitor', theirs({ tanks: [] }));
    act(() => FakeSocket.last.push(io(ago(0))));
    expect(await dialog.findByText(/^Somebody else changed this meanwhile/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Compare now' }));
    const clash = within(await screen.findByRole('dialog', { name: 'Somebody else changed this meanwhile' }));
    expect(clash.getAllByRole('group').map((group) => group.textContent)).toEqual([
      'Input 6MineInput 6TheirsTab one',
    ]);
    expect(api.calls('POST /gateway/iosettings')).toEqual([]);
  });

  test('without a tank that can be linked say so', async () => {
    const { dialog } = await edit(buildMonitor());
    expect(dialog.getByText('No supported tanks')).toBeTruthy();
  });

  test('are not lost without a question', async () => {
    const { dialog, user } = await edit(buildMonitor());
    await user.type(dialog.getByRole('textbox', { name: /^Input 2/ }), 'x');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
    await user.click(question.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
