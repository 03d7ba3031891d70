import { beforeEach, expect, test, vi } from 'vitest';
import type { CommandName } from '@headrace/contract/command-types';
import { signIn } from '../../api/session.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
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

test.each([
  ['IncTimeSet', 'Command successfully sent!'],
  ['Inhibit', 'Command successfully sent!'],
  ['ToggleIO', 'Command sent successfully!'],
  ['UpdateINCList', 'Update command successfully sent!'],
] as const)('%s has its own words for what was sent: %s', async (command, text) => {
  await sendCommand({ command, farmUID: rakaia._id, target: WHOLE_FARM });
  expect(shown.at(-1)).toBe(`success: ${text}`);
});

const failedBy = async (command: CommandName, failure: Failure) => {
  api.on('POST /commands/send', failure);
  const sending = sendCommand({ command, farmUID: rakaia._id, target: WHOLE_FARM });
  await expect(sending).rejects.toThrow();
  return shown.at(-1);
};

test.each([
  ['IncTimeSet', 'Oops, something went wrong.'],
  ['Inhibit', 'Oops, something went wrong.'],
  ['ToggleIO', 'Failed to send command, please try again later.'],
  ['Poll', 'Failed to send poll command.'],
  ['PollGroup', 'Failed to send poll command.'],
  ['UpdateSchedule', 'Failed to send schedule.'],
  ['SendScheduleSet', 'Failed to send schedule.'],
] as const)('%s that fails without a reason has its own words: %s', async (command, text) => {
  const ofServer = new Failure(500, 'Something went wrong on the server. Please try again.');
  expect(await failedBy(command, ofServer)).toBe(`error: ${text}`);
});

test.each(['IncTimeSet', 'ToggleIO', 'Poll', 'UpdateSchedule', 'PollGroup'] as const)(
  "%s that fails with a reason says the server's own sentence, and where none came that it was not reached",
  async (command) => {
    const full = 'Linked tank is almost full, manual control not allowed.';
    expect(await failedBy(command, new Failure(409, full))).toBe(`error: ${full}`);
    expect(await failedBy(command, UNREACHABLE)).toBe("error: Server couldn't be reached");
  },
);
