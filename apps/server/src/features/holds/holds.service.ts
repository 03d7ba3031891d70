import type { BodyOf, QueryOf } from '@headrace/contract/endpoint';
import {
  type addHold,
  type changeHold,
  type listHolds,
  type PaddockHold,
} from '@headrace/contract/paddock-holds';
import { HOLD_DAYS_MAX } from '@headrace/contract/limits';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import type { KeepHold } from '../commands/commands-options.ts';
import type { CommandsService } from '../commands/commands.service.ts';
import type { DueHold, HoldsRepo } from './holds.repo.ts';
import { presentHold } from './present-hold.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** After so long its end is missed: water that starts by itself hours late is what nobody expects. */
export const END_WITHIN_MS = 3_600_000;
const END_NOTE = 'Sent by itself: the hold is over.';

/** Who asks. */
interface Asker {
  readonly farm: FarmRow;
  readonly accountId: number;
  readonly now: Date;
}

/** Sprinklers that are kept from watering until a time: stopped at the tap, and let water again at its end by their own command. */
export function createHoldsService(repo: HoldsRepo, commands: Pick<CommandsService, 'hold' | 'release'>) {
  async function one({ farm, now }: Pick<Asker, 'farm' | 'now'>, uid: string): Promise<PaddockHold> {
    const row = await repo.one(farm.id, uid.toLowerCase());
    if (!row) throw notFound();
    return presentHold(row, farm.uid, now);
  }

  /** What its own stop keeps from watering may water again; `accountId` null: by itself. */
  async function letWater(
    hold: DueHold,
    uids: string[],
    by: Omit<Asker, 'accountId'> & { accountId: number | null },
    until: Date,
  ) {
    if (uids.length === 0) return;
    const keep: KeepHold = (trx, { commandId }) => repo.noteEnd(trx, hold, commandId);
    await commands.release(by.farm, by.accountId, { uids, until, note: END_NOTE, keep }, by.now);
  }

  return {
    async list(
      farm: FarmRow,
      { from, to }: Pick<QueryOf<typeof listHolds>, 'from' | 'to'>,
      now: Date,
    ): Promise<PaddockHold[]> {
      const rows =
        from === undefined && to === undefined
          ? await repo.current(farm.id, new Date(now.getTime() - DAY_MS))
          : await repo.between(farm.id, new Date(from ?? 0), new Date(to ?? '9999-01-01'));
      return rows.map((row) => presentHold(row, farm.uid, now));
    },

    /** Throws what a group's Inhibit throws. */
    async add(asked: Omit<BodyOf<typeof addHold>, 'farmUID'>, by: Asker): Promise<PaddockHold> {
      const { farm, accountId, now } = by;
      const until = untilOf(asked.until, now);
      const { groupUID = 'FARM', uids, reason = '' } = asked;
      const uid = newUid(now);
      await commands.hold(
        farm,
        accountId,
        {
          payload: { groupUID, ...(uids && { uids }) },
          keep: (trx, { farmId, commandId }, found) =>
            repo.add(trx, {
              farmId,
              uid,
              groupUid: groupUID === 'FARM' ? '' : groupUID.toLowerCase(),
              name: found.name,
              reason,
              from: now,
              until,
              accountId,
              commandId,
              deviceIds: found.units.map(({ deviceId }) => deviceId),
            }),
        },
        now,
      );
      return one(by, uid);
    },

    async change(
      { holdUID, until }: Pick<BodyOf<typeof changeHold>, 'holdUID' | 'until'>,
      by: Asker,
    ): Promise<PaddockHold> {
      await one(by, holdUID);
      if (!(await repo.change(by.farm.id, holdUID.toLowerCase(), untilOf(until, by.now)))) throw isOver();
      return one(by, holdUID);
    },

    /** By a person: now, also where its end was missed. */
    async end(holdUID: string, by: Asker): Promise<PaddockHold> {
      const row = await repo.one(by.farm.id, holdUID.toLowerCase());
      if (!row) throw notFound();
      const hold = { id: row.id, farmId: by.farm.id, until: row.until };
      const left = row.units.filter(({ isStopped }) => isStopped).map((unit) => unit.uid);
      const uids = row.endedAt ? left : await repo.end(hold, { at: by.now, isMissed: false });
      if (!uids || (row.endedAt && uids.length === 0)) throw isOver();
      await letWater(hold, uids, by, new Date(by.now.getTime() + END_WITHIN_MS));
      return one(by, holdUID);
    },

    /** Ends those whose time is over; whose end was missed by an hour stays stopped until a person says otherwise. */
    async endDue(now: Date): Promise<void> {
      const failures: unknown[] = [];
      // One that can't be ended holds up no other, of whichever farm.
      const byItself = (work: () => Promise<void>) =>
        work().catch((error: unknown) => void failures.push(error));
      for (const { uids, endedAt, ...hold } of await repo.unreleased(new Date(now.getTime() - MINUTE_MS)))
        await byItself(async () => {
          const until = new Date(endedAt.getTime() + END_WITHIN_MS);
          if (until <= now) await repo.noteMissed(hold);
          else
            await letWater(hold, uids, { farm: await repo.farm(hold.farmId), accountId: null, now }, until);
        });
      for (const hold of await repo.due(now))
        await byItself(async () => {
          const until = new Date(hold.until.getTime() + END_WITHIN_MS);
          const isMissed = until <= now;
          const uids = await repo.end(hold, { at: now, isMissed, dueBy: now });
          if (!uids || isMissed) return;
          await letWater(hold, uids, { farm: await repo.farm(hold.farmId), accountId: null, now }, until);
        });
      if (failures.length > 0) throw new AggregateError(failures, 'Not all paddock holds could be ended');
    },
  };
}
export type HoldsService = ReturnType<typeof createHoldsService>;

const isOver = () => conflict('This hold is over already.', 'holdUID');

/** Throws a 400. */
function untilOf(text: string, now: Date): Date {
  const until = new Date(text);
  if (until <= now) throw invalid('until: this time is over. Please choose a later one.', 'until');
  if (until.getTime() - now.getTime() > HOLD_DAYS_MAX * DAY_MS)
    throw invalid(`until: a hold lasts ${HOLD_DAYS_MAX} days at most.`, 'until');
  return until;
}
