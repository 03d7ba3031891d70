import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type CommandName, commandTypes } from '@headrace/contract/command-types';
import { missServer } from '../../api/reach.ts';
import { signIn } from '../../api/session.ts';
import { Failure, FakeApi, UNREACHABLE } from '../../testing/fake-api.ts';
import { buildLogin, rakaia, uid } from '../../testing/fixtures.ts';
import { toast } from '../../ui/toasts.ts';
import { buildBehind, buildCommand } from './command-fixtures.ts';
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

test('what waits for another command says so, and where it can be taken back', async () => {
  const other = buildCommand(1, { command: 'PollGroup', name: 'North', state: 'sent', total: 40, done: 3 });
  api.on('POST /commands/send', { commandId: uid(1), status: 'queued', behind: buildBehind(other) });
  await sendCommand({ command: 'ChangeGroupComms', farmUID: rakaia._id, target: WHOLE_FARM });
  expect(shown.at(-1)).toBe(
    'success: Command successfully sent! It waits for Poll Group, North, sent by Aroha Ngata (3 of 40 done). Until its turn comes, it can be cancelled under Commands.',
  );
});

test('a payload goes with its command, not with the Ping', async () => {
  const payload = { relay: 2, set: true };
  await sendCommand({ command: 'ToggleIO', farmUID: rakaia._id, target: WHOLE_FARM, payload });
  expect(api.calls('POST /commands/send').map(({ body }) => body.payload)).toEqual([undefined, payload]);
});

test('the Ping asks the gateway that the command is for', async () => {
  const target = { name: 'Pivot 3', mac: '0004A30B001C0530', serialNumber: 'IPC-3' };
  await sendCommand({ command: 'Poll', farmUID: rakaia._id, target });
  const payload = { groupUID: uid(7), commsMode: 1 };
  await sendCommand({ command: 'ChangeGroupComms', farmUID: rakaia._id, target: WHOLE_FARM, payload });
  expect(api.calls('POST /commands/send').map(({ body }) => body)).toMatchObject([
    { type: 23, ...target },
    { type: 1, ...target },
    { type: 23, mac: '-', payload: { groupUID: uid(7) } },
    { type: 20, mac: '-', payload },
  ]);
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

test('an opened valve can be closed from the message that says it was sent', async () => {
  const target = { name: 'Pivot 3', mac: '0004A30B001C0530', serialNumber: 'IPC-3' };
  const offered: (() => void)[] = [];
  vi.mocked(toast.success).mockImplementation((text, options) => {
    if (options?.action?.label === 'Valve Off') offered.push(options.action.run);
    shown.push(`success: ${text}`);
    return text;
  });
  const payload = { maxOpenMinutes: 20 };
  await sendCommand({ command: 'ValveOn', farmUID: rakaia._id, target, payload, skipPing: true });
  expect(offered).toHaveLength(1);
  offered[0]?.();
  await expect.poll(() => shown.at(-1)).toBe('success: Command successfully sent!');
  await expect.poll(types).toEqual([commandTypes.ValveOn, 23, commandTypes.ValveOff]);
  expect(api.calls('POST /commands/send').at(-1)?.body).toMatchObject(target);
});

const NOT_SENT = "Server couldn't be reached. The command was not sent, and is not kept to be sent later.";
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
    expect(await failedBy(command, UNREACHABLE)).toBe(`error: ${NOT_SENT}`);
  },
);

test('a command that had gone out when the answer failed to come may have been sent', async () => {
  api.on('POST /commands/send', ({ body }) =>
    body.type === commandTypes.Ping ? { commandId: uid(1), status: 'queued' } : UNREACHABLE,
  );
  const sending = sendCommand({ command: 'ValveOn', farmUID: rakaia._id, target: WHOLE_FARM });
  await expect(sending).rejects.toThrow();
  expect(shown.at(-1)).toBe(
    "error: Server couldn't be reached. It isn't known whether the command was sent. Look under Commands.",
  );
});

test('a stop that may have been sent is to be sent again, not looked up first', async () => {
  api.on('POST /commands/send', UNREACHABLE);
  const stop = { command: 'TurnGroupValvesOff', skipPing: true } as const;
  await expect(sendCommand({ ...stop, farmUID: rakaia._id, target: WHOLE_FARM })).rejects.toThrow();
  expect(shown.at(-1)).toBe(
    "error: Server couldn't be reached. It isn't known whether the command was sent. Send it again.",
  );
});

describe('one tap', () => {
  const order = { command: 'ValveOn', farmUID: rakaia._id, target: WHOLE_FARM, skipPing: true } as const;
  const names = () => api.calls('POST /commands/send').map(({ body }) => body.requestId);

  test('whose answer was lost is asked again under the same name, and is known then', async () => {
    let tries = 0;
    api.on('POST /commands/send', () =>
      (tries += 1) === 1 ? UNREACHABLE : { commandId: uid(1), status: 'queued' },
    );
    await sendCommand(order);
    expect(names()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(names()).toEqual([names()[0], names()[0]]);
    expect(shown.at(-1)).toBe('success: Command successfully sent!');
  });

  test('and a second while it is on its way are one command; a later one is another', async () => {
    const [first, second] = await Promise.all([sendCommand(order), sendCommand({ ...order })]);
    expect(second).toBe(first);
    expect(names()).toHaveLength(1);
    await sendCommand(order);
    expect(new Set(names()).size).toBe(2);
  });

  test('that stops water is sent each time', async () => {
    const stop = { ...order, command: 'ValveOff' } as const;
    await Promise.all([sendCommand(stop), sendCommand(stop)]);
    expect(new Set(names()).size).toBe(2);
  });
});

describe('from what was shown while the server was away', () => {
  const order = { farmUID: rakaia._id, target: WHOLE_FARM };
  const relay = (set: boolean) => ({ ...order, command: 'ToggleIO', payload: { relay: 1, set } }) as const;
  beforeEach(() => missServer());

  test.each([{ ...order, command: 'ValveOn' } as const, relay(true)])(
    'what opens water is not sent: the screen was old',
    async (opening) => {
      await expect(sendCommand(opening)).rejects.toThrow();
      expect(types()).toEqual([]);
      expect(shown.at(-1)).toBe(
        'error: The connection is back. What was shown was old: please look again, then send the command.',
      );
      await sendCommand(opening);
      expect(types()).toEqual([23, commandTypes[opening.command]]);
    },
  );

  test.each([{ ...order, command: 'ValveOff' } as const, relay(false)])(
    'what closes water is sent if the server is there',
    async (closing) => {
      await sendCommand(closing);
      expect(types()).toEqual([23, commandTypes[closing.command]]);
    },
  );

  test('nothing is sent while it still is', async () => {
    api.on('GET /ims-settings', UNREACHABLE);
    await expect(sendCommand({ ...order, command: 'ValveOff' })).rejects.toThrow();
    expect(types()).toEqual([]);
    expect(shown.at(-1)).toBe(`error: ${NOT_SENT}`);
  });
});
