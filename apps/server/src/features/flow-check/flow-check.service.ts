import type { FlowCheckReply } from '@headrace/contract/flow';
import type { IpcStatus } from '@headrace/contract/groups';
import { type FlowCheck, flowCheck, flowSuspects } from '@headrace/contract/rules/flow-check';
import { isTakenAsOpen } from '@headrace/contract/rules/valve-belief';
import type { FarmRow } from '../../db/schema.ts';
import type { FlowService } from '../flow/flow.service.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import type { WateringsService } from '../waterings/waterings.service.ts';
import { openAmong } from './open-units.ts';

export interface FlowCheckParts {
  readonly flow: Pick<FlowService, 'onlyMeter'>;
  readonly sprinklers: Pick<SprinklerStatusService, 'units'>;
  readonly waterings: Pick<WateringsService, 'rates' | 'moves'>;
}

type Unit = Pick<IpcStatus, 'id' | 'name' | 'belief'>;
/** When a valve last opened or closed, by the unit's uid; epoch ms. */
type Moves = ReadonlyMap<string, number>;

/** A valve that moved before is no suspect, ms. */
const LOOK_BACK = 24 * 3_600_000;

export function createFlowCheckService({ flow, sprinklers, waterings }: FlowCheckParts) {
  return {
    /** Null: nothing can be said. With several meters it isn't known which of them the sprinklers' water comes through. */
    async check(farm: FarmRow, at: Date): Promise<FlowCheckReply | null> {
      const now = at.getTime();
      const meter = await flow.onlyMeter(farm, at);
      if (!meter || meter.samples.length === 0) return null;
      const [units, rates, moves] = await Promise.all([
        sprinklers.units(farm, at),
        waterings.rates(farm.id),
        waterings.moves(farm.id, now - LOOK_BACK),
      ]);
      if (units.length === 0) return null;
      const changedAt = moves.size > 0 ? Math.max(...moves.values()) : null;
      const open = openOf(units, ({ id }) => rates.get(id)?.lps ?? 0, now);
      const told = flowCheck({ ...open, changedAt, samples: meter.samples }, now);
      return told && toReply(told, meter.name, told.state === 'more' ? suspectsOf(units, moves, now) : []);
    },
  };
}
export type FlowCheckService = ReturnType<typeof createFlowCheckService>;

function toReply(told: FlowCheck, meter: string, suspects: FlowCheckReply['suspects']): FlowCheckReply {
  const toTenth = (lps: number) => Math.round(lps * 10) / 10;
  return {
    state: told.state,
    meter,
    at: new Date(told.at).toISOString(),
    meterLps: toTenth(told.meterLps),
    openLps: toTenth(told.openLps),
    mayBeLps: toTenth(told.mayBeLps),
    byLps: toTenth(told.byLps),
    suspects,
  };
}

/** Who surely is open must give its water; who isn't known to be closed may. */
function openOf(units: readonly Unit[], lpsOf: (unit: Unit) => number, now: number) {
  const { open, mayBe } = openAmong(units, now);
  const lps = (some: readonly Unit[]) => some.reduce((sum, unit) => sum + lpsOf(unit), 0);
  return { openLps: lps(open), mayBeLps: lps(mayBe) };
}

function suspectsOf(units: readonly Unit[], moves: Moves, now: number): FlowCheckReply['suspects'] {
  const closed = units
    .filter(({ belief }) => belief === null || !isTakenAsOpen(belief))
    .map(({ id, name, belief }) => ({
      id,
      name,
      movedAt: moves.get(id) ?? null,
      isSaidClosed: belief === null || belief.state === 'closed',
    }));
  return flowSuspects(closed, now).map(({ id, name, movedAt, isSaidClosed }) => ({
    unitUID: id,
    name,
    movedAt: new Date(movedAt ?? 0).toISOString(),
    isSaidClosed,
  }));
}
