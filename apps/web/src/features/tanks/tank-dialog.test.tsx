import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankInfo, TankSummary } from '@headrace/contract/tanks';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago, buildInfo, buildTank, pump } from '../../testing/tank-fixtures.ts';
// Its code is there when the first test begins to wait.
import '../dashboard/dashboard-page.tsx';
import './tank-dialog.tsx';

const points = [1, 2, 3].map((n) => ago(n * HOUR)).reverse();

const nz = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const usagePoints = (times: readonly string[], litreValue = 120) =>
  times.map((time, n) => ({
    time,
    litreValue,
    avgLitrePerMinute: 2,
    source: 'meter' as 'meter' | 'level',
    generated: n === 1,
  }));

const apiOf = (tank: TankSummary, over: Partial<TankInfo> = {}) =>
  new FakeApi()
    .on('GET /lvl/suminfo', { tanks: [tank] })
    .on('GET /level/full-info', buildInfo(tank, over))
    .on('GET /lvl/history', {
      history: points.map((time, n) => {
        const generated = n === 1;
        const [lowest, highest] = generated ? [null, null] : [41 + n, 58 + n];
        return { time, value: 50 + n, lowest, highest, generated };
      }),
    })
    .on('GET /lvl/waterflow', {
      history: usagePoints(points),
    })
    .on('GET /tank/battery', {
      history: points.map((time) => ({
        time,
        value: 81.6,
        voltage: 3.9,
        lowest: 62.7,
        lowestVoltage: 3.69,
        charging: true,
      })),
    })
    .on('GET /flow/history', {
      // Two hours of 8 L/min and a quarter of an hour of 20.
      history: points.map((time, n) => ({
        time,
        avgLitrePerMinute: n === 2 ? 20 : 8,
        litres: n === 2 ? 300 : 480,
        minutes: n === 2 ? 15 : 60,
        peakLitrePerMinute: n === 1 ? null : 25 + n,
        generated: n === 1,
      })),
    });

function open(tank: TankSummary, over: Partial<TankInfo> = {}, search = '') {
  const api = apiOf(tank, over);
  const view = renderApp(`/dashboard?tank=${tank._id}${search}`, { api });
  return { ...view, api };
}
const dialog = () => screen.findByRole('dialog');
const tab = (name: string) => screen.findByRole('tab', { name });
const chosen = () => screen.getByRole('tab', { selected: true }).textContent;

