import type { Behind, CommandRequest } from '@headrace/contract/commands';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import { ApiError, call, errorText, UNREACHABLE_TEXT } from '../../api/client.ts';
import { randomHex } from '../../api/random-hex.ts';
import { isServerAway } from '../../api/reach.ts';
import { commandToastId } from '../../api/live-events.ts';
import { toast } from '../../ui/toasts.ts';
import { behindText } from './behind.ts';
import { refusals } from './refusals.ts';
import { canBeUndone, OFFERED_MS, offerUndoInhibit } from './undo-inhibit.ts';

export interface CommandTarget {
  name: string;
  mac: string;
  serialNumber: string;
}
/** Named so where the whole farm is meant. */
export const WHOLE_FARM: CommandTarget = { name: '-', mac: '-', serialNumber: '-' };

export interface CommandToSend {
  command: CommandName;
  farmUID: string;
  target: CommandTarget;
  payload?: NonNullable<CommandRequest['payload']>;
  /** One tap's name, where it may be pressed again without an answer; else each call is a tap of its own. */
  requestId?: string;
  /** By default a Ping to the same gateway goes first, and nothing follows one that fails. */
  skipPing?: boolean;
}

const NOT_SENT_TEXT = `${UNREACHABLE_TEXT}. The command was not sent, and is not kept to be sent later.`;
const UNKNOWN_TEXT = `${UNREACHABLE_TEXT}. It isn't known whether the command was sent.`;
const OLD_TEXT = 'The connection is back. What was shown was old: please look again, then send the command.';
const SENT_TEXT = 'Command successfully sent!';
const SCHEDULE_SENT_TEXT = `${SENT_TEXT} It is processed at the gateway and may take up to 3 minutes per device.`;
/** Commands that the specification gives texts of their own: once sent, and when they fail without saying why. spec 2 §8 */
const ownTexts: Partial<Record<CommandName, { sent?: string; failed?: string }>> = {
  ToggleIO: {
    sent: 'Command sent successfully!',
    failed: 'Failed to send command, please try again later.',
  },
  UpdateINCList: { sent: 'Update command successfully sent!' },
  Poll: { failed: 'Failed to send poll command.' },
  PollGroup: { failed: 'Failed to send poll command.' },
  UpdateSchedule: { sent: SCHEDULE_SENT_TEXT, failed: 'Failed to send schedule.' },
  SendScheduleSet: { sent: SCHEDULE_SENT_TEXT, failed: 'Failed to send schedule.' },
  IncScheduleAll: { sent: SCHEDULE_SENT_TEXT, failed: 'Failed to send schedule.' },
};

/** The server's sentence for a failure of its own says nothing of the command. */
const isUnknown = (error: unknown) => !(error instanceof ApiError) || error.status === 500;

/** What to tell a person of a command that couldn't be sent. */
export function commandFailureText(error: unknown, command?: CommandName): string {
  if (isUnknown(error)) return (command && ownTexts[command]?.failed) ?? 'Oops, something went wrong.';
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 466) return refusals.listNotLoaded;
  if (status === 505) return refusals.gatewayGone;
  return errorText(error);
}

/** Why nobody knows what sending it would do: so it wasn't sent. */
export const planFailureText = (error: unknown): string =>
  isUnknown(error) ? "What it would do couldn't be worked out. Nothing was sent." : commandFailureText(error);

/** Without an answer it is asked once more under the same name: however often it arrives, it is one command. */
async function post(order: CommandToSend) {
  const { command, farmUID, target, payload, requestId = randomHex(16) } = order;
  const type = commandTypes[command];
  const body = { farmUID, type, ...target, ...(payload && { payload }), requestId };
  try {
    return await call('POST /commands/send', { body });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0) throw error;
    return call('POST /commands/send', { body });
  }
}

/** Whether it may have been sent all the same: no answer came, or none that says. */
export const isPerhapsSent = (error: unknown): boolean =>
  isUnknown(error) || errorText(error).startsWith(UNKNOWN_TEXT);

