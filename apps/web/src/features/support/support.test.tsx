import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { FakeApi, Failure } from '../../testing/fake-api.ts';
import { HOUR, rakaia, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { staff } from '../sharing/sharing-fixtures.ts';

const farm = (over: object = {}) => ({
  farmUID: waihao._id,
  name: waihao.name,
  ownerName: 'Hemi Tau',
  ownerEmail: 'hemi@headrace.test',
  sessionUntil: null,
  ...over,
});
const soon = () => new Date(Date.now() + HOUR).toISOString();
const serve = (...farms: ReturnType<typeof farm>[]) => new FakeApi().on('GET /support/farms', { farms });

describe('support', () => {
  test('is there for staff alone', async () => {
    const { api } = renderApp('/support');
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
    expect(api.calls('GET /support/farms')).toHaveLength(0);
  });

  test('finds farms by how they begin', async () => {
    const api = serve().on('GET /support/farms', ({ query }) => ({
      farms: query.value === 'wai' ? [farm()] : [],
    }));
    const { user } = renderApp('/support', { api, as: staff });
    expect(await screen.findByText('No session is open.')).toBeTruthy();
    await user.type(screen.getByRole('searchbox'), 'wai');
    expect(await screen.findByText('Hemi Tau, hemi@headrace.test')).toBeTruthy();
  });

  test('opens a session with a reason of ten characters', async () => {
    const api = serve(farm()).on('POST /support/session', farm({ sessionUntil: soon() }));
    const { user } = renderApp('/support', { api, as: staff });
    await user.click(await screen.findByRole('button', { name: 'Open a session on Waihao Flats' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Open a session on Waihao Flats?' }));
    await user.type(dialog.getByRole('textbox'), 'Help');
    await user.click(dialog.getByRole('button', { name: 'Open session' }));
    expect(await dialog.findByText('Reason must have at least 10 characters.')).toBeTruthy();
    await user.type(dialog.getByRole('textbox'), ' with a tank that reads nothing');
    api.on('GET /support/farms', { farms: [farm({ sessionUntil: soon() })] });
    await user.click(dialog.getByRole('button', { name: 'Open session' }));
    expect(await screen.findByText('Support session on Waihao Flats opened.')).toBeTruthy();
    expect(api.calls('POST /support/session').map(({ body }) => body)).toEqual([
      { farmUID: waihao._id, reason: 'Help with a tank that reads nothing' },
    ]);
    expect(await screen.findByText(/^Session open until .* \(60 min left\)$/)).toBeTruthy();
    await waitFor(() => expect(api.calls('GET /permissions-list').length).toBeGreaterThan(1));
  });

  test('that is refused says why', async () => {
    const api = serve(farm()).on('POST /support/session', new Failure(404, 'The farm was deleted.'));
    const { user } = renderApp('/support', { api, as: staff });
    await user.click(await screen.findByRole('button', { name: /^Open a session/ }));
    await user.type(await screen.findByRole('textbox', { name: /^Reason/ }), 'The owner asked for it.');
    await user.click(screen.getByRole('button', { name: 'Open session' }));
    expect(await screen.findByText('The farm was deleted.')).toBeTruthy();
  });

  test('shows on every page of the farm that a session is open, and closes it', async () => {
    const open = farm({ farmUID: rakaia._id, name: rakaia.name, sessionUntil: soon() });
    const api = serve(open).on('DELETE /support/session', { success: true });
    const { user } = renderApp('/', { api, as: staff });
    expect(await screen.findByText('Support session on Rākaia Downs')).toBeTruthy();
    api.on('GET /support/farms', { farms: [] });
    await user.click(screen.getByRole('button', { name: 'Close session' }));
    expect(await screen.findByText('Support session closed.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Support session on Rākaia Downs')).toBeNull());
    expect(api.calls('DELETE /support/session')[0]?.query).toEqual({ farmUID: rakaia._id });
  });

  test('says nothing on a farm without a session', async () => {
    const api = serve(farm({ sessionUntil: soon() }));
    renderApp('/', { api, as: staff });
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    await waitFor(() => expect(api.calls('GET /support/farms')).toHaveLength(1));
    expect(screen.queryByText(/^Support session on/)).toBeNull();
  });
});
