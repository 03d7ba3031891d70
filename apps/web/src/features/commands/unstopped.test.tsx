import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { deviceApi } from '../devices/device-fixtures.ts';
import { permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildCommand, buildDetails, buildUnit } from './command-fixtures.ts';
import './command-details.tsx';
import './command-drawer.tsx';
import { unstoppedTexts } from './unstopped-lines.tsx';

const none = { saidOpen: 0, mayBeOpen: 0, saidClosed: 0, notKnown: 0, shelved: 0 };

test.each([
  [{ ...none, saidOpen: 2 }, ['2 said open when last heard: close the line by hand, or go there.']],
  [{ ...none, mayBeOpen: 1 }, ['1 may be open: opened, and not said to be closed since.']],
  [{ ...none, notKnown: 3 }, ['3 never said how the valve is.']],
  [
    { ...none, saidClosed: 4, notKnown: 3, shelved: 3 },
    [
      '4 said closed when last heard.',
      '3 never said how the valve is, and may lie on a shelf: spare or out of service.',
    ],
  ],
  [
    { ...none, notKnown: 1200, shelved: 1 },
    ['1,200 never said how the valve is; 1 of them spare or out of service, maybe on a shelf.'],
  ],
])('of %j it is said what is known', (unstopped, texts) => {
  expect(unstoppedTexts(unstopped)).toEqual(texts);
});

test('the log says of Valves Off how those that did not answer stand, the worst first', async () => {
  const command = buildCommand(1, {
    command: 'TurnGroupValvesOff',
    state: 'failed',
    total: 3,
    done: 1,
    failed: 2,
  });
  const units = [buildUnit(1), buildUnit(2, { state: 'failed' }), buildUnit(3, { state: 'failed' })];
  const api = deviceApi()
    .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.farmManager)] })
    .on('GET /commands', { commands: [command], more: false })
    .on('GET /command', buildDetails(command, { units, unstopped: { ...none, saidOpen: 1, saidClosed: 1 } }));
  renderApp(`/commands/${rakaia._id}?command=${command._id}`, { api });
  const about = within(await screen.findByRole('group', { name: 'About this command' }));
  const [open, closed] = [
    await about.findByText('1 said open when last heard: close the line by hand, or go there.'),
    about.getByText('1 said closed when last heard.'),
  ];
  expect(open.compareDocumentPosition(closed)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
