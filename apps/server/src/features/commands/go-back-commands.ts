import { commandTypes } from '@headrace/contract/command-types';
import type { sendAgain } from '@headrace/contract/commands';
import type { BodyOf } from '@headrace/contract/endpoint';
import type { FarmRow } from '../../db/schema.ts';
import { conflict } from '../../http/errors.ts';
import type { LetWater } from './changed-by-send.ts';
import type { Sender, Sent } from './commands-options.ts';
import type { CommandsRepo } from './commands.repo.ts';
import { checkGoBack, goingBack } from './go-back.ts';
import type { CommandRow } from './read-commands.ts';
import type { IntendedCommand } from './send-plan.ts';
import { lifeOf, type Sending } from './sending.ts';
import type { TargetsRepo } from './targets.repo.ts';

/** With the Inhibit that goes before it; null: nobody was inhibited before the send. */
export type WentBack = Sent & { readonly inhibitId: string | null };

const INHIBIT_NOTE = 'Inhibited again, as before a send that was cancelled and had let these water.';

/** Back from a send of schedules that was cancelled half-way. */
export function createGoBack(
  commands: CommandsRepo,
  targets: TargetsRepo,
  { intend, sendOnce }: Pick<Sending, 'intend' | 'sendOnce'>,
  theCommand: (farmId: number, uid: string, type: number) => Promise<CommandRow>,
) {
  /** Before any schedule: it ends what of the send is still out to them, and keeps from them what they had before. */
  async function inhibitAgain(by: Sender, sendId: number, units: readonly LetWater[]): Promise<Sent | null> {
    if (units.length === 0) return null;
    const payload = { groupUID: 'FARM', uids: units.map(({ uid }) => uid) };
    const intended = await intend(by.farm, {
      farmUID: by.farm.uid,
      type: commandTypes.InhibitGroup,
      payload,
    });
    return sendOnce(by, { ...intended, stopsAfter: sendId, note: INHIBIT_NOTE });
  }

  async function schedulesBefore({ id: farmId }: FarmRow, row: CommandRow): Promise<IntendedCommand[]> {
    const [sent, changed, { inService }, gateways, sets] = await Promise.all([
      commands.notDone(farmId, row.id),
      commands.changedBy(farmId, row.id),
      targets.unitsByService(farmId, null),
      targets.gateways(farmId),
      targets.sets(farmId),
    ]);
    const setOf = (uid: string) => sets.find((set) => set.uid === uid);
    const all = goingBack(sent, changed, { farmId, inService, gateways, setOf });
    return all.map((each) => ({ ...each, lifeMs: lifeOf(each.name, each.payload, each.found) }));
  }

  return {
    /** Its units get what they had before, and who was inhibited before it is inhibited again. Throws a 409 where nobody is left. */
    async goBack(
      farm: FarmRow,
      accountId: number,
      { commandId, type, requestId }: Omit<BodyOf<typeof sendAgain>, 'farmUID'>,
      now: Date,
    ): Promise<WentBack> {
      const row = await theCommand(farm.id, commandId, type);
      checkGoBack(row);
      const known = requestId && (await commands.byRequest(farm.id, accountId, requestId));
      if (known) return { commandId: known.uid, status: known.state, inhibitId: null };
      const [schedules, letWater] = await Promise.all([
        schedulesBefore(farm, row),
        commands.letWaterBy(farm.id, row.id),
      ]);
      const by: Sender = { farm, accountId, requestId: undefined, now };
      const inhibit = await inhibitAgain(by, row.id, letWater);
      let sent = inhibit;
      for (const [index, one] of schedules.entries())
        sent = await sendOnce(index === schedules.length - 1 ? { ...by, requestId } : by, one);
      if (!sent) throw nobodyLeft();
      return { ...sent, inhibitId: inhibit?.commandId ?? null };
    },
  };
}

const nobodyLeft = () =>
  conflict('No sprinkler is left that has something else from this send than it had before.');
