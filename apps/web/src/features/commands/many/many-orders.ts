import type { CommandName } from '@headrace/contract/command-types';
import type { CommandTarget } from '../send-command.ts';

/** What can be sent to a group's sprinklers, or to all of a farm's. */
export const manyCommands = [
  'SendScheduleSet',
  'PollGroup',
  'InhibitGroup',
  'UninhibitGroup',
  'TurnGroupValvesOn',
  'TurnGroupValvesOff',
  'ReconfigureGroup',
  'ChangeGroupComms',
] as const satisfies readonly CommandName[];
export type GroupCommand = (typeof manyCommands)[number];

/** What can be sent to all sprinklers of a gateway. */
export type GatewayCommand = 'RefreshAll' | 'IncScheduleAll';
export type ManyCommand = GroupCommand | GatewayCommand;

export const isOfGateway = (command: ManyCommand): command is GatewayCommand =>
  command === 'RefreshAll' || command === 'IncScheduleAll';

/** Whom it is for. */
export interface Scope {
  readonly farmUID: string;
  /** A group's uid, or FARM. */
  readonly groupUID: string;
  readonly name: string;
  /** Those that this gateway hears. */
  readonly gateway?: CommandTarget;
  /** Of them only these, chosen one by one. */
  readonly uids?: readonly string[];
}

/** Instead of a group's uid. */
export const FARM = 'FARM';

export interface ManyOrder {
  /** Before the name of whom it is for. */
  readonly title: string;
  /** In a menu. */
  readonly item: string;
  /** On the button that sends it. */
  readonly button: string;
  /** What it does. */
  readonly text: string;
}

export const manyOrders: Readonly<Record<ManyCommand, ManyOrder>> = {
  SendScheduleSet: {
    title: 'Send schedules to',
    item: 'Send schedules…',
    button: 'Send Schedules to Devices',
    text: 'Each sprinkler gets what the set has for it, and waters by that from then on.',
  },
  PollGroup: {
    title: 'Poll',
    item: 'Poll group…',
    button: 'Poll',
    text: 'Each sprinkler is asked how it is.',
  },
  InhibitGroup: {
    title: 'Inhibit',
    item: 'Inhibit group…',
    button: 'Inhibit',
    text: 'They run none of their schedules until they are uninhibited.',
  },
  UninhibitGroup: {
    title: 'Uninhibit',
    item: 'Uninhibit group…',
    button: 'Uninhibit',
    text: 'They water by their schedules again.',
  },
  TurnGroupValvesOn: {
    title: 'Open the valves of',
    item: 'Valves On…',
    button: 'Valves On',
    text: 'Each valve closes by itself after that time.',
  },
  TurnGroupValvesOff: {
    title: 'Close the valves of',
    item: 'Valves Off…',
    button: 'Valves Off',
    text: 'All are asked to close, first those that say that they are open. Their schedules begin again at their next time.',
  },
  ReconfigureGroup: {
    title: 'Reconfigure',
    item: 'Reconfigure group…',
    button: 'Reconfigure',
    text: 'Each sprinkler gets its radio settings again.',
  },
  ChangeGroupComms: {
    title: 'Change the comms mode of',
    item: 'Change comms mode…',
    button: 'Update Devices',
    text: 'Each sprinkler gets the mode that is chosen here.',
  },
  RefreshAll: {
    title: 'Refresh all sprinklers of',
    item: 'Refresh all…',
    button: 'Refresh All',
    text: 'Each sprinkler that it hears is asked how it is.',
  },
  IncScheduleAll: {
    title: 'Send all schedules of',
    item: 'Send all schedules…',
    button: 'Send All Schedules',
    text: 'Each sprinkler that it hears gets once more what it is to water by. Those that say that they hold nothing stay without: this is no way to let them water again.',
  },
};

/** Who presses it wants it now: no question to the gateway goes before it. */
export const isStop = (command: ManyCommand): boolean =>
  command === 'TurnGroupValvesOff' || command === 'InhibitGroup';
export const letsWater = (command: ManyCommand): boolean =>
  command === 'TurnGroupValvesOn' || command === 'SendScheduleSet';
