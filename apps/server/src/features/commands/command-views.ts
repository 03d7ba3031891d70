import type { getCommand, GoBackPlan, listCommands, Unstopped } from '@headrace/contract/commands';
import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { COMMAND_DETAILS } from '@headrace/contract/limits';
import type { CommandOfUnit } from '@headrace/contract/sprinkler-info';
import { notFound } from '../../http/errors.ts';
import type { CommandsOptions } from './commands-options.ts';
import type { CommandsRepo } from './commands.repo.ts';
import type { Span } from './device-commands.ts';
import { canGoBack, goBackPlan } from './go-back.ts';
import { toCommand, toOfUnit, toUnit } from './present.ts';
import type { CommandRow } from './read-commands.ts';
import { asksForUnstopped, unstoppedOf } from './unstopped.ts';

/** What is shown of commands. */
export function createCommandViews(commands: CommandsRepo, { facts }: Pick<CommandsOptions, 'facts'>) {
  /** `type`: as the caller says, by which its right was checked. Throws notFound. */
  async function theCommand(farmId: number, uid: string, type?: number): Promise<CommandRow> {
    const row = await commands.byUid(farmId, uid.toLowerCase());
    if (!row || (type !== undefined && row.type !== type)) throw notFound();
    return row;
  }

  /** Of Valves Off that some did not answer. */
  async function unstopped(farmId: number, row: CommandRow): Promise<Unstopped | null> {
    const failed = (row.counts.failed ?? 0) + (row.counts.expired ?? 0);
    if (!asksForUnstopped(row, failed)) return null;
    const { units } = await commands.notDone(farmId, row.id);
    return unstoppedOf(
      await facts(
        farmId,
        units.map(({ deviceId }) => deviceId),
      ),
    );
  }

  /** Whom Go back would send something, of a send that was cancelled half-way. */
  async function goBack(farmId: number, row: CommandRow, now: Date): Promise<GoBackPlan | null> {
    if (!canGoBack(row)) return null;
    const [changed, letWater] = await Promise.all([
      commands.changedBy(farmId, row.id),
      commands.letWaterBy(farmId, row.id),
    ]);
    const out = changed.filter(({ isAnswered }) => !isAnswered);
    const known = await facts(
      farmId,
      out.map(({ deviceId }) => deviceId),
    );
    return goBackPlan(changed, letWater, known, now);
  }

  return {
    theCommand,

    async list(
      farmId: number,
      { limit = 50, before, about }: Omit<QueryOf<typeof listCommands>, 'farmUID'>,
    ): Promise<ReplyOf<typeof listCommands>> {
      const rows = await commands.page(farmId, { limit: limit + 1, before: before?.toLowerCase(), about });
      return { commands: rows.slice(0, limit).map(toCommand), more: rows.length > limit };
    },

    /** Those under way for a device, the newest first. */
    async liveOf(farmId: number, deviceId: number, now: Date): Promise<CommandOfUnit[]> {
      return (await commands.liveOf(farmId, deviceId)).map((one) => toOfUnit(one, now));
    },

    /** Those that were sent to a device in a time, the newest first. */
    async lastOf(
      farmId: number,
      deviceId: number,
      { count, now, ...span }: Span & { count: number; now: Date },
    ): Promise<CommandOfUnit[]> {
      return (await commands.lastOf(farmId, deviceId, span, count)).map((one) => toOfUnit(one, now));
    },

    /** When other units took a device's place in a time, the newest first. */
    swapsOf: (farmId: number, deviceId: number, { count, ...span }: Span & { count: number }) =>
      commands.swapsOf(farmId, deviceId, span, count),

    async detail(
      farmId: number,
      { commandId, limit = COMMAND_DETAILS }: Omit<QueryOf<typeof getCommand>, 'farmUID'>,
      now: Date,
    ): Promise<ReplyOf<typeof getCommand>> {
      const row = await theCommand(farmId, commandId);
      const isOfMany = row.state === 'progress';
      const [units, steps, perMinute] = await Promise.all([
        commands.units(farmId, row.id, limit),
        commands.steps(farmId, row.id, limit),
        isOfMany ? commands.perMinute(farmId, row.id, now) : null,
      ]);
      return {
        command: toCommand(row),
        units: units.map((unit) => toUnit(unit, now)),
        unitStates: row.counts,
        steps: steps.map(({ at, state, name, note }) => ({ at: at.toISOString(), state, name, note })),
        stepCount: steps[0]?.count ?? 0,
        perMinute,
        unstopped: await unstopped(farmId, row),
        goBack: await goBack(farmId, row, now),
      };
    },
  };
}
