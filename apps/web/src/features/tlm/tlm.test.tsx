import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia, uid, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
// Its code is there when the first test begins to wait.
import './tlm-pages.ts';

const box = (name: RegExp) => screen.findByRole('textbox', { name });

test('everybody may read what tank telemetry is, and go on from there', async () => {
  renderApp('/tlm', { as: null });
  expect(await screen.findByRole('heading', { level: 1, name: 'Tank telemetry' })).toBeTruthy();
  const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
  expect(href('Ask for tank telemetry')).toBe('/tlm/signup');
  expect(href('Add a unit you have')).toBe('/tlm/add');
});

test('asking for it needs no account', async () => {
  const api = new FakeApi().on('POST /tlm/signup', { id: uid(5) });
  const { user } = renderApp('/tlm/signup', { api, as: null });
  await user.type(await box(/^Name/), 'Hemi Parata');
  await user.type(await box(/^E-mail/), 'hemi@farm.test');
  await user.selectOptions(await screen.findByRole('combobox', { name: /Country code/ }), '64');
  await user.type(await box(/^Mobile/), '021 555 0199');
  await user.type(await box(/^Farm name/), 'Parata Hills');
  await user.type(await box(/^Number of tanks/), '4');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(/Your details are with us/)).toBeTruthy();
  expect(api.calls('POST /tlm/signup').map(({ body }) => body)).toEqual([
    {
      name: 'Hemi Parata',
      email: 'hemi@farm.test',
      countryCode: 64,
      mobile: '0215550199',
      farmName: 'Parata Hills',
      tanks: 4,
    },
  ]);
});

test('what is missing is said at its field', async () => {
  const { user } = renderApp('/tlm/signup', { as: null });
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Farm name is required.')).toBeTruthy();
  expect(screen.getByText('Number of tanks is required.')).toBeTruthy();
});

test('who is not signed in is led there and back', async () => {
  renderApp('/tlm/add', { as: null });
  const link = await screen.findByRole('link', { name: 'Sign in' });
  expect(link.getAttribute('href')).toBe('/login?redirect=%2Ftlm%2Fadd');
});

test('a unit is added to a farm where one may add sensors, with its MAC from the register', async () => {
  const api = new FakeApi()
    .on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia, presets.guest), permissionsOn(waihao)],
    })
    .on('GET /macsensor', {
      mac: '70B3D57ED0001234',
      currentlyActive: false,
      isSpare: false,
      name: '',
      farmName: '',
      farmUID: '',
      channel: 3,
      spfactor: 7,
    })
    .on('POST /sensor', new Failure(400, 'Taken.', { field: 'macAddress' }));
  const { user } = renderApp('/tlm/add', { api });
  const farms = await screen.findByRole('combobox', { name: /^Farm/ });
  expect([...farms.querySelectorAll('option')].map((option) => option.textContent)).toEqual([waihao.name]);
  await user.type(await box(/^Serial number/), 'TLM4711');
  expect(await screen.findByText('MAC address found.')).toBeTruthy();
  expect((await box(/^MAC address/)).getAttribute('value')).toBe('70B3D57ED0001234');
  await user.type(await box(/^Name/), 'Hill tank');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() =>
    expect(api.calls('POST /sensor').map(({ body }) => body)).toEqual([
      {
        farmUID: waihao._id,
        name: 'Hill tank',
        serialNumber: 'TLM4711',
        macAddress: '70B3D57ED0001234',
        type: 100,
      },
    ]),
  );
  expect((await screen.findAllByText('Taken.')).length).toBeGreaterThan(0);
});
