import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import '../../../app/many-pages.tsx';
import { Failure } from '../../../testing/fake-api.ts';
import { buildFarmRecord, rakaia, uid } from '../../../testing/fixtures.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { buildIpc, deviceApi, farmUID, pumpGroup, shedGateway } from '../../devices/device-fixtures.ts';

const MAC = '00158D0000900001';

/** A register that knows the MACs of serial numbers that begin with IPC, and one number that is in use. */
function api() {
  return deviceApi({ ipcs: [buildIpc(1)] })
    .on('POST /ipc/bulk-check', ({ body }) => ({
      units: body.units.map(({ serialNumber, macAddress }) => ({
        macAddress: macAddress || (serialNumber.startsWith('IPC') ? MAC : ''),
        serialNumberFault: serialNumber === 'USED' ? 'Serial number USED is in use.' : null,
        macAddressFault: null,
      })),
    }))
    .on('POST /ipc/bulk-add', ({ body }) => ({ ids: body.units.map((_unit, n) => uid(3000 + n)) }));
}

const table = [
  'Name\tSerial\tGroup\tGateway\tLat\tLong',
  'B1\tIPC7\tPump\tshed\t-43,7\t172,1',
  'B2\tUSED\t\t\t\t',
  'A1\tIPC9\t\t\t\t',
  'Trough\tX1\tWest\t\tnorth\t172',
].join('\n');

describe('a pasted table', () => {
  const paste = async (fake = api()) => {
    const view = renderApp(`/irrigation-device/paste/${farmUID}`, { api: fake });
    const box = await screen.findByRole('textbox', { name: 'Rows from a spreadsheet' });
    await view.user.click(box);
    await view.user.paste(table);
    return { ...view, api: fake };
  };
  const rowOf = (n: string) => screen.getByRole('cell', { name: n }).closest('tr')!;

  test('says of each row what it would do or why not, and adds those that are fine in one step', async () => {
    const { user, api: fake, router } = await paste();
    const add = await screen.findByRole('button', { name: 'Add 2 sprinklers' });
    expect(add).toHaveProperty('disabled', true);
    await screen.findByText('2 rows need a change, or can be left out.');
    expect(within(rowOf('2')).getByText(`Adds B1, MAC ${MAC}.`, { exact: false })).toBeTruthy();
    expect(within(rowOf('3')).getByText('Serial number: Serial number USED is in use.')).toBeTruthy();
    expect(within(rowOf('4')).getByText(/Another sprinkler has this name\./)).toBeTruthy();
    expect(within(rowOf('5')).getByText('Groups: The farm has no group West.')).toBeTruthy();
    expect(
      within(rowOf('5')).getByText("Latitude: 'north' isn't a number of degrees, like -43.75."),
    ).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Leave out 2 rows with faults' }));
    await user.click(add);
    await waitFor(() => expect(router.state.location.pathname).toBe(`/irrigation-devices/${farmUID}`));
    const { units } = fake.calls('POST /ipc/bulk-add')[0]!.body;
    expect(units).toEqual([
      expect.objectContaining({
        name: 'B1',
        serialNumber: 'IPC7',
        macAddress: MAC,
        lat: -43.7,
        lng: 172.1,
        groups: [pumpGroup],
        gatewayUID: shedGateway,
        farmId: '01:02',
        channel: 4,
      }),
      expect.objectContaining({ name: 'A1', serialNumber: 'IPC9', lat: null, groups: [], gatewayUID: null }),
    ]);
  });

  test('says of a row how far away it is, refuses what cannot be, and asks before it is saved', async () => {
    const text = [
      'Name\tSerial\tLat\tLong',
      `C1\tIPC1\t${rakaia.lat}\t${rakaia.lng}`,
      // 0.3° of latitude north of its boundary at -43.74 are 33 km.
      `C2\tIPC2\t${-43.74 + 0.3}\t${rakaia.lng}`,
    ].join('\n');
    const asks = new Failure(400, 'C2 would stand 33 km from Rākaia Downs. Save it there?', {
      code: 'invalid',
      field: 'confirmFar',
    });
    const fake = api().on('POST /ipc/bulk-add', ({ body }) =>
      body.confirmFar ? { ids: [uid(3001), uid(3002)] } : asks,
    );
    const { user, router } = renderApp(`/irrigation-device/paste/${farmUID}`, { api: fake });
    const box = await screen.findByRole('textbox', { name: 'Rows from a spreadsheet' });
    await user.click(box);
    await user.paste(text);
    await screen.findByText('All are added, or none.');
    expect(within(rowOf('2')).queryByText(/This place is/)).toBeNull();
    expect(within(rowOf('3')).getByText(/This place is 33 km from Rākaia Downs\./)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add 2 sprinklers' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Is this meant?' }));
    expect(dialog.getByText(/^C2 would stand 33 km/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Add them' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/irrigation-devices/${farmUID}`));
    expect(fake.calls('POST /ipc/bulk-add').map(({ body }) => body.confirmFar)).toEqual([undefined, true]);
  });

  test('of a thousand rows is put where the cursor is, and judged', async () => {
    const { user } = renderApp(`/irrigation-device/paste/${farmUID}`, { api: api() });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', {
      name: 'Rows from a spreadsheet',
    });
    const rows = Array.from({ length: 1000 }, (_none, n) => `C${n}\tIPC${n}\t\t-43.7\t172.1`);
    await user.click(box);
    await user.paste(`Name\tSerial\tMAC\tLat\tLong\n${rows.join('\n')}`);
    expect(box.value.split('\n')).toHaveLength(1001);
    expect(await screen.findByRole('button', { name: 'Add 1,000 sprinklers' })).toBeTruthy();
    expect(screen.getByText('…and 800 more rows.')).toBeTruthy();
  });

  test('is read otherwise when a column is named otherwise', async () => {
    const { user } = await paste();
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Column 1' }), 'Description');
    expect((await screen.findAllByText('Name: Name is required.')).length).toBe(4);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Column 2' }), 'Name');
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Column 2' }).value).toBe('name');
  });

  test('stays with what the server says when it is refused', async () => {
    const fake = api().on(
      'POST /ipc/bulk-add',
      new Failure(400, 'Row 1: This MAC address is already in use. Nothing was added.'),
    );
    const { user } = await paste(fake);
    await user.click(await screen.findByRole('checkbox', { name: 'Leave out 2 rows with faults' }));
    await user.click(screen.getByRole('button', { name: 'Add 2 sprinklers' }));
    expect(
      await screen.findByText('Row 1: This MAC address is already in use. Nothing was added.'),
    ).toBeTruthy();
    expect(fake.calls('POST /ipc/bulk-check').length).toBeGreaterThan(1);
  });
});

