import type { CommandRequest } from '@headrace/contract/commands';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import { ApiError, call, errorText } from '../../api/client.ts';
import { commandToastId } from '../../api/live-events.ts';
import { toast } from '../../ui/toasts.ts';

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
  /** By default a Ping goes first, and nothing follows one that fails. */
  skipPing?: boolean;
}

const SENT_TEXT = 'Command successfully sent!';
const SCHEDULE_SENT_TEXT =
  'Command successfully sent! It is processed at the gateway and may take up to 3 minutes per device.';
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
  if (status === 466) return 'Commands blocked until sprinklers list is loaded.';
  if (status === 505) return 'Gateway currently unavailable.';
  return errorText(error);
}

const post = ({ command, farmUID, target, payload }: CommandToSend) =>
  call('POST /commands/send', {
    body: { farmUID, type: commandTypes[command], ...target, ...(payload && { payload }) },
  });

/**
 * Sends a command and tells how that went; what becomes of it comes by live message. Throws ApiError, after it was told.
 */
export async function sendCommand(order: CommandToSend): ReturnType<typeof post> {
  const { command, farmUID, skipPing = false } = order;
  const progress = toast.loading('Processing your command...', { lasts: null });
  try {
    if (!skipPing && command !== 'Ping') await post({ command: 'Ping', farmUID, target: WHOLE_FARM });
    const sent = await post(order);
    toast.close(progress);
    const id = commandToastId(sent.commandId);
    // A gateway may answer faster than the server: the result is the newer fact.
    if (!toast.isShown(id)) toast.success(ownTexts[command]?.sent ?? SENT_TEXT, { id });
    return sent;
  } catch (error) {
    toast.error(commandFailureText(error, command), { id: progress });
    throw error;
  }
}
