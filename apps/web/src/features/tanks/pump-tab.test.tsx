import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankInfo } from '@headrace/contract/tanks';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { MINUTE, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago, buildInfo, buildTank, pump } from '../../testing/tank-fixtures.ts';
// Its code is there when the first test begins to wait.
import '../dashboard/dashboard-page.tsx';
import './tank-dialog.tsx';

const tank = buildTank(1, { name: 'Top Tank', pumpControl: pump() });
const waiting = (over: Partial<TankInfo['configUpdate'][number]> = {}) => ({
  _id: uid(77),
  type: 1,
  createdAt: ago(3 * MINUTE),
  config: { lowSetpoint: 36, highSetpoint: 85, relayControl: true, maxRunTime: 240 },
  processedAt: null,
  ...over,
});

async function open(over: Partial<TankInfo> = {}, permissions = presets.farmManager) {
  const api = new FakeApi()
    .on('GET /lvl/suminfo', { tanks: [tank] })
    .on('GET /level/full-info', buildInfo(tank, over))
    .on('POST /sensor/configupdate', { success: true, configId: uid(77) })
    .on('DELETE /sensor/configupdate', { success: true })
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, permissions)] });
  const view = renderApp(`/dashboard?tank=${tank._id}&tab=pump`, { api });
  await screen.findByText('Setpoints');
  return { ...view, api, dialog: within(screen.getByRole('dialog')) };
}
const low = () => screen.getByRole('slider', { name: 'Low setpoint, %' });
const high = () => screen.getByRole('slider', { name: 'High setpoint, %' });
const update = () => screen.queryByRole('button', { name: 'Update' });

