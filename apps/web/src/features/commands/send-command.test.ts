import { beforeEach, expect, test, vi } from 'vitest';
import { signIn } from '../../api/session.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { buildLogin, rakaia, uid } from '../../testing/fixtures.ts';
import { toast } from '../../ui/toasts.ts';
import { sendCommand, WHOLE_FARM } from './send-command.ts';

let api: FakeApi;
let shown: string[];
beforeEach(() => {
  api = new FakeApi().on('POST /commands/send', { commandId: uid(1), status: 'queued' });
  vi.stubGlobal('fetch', api.fetch);
  signIn(buildLogin());
  shown = [];
  for (const kind of ['loading', 'success', 'error'] as const) {
    const show = toast[kind];
    vi.spyOn(toast, kind).mockImplementation((text, options) => {
      shown.push(`${kind}: ${text}`);
      return show(text, options);
    });
  }
  return () => vi.restoreAllMocks();
});
const types = () => api.calls('POST /commands/send').map(({ body }) => body.type);

test.each(['UpdateSchedule', 'SendScheduleSet', 'IncScheduleAll'] as const)(
  '%s says how long the gateway may take',
  async (command) => {
    await sendCommand({ command, farmUID: rakaia._id, target: WHOLE_FARM });
    expect(shown).toEqual([
      'loading: Processing your command...',
      'success: Command successfully sent! It is processed at the gateway and may take up to 3 minutes per device.',
    ]);
  },
);

test('a payload goes with its command, not with the Ping', async () => {
  const payload = { relay: 2, set: true };
  await sendCommand({ command: 'ToggleIO', farmUID: rakaia._id, target: WHOLE_FARM, payload });
  expect(api.calls('POST /commands/send').map(({ body }) => body.payload)).toEqual([undefined, payload]);
});

test('without a Ping where the caller says so', async () => {
  await sendCommand({ command: 'Poll', farmUID: rakaia._id, target: WHOLE_FARM, skipPing: true });
  expect(types()).toEqual([1]);
});

test('a refusal is told once, and handed on', async () => {
  api.on('POST /commands/send', new Failure(505, 'x'));
  const sending = sendCommand({ command: 'Poll', farmUID: rakaia._id, target: WHOLE_FARM });
  await expect(sending).rejects.toThrow('x');
  expect(shown.slice(1)).toEqual(['error: Gateway currently unavailable.']);
});

test('a relay has its own words for what was sent', async () => {
  await sendCommand({ command: 'ToggleIO', farmUID: rakaia._id, target: WHOLE_FARM });
  expect(shown.at(-1)).toBe('success: Command sent successfully!');
});

test.each([
  [
    new Failure(409, 'Linked tank is almost full, manual control not allowed.'),
    'Linked tank is almost full, manual control not allowed.',
  ],
  [
    new Failure(500, 'Something went wrong on the server. Please try again.'),
    'Failed to send command, please try again later.',
  ],
])("a relay's failure is the server's own sentence, where it has one: %s", async (failure, text) => {
  api.on('POST /commands/send', failure);
  const sending = sendCommand({ command: 'ToggleIO', farmUID: rakaia._id, target: WHOLE_FARM });
  await expect(sending).rejects.toThrow();
  expect(shown.at(-1)).toBe(`error: ${text}`);
});
