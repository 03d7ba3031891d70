import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { FakeApi } from '../../testing/fake-api.ts';
import { permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';

const of = (type: string, file = new File(['name;serial\nA1;IPC1'], 'pods.csv')) => ({
  dataTransfer: { types: [type], files: type === 'Files' ? [file] : [] },
});
const hint = `Drop the file to see what it would do to ${rakaia.name}. Nothing is changed before that.`;
const unchanged = () =>
  new FakeApi().on('POST /import/plan', {
    revision: '1',
    notes: [],
    newGroups: [],
    counts: { add: 0, change: 0, choose: 0, same: 1, 'left out': 0 },
    rows: [],
  });
const open = async (api: FakeApi) => {
  renderApp(`/group-status/FARM?farm=${rakaia._id}`, { api });
  await screen.findByRole('heading', { name: rakaia.name });
};

test('a file that is dragged over the map is asked for, and opens the plan where it is dropped', async () => {
  await open(unchanged());
  // Who takes it is loaded after the map.
  await waitFor(() => {
    fireEvent.dragEnter(window, of('Files'));
    expect(screen.getByText(hint)).toBeTruthy();
  });
  fireEvent.dragLeave(window, of('Files'));
  expect(screen.queryByText(hint)).toBeNull();
  fireEvent.dragEnter(window, of('text/plain'));
  expect(screen.queryByText(hint)).toBeNull();
  fireEvent.drop(window, of('Files'));
  expect(await screen.findByText('Nothing would change. 1 is the same.')).toBeTruthy();
});

test('of several files that are dropped together one is taken, and it is said which', async () => {
  await open(unchanged());
  await waitFor(() => {
    fireEvent.dragEnter(window, of('Files'));
    expect(screen.getByText(hint)).toBeTruthy();
  });
  const files = ['A.csv', 'B.csv'].map((name) => new File(['name;serial\nA1;IPC1'], name));
  fireEvent.drop(window, { dataTransfer: { types: ['Files'], files } });
  expect(await screen.findByText('Nothing would change. 1 is the same.')).toBeTruthy();
  expect(screen.getByText('One file at a time: A.csv was taken.')).toBeTruthy();
});

test('who may not import is asked for no file', async () => {
  await open(
    new FakeApi().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.guest)] }),
  );
  // What would take it is there by now.
  await import('./file-drop.tsx');
  await new Promise((done) => setTimeout(done));
  fireEvent.dragEnter(window, of('Files'));
  expect(screen.queryByText(hint)).toBeNull();
});