/** Asks the gateway that the command is for: another one of the farm that answers says nothing of it. */
function pingBefore({ farmUID, target, payload }: CommandToSend): CommandToSend {
  const groupUID = payload?.['groupUID'];
  return { command: 'Ping', farmUID, target, ...(groupUID !== undefined && { payload: { groupUID } }) };
}

/** Orders that are on their way. */
const onTheirWay = new Map<string, ReturnType<typeof post>>();

/**
 * Sends a command and tells how that went; what becomes of it comes by live message. Throws ApiError, after it was told. A
 * second tap while the first is on its way is the same command; what stops water is sent each time.
 */
export function sendCommand(order: CommandToSend): ReturnType<typeof post> {
  if (isStop(order)) return sendNew(order);
  const wanted = JSON.stringify(order);
  const known = onTheirWay.get(wanted);
  if (known) return known;
  const sending = sendNew(order).finally(() => onTheirWay.delete(wanted));
  onTheirWay.set(wanted, sending);
  return sending;
}

async function sendNew(order: CommandToSend): ReturnType<typeof post> {
  const { command, skipPing = false } = order;
  let isOut = false;
  const progress = toast.loading('Processing your command...', { durationMs: null });
  try {
    if (isServerAway()) await askServer(order);
    if (!skipPing && command !== 'Ping') await post(pingBefore(order));
    isOut = true;
    const sent = await post(order);
    toast.close(progress);
    sayItIsSent(order, sent);
    return sent;
  } catch (error) {
    // Nobody is to look something up first while water runs.
    const next = isStop(order) ? 'Send it again.' : 'Look under Commands.';
    const told = sendError(error, isOut ? `${UNKNOWN_TEXT} ${next}` : NOT_SENT_TEXT);
    toast.error(commandFailureText(told, command), { id: progress });
    throw told;
  }
}

/** With the way back of what may have been a slip; what becomes of the command is said beside that. */
function sayItIsSent(
  { command, farmUID, target }: CommandToSend,
  { commandId, behind }: Awaited<ReturnType<typeof post>>,
): void {
  const said = `${ownTexts[command]?.sent ?? SENT_TEXT}${waitsText(behind)}`;
  if (canBeUndone(command)) return offerUndoInhibit(said, { command, farmUID, commandId });
  if (command === 'ValveOn') {
    // What becomes of it is in toasts of its own.
    const run = () => void sendCommand({ command: 'ValveOff', farmUID, target }).catch(() => undefined);
    const action = { label: 'Valve Off', run };
    toast.success(said, { id: `opened-${commandId}`, durationMs: OFFERED_MS, action });
    return;
  }
  const id = commandToastId(commandId);
  // A gateway may answer faster than the server: the result is the newer fact.
  if (!toast.isShown(id)) toast.success(said, { id });
}

/** As of the server's answer. The whole of it is under Commands, where it can be taken back until its turn comes. */
function waitsText(behind: Behind | null = null): string {
  const text = behindText(behind);
  return (
    text &&
    ` ${text.startsWith('waits') ? `It ${text}` : text}. Until its turn comes, it can be cancelled under Commands.`
  );
}

/** Without an answer: whether the command itself was on its way decides what can be said of it. */
function sendError(error: unknown, errorMessage: string): unknown {
  const isUnanswered = error instanceof ApiError && error.status === 0 && error.message !== OLD_TEXT;
  return isUnanswered ? new ApiError(0, { errorMessage }) : error;
}

/** What closes water may be sent from what is old. */
const stops: ReadonlySet<CommandName> = new Set([
  'ValveOff',
  'TurnGroupValvesOff',
  'Inhibit',
  'InhibitGroup',
]);
const isStop = ({ command, payload }: CommandToSend): boolean =>
  stops.has(command) || (command === 'ToggleIO' && payload?.['set'] === false);

/** Where the server was away: throws while it still is, and where what the person saw is of before. */
async function askServer(order: CommandToSend): Promise<void> {
  await call('GET /ims-settings');
  if (!isStop(order)) throw new ApiError(0, { errorMessage: OLD_TEXT });
}
