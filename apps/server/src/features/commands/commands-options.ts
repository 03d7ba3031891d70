import type { CommandState } from '@headrace/contract/command-types';
import type { SendPlan } from '@headrace/contract/commands';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { LivePublisher } from '../../live/live-publisher.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import type { CommandProgress } from './command-writer.ts';
import type { Added, NewUnit } from './commands.repo.ts';
import type { Deliver } from './deliver.ts';
import type { FinishByGateway } from './finish.ts';
import type { Intended, IntendedCommand } from './send-plan.ts';
import type { Targets } from './targets.ts';
import type { UnitFacts } from './unit-facts.ts';

/** What stands between a hand and a relay that follows a tank. */
export interface RelayGuard {
  /** Throws conflict when a hand may not switch it now. */
  checkSwitch(
    gateway: GatewayKey,
    wanted: { relay: number; set: boolean },
    now: Date,
  ): Promise<{ isBound: boolean }>;
  /** A hand decides from now on. */
  override(gateway: GatewayKey, relay: number, by: { accountId: number; now: Date }): Promise<void>;
  /** Those of a farm that run a pump. */
  pumps(farmId: number): Promise<readonly PumpRelay[]>;
}

export interface PumpRelay {
  readonly gatewayMac: string;
  readonly gatewayName: string;
  readonly relay: number;
  readonly title: string;
  /** The tank that it follows, by name. */
  readonly tank: string | null;
}

/** Who sends, and what for. */
export interface Sender {
  farm: FarmRow;
  /** Null: the server, of its own accord. */
  accountId: number | null;
  requestId: string | undefined;
  now: Date;
  /** A paddock hold begins or ends with it: what is kept of that. */
  hold?: { readonly is: 'begin' | 'end'; readonly keep: KeepHold };
}
/** Keeps of a hold what a command does to it, in that command's transaction. */
export type KeepHold = (trx: Db, key: CommandKey, found: Targets) => Promise<void>;
export interface Sent {
  commandId: string;
  status: CommandState;
}
export interface AddedCommand extends Added {
  uid: string;
}

export interface CommandsOptions {
  deliver: Deliver;
  /** In which order its units are reached, with those marked that are left out until they are heard. */
  inOrder: (intended: Intended, now: Date) => Promise<NewUnit[]>;
  firstFinish: (intended: Intended, now: Date) => Promise<FinishByGateway>;
  plan: (intended: IntendedCommand, now: Date) => Promise<SendPlan>;
  /** What a set asks of the farm's water supply beyond what that gives. */
  beyondSupply: (farm: FarmRow, setId: number) => Promise<readonly string[]>;
  facts: (farmId: number, deviceIds: readonly number[]) => Promise<readonly UnitFacts[]>;
  relays: RelayGuard;
  /** Takes back what was not handed over; returns the commands that this changed. */
  cancelQueued: (
    command: { farmId: number; commandId: number },
    accountId: number,
    at: Date,
  ) => Promise<Cancelled>;
  /** Inhibits who must not water by now and whose Inhibit was taken back. */
  stopUnstopped: () => Promise<readonly CommandProgress[]>;
  onChanged: (changed: readonly CommandProgress[]) => void;
  toAccount: LivePublisher['toAccount'];
  /** Who of its units is wanted to water nothing may be different from now on. */
  onStops: (command: CommandKey) => void;
}
export interface Cancelled {
  count: number;
  changed: readonly CommandProgress[];
}
