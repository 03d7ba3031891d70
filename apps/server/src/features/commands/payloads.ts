import { commandPayloads, type CommandPayloads } from '@headrace/contract/commands';
import type { CommandName } from '@headrace/contract/command-types';
import { checker } from '@headrace/device/check';
import { commandOf } from '@headrace/device/commands';
import { normaliseMac } from '@headrace/device/topics';
import { invalid } from '../../http/errors.ts';

/** Every member that any payload may have; which of them a command takes is checked before. */
export type Payload = Partial<
  CommandPayloads['valveOn'] &
    CommandPayloads['groupValvesOn'] &
    CommandPayloads['uninhibitGroup'] &
    CommandPayloads['updateSchedule'] &
    Omit<CommandPayloads['sendScheduleSet'], 'groupUID'> &
    CommandPayloads['changeGroupComms'] &
    CommandPayloads['replace'] &
    CommandPayloads['toggleIO'] &
    CommandPayloads['updateSettings']
> & {
  groupUID?: string;
  /** Nobody's to say: ours, of a pump's Off before all valves are closed. */
  pumpFirst?: true;
};

const checks = new Map(
  Object.entries(commandPayloads).map(([shape, schema]) => [shape, checker(schema)] as const),
);

/** The payload of a command, checked: throws a 400 that names the member. Members that it doesn't take are left out. */
export function readPayload(name: CommandName, given: Record<string, unknown> = {}): Payload {
  const shape = commandOf(name).payload;
  const checked = checks.get(shape)?.(given);
  if (!checked?.ok) throw invalid(`payload: ${checked?.reason ?? 'is missing'}`, 'payload');
  const members = Object.keys(commandPayloads[shape].properties);
  const payload = Object.fromEntries(
    Object.entries(given).filter(([member]) => members.includes(member)),
  ) as Payload;
  return payload.mac === undefined ? payload : { ...payload, mac: macOf(payload.mac) };
}

/** As gateways write it. */
function macOf(given: string): string {
  const mac = normaliseMac(given);
  if (!mac) throw invalid('payload: mac must be the 12 or 16 hex digits of the new unit.', 'payload');
  return mac;
}
