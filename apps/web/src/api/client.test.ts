import { describe, expect, test, vi } from 'vitest';
import { FakeApi, Failure, UNREACHABLE } from '../testing/fake-api.ts';
import { FakeSocket } from '../testing/fake-socket.ts';
import { buildLogin, rakaia } from '../testing/fixtures.ts';
import { ApiError, call } from './client.ts';
import { connectLive } from './live.ts';
import { pageId } from './page-id.ts';
import { session, signIn } from './session.ts';

function serve(api = new FakeApi()): FakeApi {
  vi.stubGlobal('fetch', api.fetch);
  return api;
}

const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error('It did not fail as a call fails');
};

describe('a call', () => {
  test('carries the raw token and the same device each time', async () => {
    const api = serve();
    signIn(buildLogin());
    await call('GET /farms-card');
    await call('GET /settings');
    const [first] = api.calls('GET /farms-card');
    const [second] = api.calls('GET /settings');
    expect(first?.headers.get('authorization')).toBe('token-of-aroha');
    expect(first?.headers.get('deviceuid')).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.headers.get('deviceuid')).toBe(first?.headers.get('deviceuid'));
  });

  test('that changes something names its page, as its live connection does', async () => {
    const api = serve();
    const live = connectLive('token', { onFrame() {}, onOpen() {}, onState() {}, onRefused() {} });
    await call('PUT /settings', { body: { data: {}, version: 6 } });
    await call('GET /settings');
    live.close();
    expect(FakeSocket.last.sent[0]).toEqual({ type: 'client_id', data: { clientId: pageId } });
    expect(api.calls('PUT /settings')[0]?.headers.get('clientid')).toBe(pageId);
    expect(api.calls('GET /settings')[0]?.headers.has('clientid')).toBe(false);
  });

  test('puts its query in the address and its body in JSON', async () => {
    const api = serve();
    await call('GET /farm', { query: { uid: rakaia._id } });
    await call('POST /account/auth', { body: { email: 'a@b.nz', password: 'secret' } });
    expect(api.calls('GET /farm')[0]?.query).toEqual({ uid: rakaia._id });
    expect(api.calls('POST /account/auth')[0]?.body).toEqual({ email: 'a@b.nz', password: 'secret' });
  });

  test('fails with what the server says and where to find it in its log', async () => {
    serve(new FakeApi().on('GET /farms-card', new Failure(403, 'Not for you.')));
    const error = await failureOf(call('GET /farms-card'));
    expect(error).toMatchObject({ status: 403, errorMessage: 'Not for you.', requestId: 'req-1' });
  });

  test('for a farm that is not there finds nothing, although the server says so without an error', async () => {
    const none = new Response(null, { status: 204 });
    vi.stubGlobal('fetch', () => Promise.resolve(none));
    const error = await failureOf(call('GET /farm', { query: { uid: rakaia._id } }));
    expect(error).toMatchObject({
      status: 404,
      errorMessage: "Sorry, we couldn't find what you're looking for.",
    });
  });

  test('fails with the text of a sign-in', async () => {
    serve(new FakeApi().on('POST /account/auth', new Failure(401, "User doesn't exist.")));
    const error = await failureOf(
      call('POST /account/auth', { body: { email: 'a@b.nz', password: 'secret' } }),
    );
    expect(error.errorMessage).toBe("User doesn't exist.");
  });

  test('says so when the server cannot be reached, and when a proxy answers in its place', async () => {
    serve(new FakeApi().on('GET /farms-card', UNREACHABLE));
    expect(await failureOf(call('GET /farms-card'))).toMatchObject({
      status: 0,
      errorMessage: "Server couldn't be reached",
    });
    const page = new Response('<h1>Bad gateway</h1>', {
      status: 502,
      headers: { 'content-type': 'text/html' },
    });
    vi.stubGlobal('fetch', () => Promise.resolve(page));
    expect((await failureOf(call('GET /farms-card'))).errorMessage).toBe("Server couldn't be reached");
  });

  test('that is called off is no failure of the server', async () => {
    serve(new FakeApi().on('GET /farms-card', () => new Promise(() => undefined)));
    const control = new AbortController();
    const pending = call('GET /farms-card', { signal: control.signal });
    control.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('that is refused as unknown ends the session', async () => {
    serve(new FakeApi().on('GET /farms-card', new Failure(401, 'Please sign in.')));
    signIn(buildLogin());
    await failureOf(call('GET /farms-card'));
    expect(session().logged).toBe(false);
  });

  test('of an older session does not end the one after it', async () => {
    let refuse = () => undefined as void;
    const refused = new Promise<Failure>((resolve) => {
      refuse = () => resolve(new Failure(401, 'Please sign in.'));
    });
    serve(new FakeApi().on('GET /farms-card', () => refused));
    signIn(buildLogin({ token: 'old' }));
    const pending = failureOf(call('GET /farms-card'));
    signIn(buildLogin({ token: 'new' }));
    refuse();
    await pending;
    expect(session().token).toBe('new');
  });
});
