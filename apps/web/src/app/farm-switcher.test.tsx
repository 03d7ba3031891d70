import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { rakaia, waihao } from '../testing/fixtures.ts';
import { renderApp } from '../testing/render-app.tsx';
import { buildIpc, buildRepeater } from '../features/devices/device-fixtures.ts';
import { membersApi, north } from '../features/groups/group-fixtures.ts';

const [here, there] = [rakaia._id, waihao._id];

test.each([
  [`/group/devices-list/${here}/${north._id}`, `/?t=g&f=${there}`],
  [`/group/devices-map/${here}/${north._id}`, `/?t=g&f=${there}`],
  [`/group/new/${here}`, `/?t=g&f=${there}`],
  [`/irrigation-devices/${here}?q=A1`, `/irrigation-devices/${there}`],
  [`/irrigation-device/${here}/${buildIpc(1)._id}`, `/irrigation-devices/${there}`],
  [`/pois/new/${here}`, `/pois/${there}`],
  [`/irr-diary-logs/view/${here}?period=Week`, `/irr-diary-logs/view/${there}`],
  [`/schedules/view/${here}?tab=table`, `/schedules/view/${there}`],
  [`/?t=g&f=${here}`, `/?t=g&f=${there}`],
])('choosing another farm on %s opens %s', async (path, opened) => {
  const api = membersApi().on('GET /repeater', buildRepeater(1));
  const { user, router } = renderApp(path, { api });
  await user.click(await screen.findByRole('button', { name: /^Current farm: Rākaia Downs/ }));
  const farms = within(await screen.findByRole('listbox', { name: 'Farms' }));
  await user.click(farms.getByRole('option', { name: /Waihao Flats/ }));
  await waitFor(() => expect(router.state.location.href).toBe(opened));
  expect(await screen.findByRole('button', { name: /^Current farm: Waihao Flats/ })).toBeTruthy();
});
