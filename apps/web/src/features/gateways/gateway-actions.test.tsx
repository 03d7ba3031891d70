import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import { levels, presets, type Permissions } from '@headrace/contract/permissions';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
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
  screen
    .getAllByRole('button')
    .filter(({ textContent: name }) =>
      /^(Ping|Request Status|Set Time|Send Sprinklers List|Refresh All)$/.test(name ?? ''),
    );
const names = () => buttons().map((button) => button.textContent);
const enabled = () => names().filter((_name, n) => !buttons()[n]?.hasAttribute('disabled'));

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
    expect(dialog.getByRole('button', { name: 'Refresh All' }).hasAttribute('disabled')).toBe(true);
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
    [UNREACHABLE, 'There is no connection now. The command was not sent, and is not kept to be sent later.'],
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
    await user.click(dialog.getByRole('button', { name: 'Refresh All' }));
    expect(
      await screen.findByText('Commands blocked until sprinklers list is loaded.', {
        selector: '[role=alert] *',
      }),
    ).toBeTruthy();
    expect(bodies(api).map(({ type }) => type)).toEqual([23, 29]);
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
  const all = ['Ping', 'Request Status', 'Set Time', 'Send Sprinklers List', 'Refresh All'];

  test('can all be used by an owner', async () => {
    const { dialog } = await open();
    expect(enabled()).toEqual(all);
    expect(dialog.queryByText('You may not send all of these on this farm.')).toBeNull();
  });

  test.each([
    ['a guest', presets.guest, ['Ping']],
    [
      'who may edit gateways',
      { ...presets.guest, gateways: levels.Read | levels.Edit },
      ['Ping', 'Request Status', 'Set Time', 'Refresh All'],
    ],
    ['who may send schedules', { ...presets.guest, sendScheduleToSite: true }, ['Ping', 'Set Time']],
    [
      'who may edit sprinklers',
      { ...presets.guest, irrigationDevices: levels.Read | levels.Edit },
      ['Ping', 'Send Sprinklers List'],
    ],
  ])('that %s may not use are there, disabled, with the reason', async (_who, permissions, wanted) => {
    const { dialog } = await open({}, permissions);
    expect(names()).toEqual(all);
    expect(enabled()).toEqual(wanted);
    const reason = dialog.getByText('You may not send all of these on this farm.');
    const unexplained = buttons().filter((button) => button.getAttribute('aria-describedby') !== reason.id);
    expect(unexplained.map((button) => button.textContent)).toEqual(wanted);
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
    await open({ type: gatewayTypes.LSG_V1 });
    expect(names()).toEqual(['Ping', 'Set Time', 'Send Sprinklers List']);
  });

  test('wait, and say why, while the gateway is not connected', async () => {
    const { dialog } = await open({ connected: false });
    const button = dialog.getByRole('button', { name: 'Set Time' });
    expect(button.hasAttribute('disabled')).toBe(true);
    const why = document.querySelector(`#${button.getAttribute('aria-describedby')}`);
    expect(why?.textContent).toBe("Nothing can be sent while this gateway isn't connected to the server.");
  });

  test("lead to the farm's commands", async () => {
    const { dialog } = await open();
    expect(dialog.getByRole('link', { name: 'All commands of this farm' }).getAttribute('href')).toBe(
      `/commands/${rakaia._id}`,
    );
  });
});