describe('sprinklers placed one after the other', () => {
  const place = async (user: ReturnType<typeof renderApp>['user'], lat: string, lng: string) => {
    for (const [name, text] of [
      ['Latitude', lat],
      ['Longitude', lng],
    ] as const) {
      const box = await screen.findByRole('textbox', { name });
      await user.clear(box);
      await user.type(box, text);
    }
    await user.keyboard('{Enter}');
  };

  test('are named on, carry the line on, and are saved together; those without a number stay', async () => {
    const fake = api().on('GET /farm', buildFarmRecord(rakaia));
    const { user } = renderApp(`/irrigation-device/map/${farmUID}`, { api: fake });
    await place(user, '-43.75', '172.02');
    await screen.findByText('1 sprinkler placed');
    await place(user, '-43.7501', '172.02');
    await user.click(await screen.findByRole('button', { name: 'Place A4 where the line goes on' }));
    await screen.findByText('3 sprinklers placed');
    await user.type(screen.getByRole('textbox', { name: 'Serial number of A2' }), 'IPC7');
    await user.type(screen.getByRole('textbox', { name: 'Serial number of A4' }), 'IPC8');
    const save = await screen.findByRole('button', { name: 'Save 2 sprinklers' });
    await waitFor(() => expect(save).toHaveProperty('disabled', false));
    await user.click(save);
    await screen.findByText('1 sprinkler placed');
    expect(
      fake
        .calls('POST /ipc/bulk-add')[0]
        ?.body.units.map(({ name, lat, macAddress }) => [name, lat, macAddress]),
    ).toEqual([
      ['A2', -43.75, MAC],
      ['A4', -43.7502, MAC],
    ]);
    // What is left is looked up anew first.
    expect(
      await screen.findByText('1 needs its serial number or a change, and stays here until then.'),
    ).toBeTruthy();
  });
});
