import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import { levels, presets, type Permissions } from '@headrace/contract/permissions';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { nothingInTheWay, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { at, buildCommand, buildDetails, buildStep } from '../commands/command-fixtures.ts';
import { buildGateway } from './gateway-fixtures.ts';

beforeEach(() => stubCanvas());
afterEach(() => vi.restoreAllMocks());

const PROCESSING = 'Processing your command...';
const SENT = 'Command successfully sent!';
const gateway = buildGateway({ statusTime: '2026-11-20T21:00:00.000Z' });
const setTime = buildCommand(1, { state: 'queued', message: 'Set Time: waiting for the gateway.' });
const sentAs = (commandId: string) => ({ commandId, status: 'queued' as const });

async function open(over: Partial<Gateway> = {}, permissions?: Permissions) {
  const api = new FakeApi()
    .on('GET /gateway', { ...gateway, ...over })
    .on('POST /commands/send', sentAs(setTime._id))
    .on('GET /command', buildDetails(setTime));
  if (permissions) api.on('GET /permissions-list', { permissions: [permissionsOn(rakaia, permissions)] });
  const view = renderApp(`/tanks?gateway=${gateway._id}`, { api });
  const dialog = within(await screen.findByRole('dialog', { name: /Shed gateway/ }));
  await dialog.findByText('GW1');
  return { ...view, api, dialog };
}
/** What went out; asked again under the same name, where no answer came, it is one. */
const bodies = (api: FakeApi) => {
  const all = api.calls('POST /commands/send').map(({ body }) => body);
  const byName = new Map(all.map(({ requestId, ...body }) => [requestId, body]));
  expect(byName.has(undefined)).toBe(false);
  return [...byName.values()];
};
const buttons = () =>
  within(screen.getByRole('group', { name: 'Commands' }))
    .getAllByRole('button')
    .filter((button) => !button.hasAttribute('aria-expanded'));
const names = () => buttons().map((button) => button.textContent);
const enabled = () => names().filter((_name, n) => buttons()[n]?.getAttribute('aria-disabled') !== 'true');
const whyOf = (button: HTMLElement | undefined) =>
  document.querySelector(`#${CSS.escape(button?.getAttribute('aria-describedby') ?? '-')}`)?.textContent;

describe('a command to a gateway', () => {
  test('is sent after a Ping', async () => {
    const { user, api, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Set Time' }));
    expect(await screen.findByText(SENT)).toBeTruthy();
    expect(bodies(api)).toEqual([
      { farmUID: rakaia._id, type: 23, name: 'Shed gateway', mac: '0018B2000A4F', serialNumber: 'GW1' },
      { farmUID: rakaia._id, type: 15, name: 'Shed gateway', mac: '0018B2000A4F', serialNumber: 'GW1' },
    ]);
    expect(screen.queryByText(PROCESSING)).toBeNull();
  });

  test('says that it is processed while it is', async () => {
    const { user, api, dialog } = await open();
    let answer: (reply: ReturnType<typeof sentAs>) => void = () => {};
    api.on('POST /commands/send', () => new Promise((resolve) => (answer = resolve)));
    await user.click(dialog.getByRole('button', { name: 'Set Time' }));
    expect(await screen.findByText(PROCESSING)).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Sending…' }).getAttribute('aria-busy')).toBe('true');
    await waitFor(() => expect(api.calls('POST /commands/send')).toHaveLength(1));
    await act(async () => answer(sentAs(uid(1))));
    await waitFor(() => expect(api.calls('POST /commands/send')).toHaveLength(2));
    await act(async () => answer(sentAs(setTime._id)));
    expect(await screen.findByText(SENT)).toBeTruthy();
  });

  test('a Ping is sent to that gateway, and none before it', async () => {
    const { user, api, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Ping' }));
    await screen.findByText(SENT);
    expect(bodies(api)).toEqual([
      { farmUID: rakaia._id, type: 23, name: 'Shed gateway', mac: '0018B2000A4F', serialNumber: 'GW1' },
    ]);
  });

  test.each([
    [new Failure(466, 'x'), 'Commands blocked until sprinklers list is loaded.'],
    [new Failure(505, 'x'), 'Gateway currently unavailable.'],
    [UNREACHABLE, "Server couldn't be reached. The command was not sent, and is not kept to be sent later."],
    [new Failure(409, 'The list is being sent already.'), 'The list is being sent already.'],
    [new Failure(500, 'Oops, something went wrong.'), 'Oops, something went wrong.'],
  ])('is not sent when the Ping fails: %s', async (failure, text) => {
    const { user, api, dialog } = await open();
    api.on('POST /commands/send', failure);
    await user.click(dialog.getByRole('button', { name: 'Set Time' }));
    expect((await screen.findByText(text, { selector: '[role=alert] *' })).textContent).toBe(text);
    expect(screen.queryByText(PROCESSING)).toBeNull();
    expect(bodies(api).map(({ type }) => type)).toEqual([23]);
    const outcomes = within(dialog.getByRole('list', { name: 'What became of them' }));
    expect(outcomes.getByRole('listitem').textContent).toBe(`Set Time: ${text}`);
  });

  test('that fails after the Ping tells its own failure', async () => {
    const { user, api, dialog } = await open();
    api.on('POST /commands/send', ({ body }) =>
      body.type === 23 ? sentAs(uid(1)) : new Failure(466, 'The list is old.'),
    );
    await user.click(dialog.getByRole('button', { name: 'Send Sprinklers List' }));
    expect(
      await screen.findByText('Commands blocked until sprinklers list is loaded.', {
        selector: '[role=alert] *',
      }),
    ).toBeTruthy();
    expect(bodies(api).map(({ type }) => type)).toEqual([23, 13]);
  });
});

describe('what becomes of it', () => {
  const result = (message: string, type: string) =>
    act(async () =>
      FakeSocket.last.push({
        type: 'new_action_result',
        data: { message, type, farmUID: rakaia._id, commandId: setTime._id },
      }),
    );

  test('takes the place of the toast that it was sent', async () => {
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Set Time' }));
    await screen.findByText(SENT);
    await result('Set Time: done.', 'ack');
    expect(await screen.findByText('Set Time: done.')).toBeTruthy();
    expect(screen.queryByText(SENT)).toBeNull();
  });

  test("is not hidden by the server's later answer that it was sent", async () => {
    const { user, api, dialog } = await open();
    let answer: (reply: ReturnType<typeof sentAs>) => void = () => {};
    api.on('POST /commands/send', ({ body }) =>
      body.type === 23 ? sentAs(uid(1)) : new Promise((resolve) => (answer = resolve)),
    );
    await user.click(dialog.getByRole('button', { name: 'Set Time' }));
    await waitFor(() => expect(api.calls('POST /commands/send')).toHaveLength(2));
    await result('Set Time: failed. No clock.', 'error');
    await act(async () => answer(sentAs(setTime._id)));
    await waitFor(() => expect(screen.queryByText(PROCESSING)).toBeNull());
    expect(screen.getByText('Set Time: failed. No clock.')).toBeTruthy();
    expect(screen.queryByText(SENT)).toBeNull();
  });

  test('stands below the buttons with its times', async () => {
    const { user, api, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Set Time' }));
    expect(await dialog.findByText('waiting for the gateway')).toBeTruthy();
    const done = { ...setTime, state: 'done' as const, stateAt: at(14), message: 'Set Time: done.' };
    api.on('GET /command', buildDetails(done, { steps: [buildStep(11, 'accepted'), buildStep(14, 'done')] }));
    await act(async () => FakeSocket.last.push({ type: 'command_update', data: done }));
    expect(await dialog.findByText('accepted 10:02:11, done 10:02:14')).toBeTruthy();
  });
});

describe('the buttons', () => {
  const often = ['Ping', 'Request Status', 'Set Time', 'Send Sprinklers List', 'Refresh All…'];
  const seldom = [
    'Send All Schedules…',
    'Start Communication',
    'Send Gateway Settings…',
    'Save Sprinklers List',
    'Save Repeaters List…',
    'Clear Status…',
    'Reconfigure Gateway…',
    'Update Gateway Firmware…',
  ];
  const all = [...often, ...seldom];

  test('can all be used by an owner, the seldom ones once they are asked for', async () => {
    const { user, dialog } = await open();
    expect(enabled()).toEqual(often);
    await user.click(dialog.getByRole('button', { name: 'More…' }));
    expect(enabled()).toEqual(all);
    await user.click(dialog.getByRole('button', { name: 'Fewer' }));
    expect(names()).toEqual(often);
  });

  test.each([
    ['a guest', presets.guest, ['Ping']],
    [
      'who may edit gateways',
      { ...presets.guest, gateways: levels.Read | levels.Edit },
      [
        'Ping',
        'Request Status',
        'Set Time',
        'Refresh All…',
        'Send All Schedules…',
        'Start Communication',
        'Save Sprinklers List',
        'Save Repeaters List…',
        'Clear Status…',
        'Update Gateway Firmware…',
      ],
    ],
    ['who may poll', { ...presets.guest, pollSprinkler: true }, ['Ping', 'Request Status']],
    ['who may send schedules', { ...presets.guest, sendScheduleToSite: true }, ['Ping', 'Set Time']],
    [
      'who may send settings',
      { ...presets.guest, sendGatewaySettings: true },
      ['Ping', 'Send Gateway Settings…'],
    ],
    [
      'who may edit sprinklers',
      { ...presets.guest, irrigationDevices: levels.Read | levels.Edit },
      ['Ping', 'Send Sprinklers List', 'Reconfigure Gateway…'],
    ],
  ])('that %s may not use can be reached, and say why', async (_who, permissions, wanted) => {
    const { user, api, dialog } = await open({}, permissions);
    await user.click(dialog.getByRole('button', { name: 'More…' }));
    expect(names()).toEqual(all);
    expect(enabled()).toEqual(wanted);
    const refused = buttons().filter((button) => !wanted.includes(button.textContent ?? ''));
    expect(new Set(refused.map(whyOf))).toEqual(new Set(['You may not send this on this farm.']));
    await user.click(dialog.getByRole('button', { name: 'Clear Status…' }));
    if (wanted.includes('Clear Status…')) return;
    expect(dialog.getByText('Clear Status: You may not send this on this farm.')).toBeTruthy();
    expect(api.calls('POST /commands/send')).toHaveLength(0);
  });

  test.each([
    ['leads to its form', levels.Read | levels.Edit, `/gateway-device/${rakaia._id}/${gateway._id}`],
    ['leads nowhere without the right to edit gateways', levels.Read, null],
  ])('stand beside an edit link that %s', async (_name, gateways, href) => {
    const { dialog } = await open({}, { ...presets.guest, gateways });
    const link = dialog.getByRole('link', { name: 'Edit gateway' });
    expect(link.getAttribute('href')).toBe(href);
    expect(link.getAttribute('aria-disabled')).toBe(href === null ? 'true' : null);
  });

  test('of a gateway that is no INC leave out what only an INC answers', async () => {
    const { user, dialog } = await open({ type: gatewayTypes.LSG_V1 });
    await user.click(dialog.getByRole('button', { name: 'More…' }));
    expect(names()).toEqual(['Ping', 'Set Time', 'Send Sprinklers List', 'Send Gateway Settings…']);
  });

  test('wait, and say why, while the gateway is not connected', async () => {
    const { dialog } = await open({ connected: false });
    expect(enabled()).toEqual([]);
    expect(whyOf(dialog.getByRole('button', { name: 'Set Time' }))).toBe(
      "Nothing can be sent while this gateway isn't connected to the server.",
    );
  });

  test('that need the list of sprinklers wait until the gateway has loaded it, and say so', async () => {
    const { user, dialog } = await open({ sync: true });
    await user.click(dialog.getByRole('button', { name: 'More…' }));
    expect(enabled()).toEqual(often);
    expect(whyOf(dialog.getByRole('button', { name: 'Start Communication' }))).toBe(
      'Commands blocked until sprinklers list is loaded.',
    );
  });

  test("lead to the farm's commands", async () => {
    const { dialog } = await open();
    expect(dialog.getByRole('link', { name: 'All commands of this farm' }).getAttribute('href')).toBe(
      `/commands/${rakaia._id}`,
    );
  });
});

describe('what is asked before', () => {
  const openMore = async (over: Partial<Gateway> = {}) => {
    const view = await open(over);
    await view.user.click(view.dialog.getByRole('button', { name: 'More…' }));
    return view;
  };
  const types = (api: FakeApi) => bodies(api).map(({ type }) => type);

  test('a firmware update names the version that is there, and sends nothing without a Yes', async () => {
    const { user, api, dialog } = await openMore({ info: { firmwareVersion: 412 } });
    const ask = async () => {
      await user.click(dialog.getByRole('button', { name: 'Update Gateway Firmware…' }));
      return within(await screen.findByRole('dialog', { name: 'Update the firmware of Shed gateway?' }));
    };
    const question = await ask();
    expect(question.getByText('By its last report it has 4.12.')).toBeTruthy();
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(types(api)).toEqual([]);
    await user.click((await ask()).getByRole('button', { name: 'Update Gateway Firmware' }));
    await screen.findByText(SENT);
    expect(types(api)).toEqual([23, 11]);
  });

  test('settings are filled in as the gateway reported them, and only what is changed is sent', async () => {
    const { user, api, dialog } = await openMore({ settings: { statusPeriod: 900, chargeThreshold: 40 } });
    await user.click(dialog.getByRole('button', { name: 'Send Gateway Settings…' }));
    const form = within(await screen.findByRole('dialog', { name: 'Settings of Shed gateway' }));
    const field = (name: RegExp) => form.getByRole<HTMLInputElement>('textbox', { name });
    expect([field(/^Status period/).value, field(/^Attempts at most/).value]).toEqual(['900', '']);
    await user.click(form.getByRole('button', { name: 'Send settings' }));
    expect(form.getByText('Nothing is changed: change what is to be sent.')).toBeTruthy();
    await user.clear(field(/^Status period/));
    await user.type(field(/^Status period/), '5');
    expect(form.getByText('Enter a whole number from 30 to 86,400.')).toBeTruthy();
    await user.clear(field(/^Status period/));
    await user.type(field(/^Status period/), '600');
    await user.click(form.getByRole('button', { name: 'Send settings' }));
    await screen.findByText(SENT);
    expect(bodies(api).at(-1)).toMatchObject({
      type: 12,
      mac: '0018B2000A4F',
      payload: { settings: { statusPeriod: 600 } },
    });
  });

  test('all schedules, and a poll of all, show first what that would do', async () => {
    const { user, api, dialog } = await openMore();
    api.on('POST /commands/plan', { ...nothingInTheWay, total: 300, toDo: 298 });
    await user.click(dialog.getByRole('button', { name: 'Send All Schedules…' }));
    const plan = within(await screen.findByRole('dialog', { name: 'Send all schedules of Shed gateway' }));
    expect(await plan.findByText('It goes to 298 of 300 sprinklers.')).toBeTruthy();
    expect(api.calls('POST /commands/plan').at(-1)?.body).toMatchObject({ type: 17, mac: '0018B2000A4F' });
    expect(types(api)).toEqual([]);
    await user.click(plan.getByRole('button', { name: 'Send All Schedules' }));
    await waitFor(() => expect(types(api)).toEqual([23, 17]));
    expect(bodies(api).at(-1)).toMatchObject({ mac: '0018B2000A4F', payload: {} });
  });
});
