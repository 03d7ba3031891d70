import { useDeferredValue, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { commandNeeds, commandTitles, type CommandName } from '@headrace/contract/command-types';
import type { CommandRequest } from '@headrace/contract/commands';
import type { MapUnit } from '@headrace/contract/map-units';
import { useMissing } from '../../api/reach.ts';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { useLiveCommands, useSendCommand } from '../commands/commands.queries.ts';
import { commandFailureText, WHOLE_FARM } from '../commands/send-command.ts';
import { reachQuery } from './reach.queries.ts';
import { whyNot } from './why-not.ts';

/** The last of its kind that was sent from here: what became of it, or why it wasn't sent. */
export type Sent = { commandId: string } | { error: string };
type Payload = NonNullable<CommandRequest['payload']>;

export interface UnitCommands {
  /** Null: it can be sent now. */
  whyNot: (command: CommandName) => string | null;
  send: (command: CommandName, payload?: Payload) => void;
  sent: ReadonlyMap<CommandName, Sent>;
  isSending: (command: CommandName) => boolean;
  /** What somebody pressed that can't be done now, and why. */
  refused: string | null;
  refuse: (what: string, why: string) => void;
}

const NONE = {
  unit: '',
  sent: new Map<CommandName, Sent>(),
  sending: [] as readonly CommandName[],
  refused: null,
};
type Log = Omit<typeof NONE, 'refused'> & { refused: string | null };

/** Any of these tells how the gateways are. */
const asking = ['Poll', 'IpcReconfigure', 'Inhibit', 'ValveOff'] as const;
/** Gateways carry it out, not the unit. */
const forGateways: ReadonlySet<CommandName> = new Set(['IncTimeSet']);

/** What can be sent to a unit from its dialog, and how that went. */
export function useUnitCommands(farmUID: string, unit: MapUnit, hasGateway: boolean): UnitCommands {
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const isAway = useMissing() !== null;
  const mutation = useSendCommand();
  const [kept, setLog] = useState<Log>({ ...NONE, unit: unit.id });
  const log: Log = kept.unit === unit.id ? kept : { ...NONE, unit: unit.id };
  const may = (command: CommandName) => mayOn(permissions, farmUID, commandNeeds[command]);
  const asked = asking.find(may);
  const isAsked = asked !== undefined && unit.serial !== '' && hasGateway;
  // Asked once the unit is painted: to ask takes a phone longer than the frame has.
  const isPainted = useDeferredValue(unit.id, '') === unit.id;
  const { data: findings = [] } = useQuery({
    ...reachQuery(farmUID, unit, asked ?? 'Poll'),
    enabled: isAsked && isPainted,
  });
  useLiveCommands(farmUID);
  /** News of the unit before this one are of no use here. */
  const change = (part: (log: Log) => Partial<Log>) =>
    setLog((before) => {
      const now = before.unit === unit.id ? before : { ...NONE, unit: unit.id };
      return { ...now, ...part(now) };
    });
  const end = (command: CommandName, news: Sent) =>
    change(({ sent, sending }) => ({
      sent: new Map(sent).set(command, news),
      sending: sending.filter((other) => other !== command),
    }));
  const send = (command: CommandName, payload?: Payload) => {
    const { name, mac, serial: serialNumber } = unit;
    const target = forGateways.has(command) ? WHOLE_FARM : { name, mac, serialNumber };
    change(({ sending }) => ({ sending: [...sending, command], refused: null }));
    void mutation.mutateAsync({ command, farmUID, target, ...(payload && { payload }) }).then(
      ({ commandId }) => end(command, { commandId }),
      (error: unknown) => end(command, { error: commandFailureText(error, command) }),
    );
  };
  return {
    whyNot: (command) => whyNot(command, unit, { may: may(command), isAway, hasGateway, findings }),
    send,
    sent: log.sent,
    isSending: (command) => log.sending.includes(command),
    refused: log.refused,
    refuse: (what, why) => change(() => ({ refused: `${what}: ${why}` })),
  };
}

/** What a command is called in the dialog. */
export const titleOf = (command: CommandName): string => commandTitles[command];