describe('the tank dialog', () => {
  test('has name, serial number and description, and the times below', async () => {
    open(buildTank(1, { name: 'Top Tank', description: 'Main supply' }));
    const element = within(await dialog());
    expect(await element.findByText('Top Tank')).toBeTruthy();
    expect(element.getByText('TLM1001')).toBeTruthy();
    expect(element.getByText(/Main supply/)).toBeTruthy();
    expect(element.getByText('Last Contact')).toBeTruthy();
    // 01:30 UTC is 14:30 in a New Zealand summer.
    await waitFor(() =>
      expect(element.getByText('Last Config Update').parentElement?.textContent).toMatch(
        /^Last Config Update(0?2\/11\/2026|11\/0?2\/2026) 14:30/,
      ),
    );
  });

  test.each([
    ['a TLM_V3', sensorTypes.TLM_V3, ['Details', 'Usage', 'Level', 'Battery', 'Flow']],
    ['another sensor', sensorTypes.LEVEL, ['Details', 'Usage', 'Level', 'Battery']],
  ])('%s has its tabs', async (_name, type, names) => {
    open(buildTank(1, { type }));
    await tab('Details');
    expect(screen.getAllByRole('tab').map((element) => element.textContent)).toEqual(names);
  });

  test('Back closes it, after changes of tab and period too', async () => {
    const tank = buildTank(1);
    const { user, router, api } = open(tank);
    act(() => void router.navigate({ to: '/dashboard', search: {} }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(await screen.findByRole('link', { name: 'Tank 1' }));
    await user.click(await tab('Level'));
    await user.click(await screen.findByRole('radio', { name: 'Month' }));
    expect(router.state.location.search).toMatchObject({ tank: tank._id, tab: 'level', period: 'Month' });
    await waitFor(() =>
      expect(api.calls('GET /lvl/history').map(({ query }) => Number(query.days))).toEqual([1, 30]),
    );
    act(() => router.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).toEqual({ farm: rakaia._id });
  });

  test('Close goes back to where it was opened from', async () => {
    const { user, router } = open(buildTank(1));
    await user.click(within(await dialog()).getAllByRole('button', { name: 'Close' })[1] as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).not.toHaveProperty('tank');
  });

  test('reloads when a status of its tank arrives', async () => {
    const tank = buildTank(1);
    const { api } = open(tank);
    await screen.findByText('1,840');
    api.on('GET /level/full-info', buildInfo(tank, { todayUsage: 1900 })).on('GET /level/basic-info', tank);
    act(() =>
      FakeSocket.last.push({
        type: 'status_update',
        data: {
          type: 'tank_level',
          farmUID: rakaia._id,
          uid: tank._id,
          serialNumber: tank.serialNumber,
          updatedAt: '2026-11-21T07:00:00.000Z',
        },
      }),
    );
    expect(await screen.findByText('1,900')).toBeTruthy();
  });

  test('a failure says what failed and tries again', async () => {
    const tank = buildTank(1);
    const { api, user } = open(tank);
    await dialog();
    api.on('GET /lvl/history', new Failure(404, 'No such tank.'));
    await user.click(await tab('Level'));
    expect((await screen.findByRole('alert')).textContent).toContain("The level history couldn't be loaded");
    api.on('GET /lvl/history', { history: [] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('No data')).toBeTruthy();
    expect(screen.getByText(/reported no level on these days/)).toBeTruthy();
  });
});

describe('Details', () => {
  const fact = async (name: string) => {
    const term = await screen.findByText(name, { selector: 'dt' });
    return term.nextElementSibling?.textContent;
  };

  test('tells usage, battery, comms and pump', async () => {
    open(buildTank(1, { pumpControl: pump() }));
    expect(await fact('Today')).toBe('1,840L');
    expect(await fact('Yesterday')).toBe('4,260L');
    expect(await fact('Charge')).toBe('82%3.90V');
    expect(await fact('Charging')).toBe('Charged');
    expect(await fact('Reports every')).toBe('15min');
    expect(await fact('Reports received')).toBe('0.97 of 1 expected');
    expect(await fact('Pump')).toContain('Pump running');
    expect(await fact('Longest run')).toBe('240min');
  });

  test.each([
    [{ charge: true, fault: true }, 'Charging Inhibited'],
    [{ charge: true, fault: false }, 'Charging'],
    [{ charge: false, battery: 80 }, 'Charged'],
    [{ charge: false, battery: 79.9 }, 'Not Charging'],
    [{ charge: false, battery: null }, 'Unknown'],
    [{ charge: null }, 'No charging data'],
  ])('%o charges: %s', async (over, text) => {
    open(buildTank(1), over);
    expect(await fact('Charging')).toBe(text);
  });

  test('says where there is no battery data', async () => {
    open(buildTank(1, { batteryVoltage: null }), { battery: null });
    expect(await fact('Charge')).toBe('No battery data');
  });

  test('says that an update of the configuration is on its way', async () => {
    const update = { type: 1, createdAt: '2026-10-31T00:00:00.000Z' };
    open(buildTank(1), {
      configUpdate: [
        { ...update, _id: '1'.repeat(24), config: { lowSetpoint: 40 }, processedAt: null },
        {
          ...update,
          _id: '2'.repeat(24),
          config: { lowSetpoint: 30 },
          processedAt: '2026-11-01T00:00:00.000Z',
        },
      ],
    });
    expect(await screen.findAllByText(/Pending Configuration Update/)).toHaveLength(1);
    expect(screen.getByText(/^on at 40 %/)).toBeTruthy();
  });

  test('says that a level is invalid, and that a unit is out of contact', async () => {
    const level = { value: null, valueInLitres: null, invalid: true };
    open(buildTank(1, { level, statusTime: ago(26 * HOUR) }));
    expect(
      await screen.findByText(
        'The sensor has reported an invalid value, which may indicate a potential malfunction or error in the sensor.',
      ),
    ).toBeTruthy();
    const element = within(await dialog());
    expect(element.getByText("This unit hasn't been in contact for 1 day, 2 hours, 0 minutes.")).toBeTruthy();
  });

  test('blames the settings for an invalid level where they are at fault, and not the sensor', async () => {
    const level = { value: null, valueInLitres: null, invalid: true };
    const levelFault =
      "The tank's settings can't be: its height (100 mm) is less than its top water level (2500 mm).";
    open(buildTank(1, { level }), { levelFault });
    expect(await screen.findByText(`${levelFault} Please check them in the sensor's form.`)).toBeTruthy();
    expect(screen.queryByText(/potential malfunction/)).toBeNull();
  });

  test('a unit that never reported has not been contacted', async () => {
    open(buildTank(1, { statusTime: null }));
    expect(await screen.findByText('This device has not been contacted.')).toBeTruthy();
    const contact = within(await dialog()).getByText('Last Contact').parentElement;
    expect(contact?.textContent).toBe('Last ContactNo data');
  });
});

describe('a chart tab', () => {
  const asked = (
    api: FakeApi,
    key: 'GET /lvl/history' | 'GET /lvl/waterflow' | 'GET /tank/battery' | 'GET /flow/history',
  ) => api.calls(key).map(({ query }) => Number(query.days));

  test.each([
    ['usage', 'Usage', 'GET /lvl/waterflow', 1, 'Day'],
    ['level', 'Level', 'GET /lvl/history', 1, 'Day'],
    ['battery', 'Battery', 'GET /tank/battery', 7, 'Week'],
    ['flow', 'Flow', 'GET /flow/history', 7, 'Week'],
  ] as const)('%s opens from the address with its own period', async (name, title, key, days, period) => {
    const { api } = open(buildTank(1, { type: sensorTypes.TLM_V3 }), {}, `&tab=${name}`);
    expect(await screen.findByRole('figure', { name: `${title} of Tank 1` })).toBeTruthy();
    expect(chosen()).toBe(title);
    expect(asked(api, key)).toEqual([days]);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: period }).checked).toBe(true);
    const all = screen.getByRole('radiogroup', { name: 'Time period' });
    expect(all.textContent).toBe('DayWeekMonthYearCustom');
  });

  test('its numbers can be read as a table, interpolated ones marked', async () => {
    const { user } = open(buildTank(1), {}, '&tab=level');
    await user.click(await screen.findByRole('button', { name: 'Show as table' }));
    const rows = (await screen.findAllByRole('row')).slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(1)
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ['50.0 %', '41.0 %', '58.0 %', 'Measured'],
      ['51.0 %', '–', '–', 'Interpolated'],
      ['52.0 %', '43.0 %', '60.0 %', 'Measured'],
    ]);
  });

  test('the lowest and the highest are of the readings, not of the means that are drawn', async () => {
    open(buildTank(1), {}, '&tab=level');
    expect((await screen.findByText('Lowest')).parentElement?.textContent).toBe('Lowest41.0%');
    expect(screen.getByText('Highest').parentElement?.textContent).toBe('Highest60.0%');
    expect(screen.getByText('Mean').parentElement?.textContent).toBe('Mean51.0%');
  });

  test('the flow has its litres, their mean over time, and the highest that was read', async () => {
    const { user } = open(buildTank(1, { type: sensorTypes.TLM_V3 }), {}, '&tab=flow');
    // 1,260 L in 135 minutes; the mean of the three would be 12.
    expect((await screen.findByText('Total')).parentElement?.textContent).toBe('Total1,260L');
    expect(screen.getByText('Mean').parentElement?.textContent).toBe('Mean9.3L/min');
    expect(screen.getByText('Highest').parentElement?.textContent).toBe('Highest27.0L/min');
    await user.click(await screen.findByRole('button', { name: 'Show as table' }));
    expect(screen.getAllByText('Shared out')).toHaveLength(1);
  });

  test('the mean use is of whole days, says which, and from when days are known', async () => {
    const tank = buildTank(1, { type: sensorTypes.TLM_V3 });
    const today = dayStart(nz, Date.now());
    const days = [5, 4, 3, 2, 1, 0].map((n) => new Date(addDays(nz, today, -n)).toISOString());
    // By the level 900 L on the day on which it began, then 300; by the meter 600 on each whole day, and 30 so far today.
    const history = usagePoints(days, 600).map((point, n) => ({
      ...point,
      litreValue: [900, 300, 300, 600, 600, 30][n] ?? 0,
      source: n < 3 ? ('level' as const) : ('meter' as const),
    }));
    const api = apiOf(tank).on('GET /lvl/waterflow', { history });
    renderApp(`/dashboard?tank=${tank._id}&tab=usage&period=Month`, { api });
    expect((await screen.findByText('Mean per whole day')).parentElement?.textContent).toMatch(/600L$/);
    expect(screen.getByText('Total').parentElement?.textContent).toBe('Total2,730L');
    const note = screen.getByText(/Nothing is known before/).textContent;
    expect(note).toMatch(/The mean is of 2 whole days, .+ to .+\./);
    expect(note).toMatch(/Counted by the meter since .+; before that it is reckoned from the level, which/);
  });

  test('the battery is in whole percents', async () => {
    const tank = buildTank(1);
    const { user } = open(tank, {}, '&tab=battery');
    await user.click(await screen.findByRole('button', { name: 'Show as table' }));
    const heads = await screen.findAllByRole('columnheader');
    expect(heads.map((cell) => cell.textContent)).toEqual(['Time', 'Battery']);
    expect(screen.getAllByText('82 %').length).toBeGreaterThan(0);
  });

  test.each(['/dashboard', '/tanks'])(
    'with a=1 on %s the battery tab says also volts and charging',
    async (page) => {
      const tank = buildTank(1);
      const { user } = renderApp(`${page}?tank=${tank._id}&tab=battery&a=1`, { api: apiOf(tank) });
      await user.click(await screen.findByRole('button', { name: 'Show as table' }));
      const heads = await screen.findAllByRole('columnheader');
      expect(heads.map((cell) => cell.textContent)).toEqual(['Time', 'Battery', 'Voltage', 'Charging']);
      expect(screen.getByText('Lowest').parentElement?.textContent).toBe('Lowest63%');
      expect(screen.getByText('Lowest voltage').parentElement?.textContent).toBe('Lowest voltage3.69V');
    },
  );

  test('Custom asks for two dates, then shows those days', async () => {
    const { user, api, router } = open(buildTank(1), {}, '&tab=level');
    await screen.findByRole('figure');
    await user.click(screen.getByRole('radio', { name: 'Custom' }));
    const picker = await screen.findByRole('dialog', { name: 'Select date range for sensor data' });
    expect(within(picker).getByText('30 days')).toBeTruthy();
    const dates = within(picker).getAllByText(/^\d{2}\/\d{2}\/\d{4}$/);
    await user.click(within(picker).getByRole('button', { name: 'Show' }));
    await waitFor(() => expect(asked(api, 'GET /lvl/history')).toEqual([1, 30]));
    const stopAt = api.calls('GET /lvl/history')[1]?.query.stopAt;
    expect(stopAt).toMatch(/^\d{2}-\d{2}-\d{4}$/);
    // Day, month, year, wherever the viewer is.
    expect(dates[1]?.textContent).toBe(stopAt?.replaceAll('-', '/'));
    expect(router.state.location.search).toMatchObject({ period: 'Custom', tab: 'level' });
  });

  test('Escape closes the choice of dates alone, and then the tank', async () => {
    const { user, router } = open(buildTank(1), {}, '&tab=level');
    await screen.findByRole('figure');
    await user.click(screen.getByRole('radio', { name: 'Custom' }));
    const name = 'Select date range for sensor data';
    await screen.findByRole('dialog', { name });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull());
    expect(router.state.location.search).toMatchObject({ tank: buildTank(1)._id, tab: 'level' });
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Custom' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('tank'));
  });

  test('Custom needs two dates: with the first alone nothing is shown', async () => {
    const { user, api } = open(buildTank(1), {}, '&tab=level');
    await screen.findByRole('figure');
    await user.click(screen.getByRole('radio', { name: 'Custom' }));
    const picker = within(await screen.findByRole('dialog', { name: 'Select date range for sensor data' }));
    const show = picker.getByRole<HTMLButtonElement>('button', { name: 'Show' });
    expect(show.disabled).toBe(false);
    const [first] = picker.getAllByRole('button', { name: /^\d+ \w+ \d{4}$/ });
    await user.click(first as HTMLElement);
    expect(picker.getByText('Last day')).toBeTruthy();
    expect(show.disabled).toBe(true);
    await user.click(first as HTMLElement);
    expect(picker.getByText('1 day')).toBeTruthy();
    expect(show.disabled).toBe(false);
    expect(asked(api, 'GET /lvl/history')).toEqual([1]);
  });

  test('a custom period without its dates asks for 60 days', async () => {
    const { api } = open(buildTank(1), {}, '&tab=level&period=Custom');
    await screen.findByRole('figure');
    expect(api.calls('GET /lvl/history').map(({ query }) => [Number(query.days), query.stopAt])).toEqual([
      [60, undefined],
    ]);
    expect(screen.getByRole('button', { name: 'Select dates' })).toBeTruthy();
  });

  test('the keyboard opens a tank and changes the period', async () => {
    const tank = buildTank(1);
    const { user, router } = open(tank);
    act(() => void router.navigate({ to: '/dashboard', search: {} }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const link = await screen.findByRole('link', { name: 'Tank 1' });
    link.focus();
    await user.keyboard('{Enter}');
    (await tab('Details')).focus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(chosen()).toBe('Level');
    const day = await screen.findByRole('radio', { name: 'Day' });
    day.focus();
    await user.keyboard('{ArrowRight}');
    await waitFor(() => expect(router.state.location.search).toMatchObject({ period: 'Week' }));
  });
});