describe('Pump Control', () => {
  test('has two handles from 0 to 100 with marks, and a run time of 0 to 600', async () => {
    const { dialog } = await open();
    const said = (slider: HTMLElement) =>
      ['valuemin', 'valuenow', 'valuemax'].map((name) => slider.getAttribute(`aria-${name}`));
    expect(said(low())).toEqual(['0', '35', '100']);
    expect(said(high())).toEqual(['0', '85', '100']);
    for (const mark of ['0', '20', '40', '60', '80', '100']) expect(dialog.getByText(mark)).toBeTruthy();
    const run = dialog.getByRole<HTMLInputElement>('spinbutton', { name: /Max run time/ });
    expect([run.min, run.max, run.value]).toEqual(['0', '600', '240']);
    expect(update()).toBeNull();
  });

  test('edits are pending until Update sends them; then the tank is loaded again', async () => {
    const { user, api, dialog } = await open();
    fireEvent.keyDown(low(), { key: 'ArrowRight' });
    expect(low().getAttribute('aria-valuenow')).toBe('36');
    act(() => high().focus());
    fireEvent.keyDown(high(), { key: 'ArrowLeft' });
    const run = dialog.getByRole('spinbutton', { name: /Max run time/ });
    await user.clear(run);
    await user.type(run, '90');
    await user.click(dialog.getByRole('switch', { name: /^Auto relay/ }));
    api.on('GET /level/full-info', buildInfo(tank, { configUpdate: [waiting()] }));
    await user.click(await screen.findByRole('button', { name: 'Update' }));
    expect(await dialog.findByText('Pending Configuration Update')).toBeTruthy();
    expect(api.calls('POST /sensor/configupdate').map(({ body }) => body)).toEqual([
      {
        deviceId: tank._id,
        sensorType: sensorTypes.LEVEL,
        configType: 1,
        config: { lowSetpoint: 36, highSetpoint: 84, relayControl: false, maxRunTime: 90 },
      },
    ]);
    expect(update()).toBeNull();
  });

  test('a failure keeps the edits and says so in place', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { user, api, dialog } = await open();
    api.on('POST /sensor/configupdate', new Failure(400, 'This sensor has no gateway of ours.'));
    fireEvent.keyDown(low(), { key: 'ArrowRight' });
    await user.click(await screen.findByRole('button', { name: 'Update' }));
    expect((await dialog.findByRole('alert')).textContent).toBe(
      'Failed to create sensor config update. (400) This sensor has no gateway of ours. What you entered is kept.',
    );
    expect(logged.mock.calls[0]?.[0]).toBe('An error occurred');
    expect(low().getAttribute('aria-valuenow')).toBe('36');
    expect(update()).toBeTruthy();
    logged.mockRestore();
  });

  test('a time that is too long is not sent', async () => {
    const { user, api, dialog } = await open();
    const run = dialog.getByRole('spinbutton', { name: /Max run time/ });
    await user.clear(run);
    await user.type(run, '700');
    await user.click(await screen.findByRole('button', { name: 'Update' }));
    expect(dialog.getByText('The max run time must be at most 600 minutes.')).toBeTruthy();
    expect(api.calls('POST /sensor/configupdate')).toEqual([]);
  });

  test('closing with edits that were not sent asks first', async () => {
    const { user } = await open();
    fireEvent.keyDown(low(), { key: 'ArrowRight' });
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
    await user.click(question.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('leaving for another page or another tank with edits that were not sent asks first', async () => {
    const { user, router } = await open();
    fireEvent.keyDown(low(), { key: 'ArrowRight' });
    await waitFor(() => expect(update()).toBeTruthy());
    const ask = async () => within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
    for (const search of [{ tank: uid(1002) }, {}]) {
      void router.navigate({ to: '/dashboard', search });
      await user.click((await ask()).getByRole('button', { name: 'Stay' }));
      await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
      expect(router.state.location.search).toMatchObject({ tank: tank._id, tab: 'pump' });
      expect(low().getAttribute('aria-valuenow')).toBe('36');
    }
    void router.navigate({ to: '/dashboard' });
    await user.click((await ask()).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('another tab of the same tank keeps the edits without a question', async () => {
    const { user } = await open();
    fireEvent.keyDown(low(), { key: 'ArrowRight' });
    await user.click(screen.getByRole('tab', { name: 'Details' }));
    expect(screen.queryByText('Setpoints')).toBeNull();
    expect(update()).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'Pump Control' }));
    expect(low().getAttribute('aria-valuenow')).toBe('36');
  });

  test('is for reading only without the right to edit sensors', async () => {
    const { dialog } = await open({}, presets.guest);
    expect(dialog.getByRole('switch', { name: /^Auto relay/ }).hasAttribute('disabled')).toBe(true);
    expect(dialog.getByText('You may see these settings, but not change them.')).toBeTruthy();
  });
});

describe('an update on its way', () => {
  test('can be withdrawn', async () => {
    const { user, api, dialog } = await open({ configUpdate: [waiting()] });
    expect(dialog.getByText(/^on at 36 %, off at 85 %, automatic yes, longest run 240 min/)).toBeTruthy();
    expect(dialog.getByText('3 min ago')).toBeTruthy();
    api.on('GET /level/full-info', buildInfo(tank));
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
    await waitFor(() => expect(dialog.queryByText('Pending Configuration Update')).toBeNull());
    expect(api.calls('DELETE /sensor/configupdate').map(({ query }) => query)).toEqual([
      { deviceId: tank._id, configId: uid(77) },
    ]);
  });

  test('that can not be called back any more tells the status and why', async () => {
    const { user, api, dialog } = await open({ configUpdate: [waiting()] });
    api.on('DELETE /sensor/configupdate', new Failure(409, 'It is on its way to the device.'));
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
    expect(
      await screen.findByText('Failed to delete sensor config update. (409) It is on its way to the device.'),
    ).toBeTruthy();
  });

  test('that failed says why, and is not pending', async () => {
    const { dialog } = await open({ configUpdate: [waiting({ error: 'Setpoint out of range.' })] });
    expect(dialog.getByText('Configuration update failed: Setpoint out of range.')).toBeTruthy();
    expect(dialog.queryByText('Pending Configuration Update')).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Withdraw' })).toBeNull();
  });
});

test("a TLM_V3's accumulated flow is reset after a question", async () => {
  const unit = buildTank(2, {
    type: sensorTypes.TLM_V3,
    flow: { flowrate: 0, direction: 0, leakDetected: false },
  });
  const api = new FakeApi()
    .on('GET /lvl/suminfo', { tanks: [unit] })
    .on('GET /level/full-info', buildInfo(unit))
    .on('GET /flow/history', { history: [] })
    .on('POST /sensor/configupdate', { success: true, configId: uid(78) });
  const { user } = renderApp(`/dashboard?tank=${unit._id}&tab=flow`, { api });
  await user.click(await screen.findByRole('button', { name: 'Reset accumulated flow' }));
  expect(screen.queryByRole('tab', { name: 'Pump Control' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Reset' }));
  expect(await screen.findByText(/counts from zero once the unit has taken it/)).toBeTruthy();
  expect(api.calls('POST /sensor/configupdate').map(({ body }) => [body.configType, body.config])).toEqual([
    [112, {}],
  ]);
});
