import type { BodyOf } from '@headrace/contract/endpoint';
import {
  ADVICE_DAYS,
  type AdviceEntries,
  type AdviceSettings,
  type putAdviceDay,
  type putAdviceNote,
  type putAdviceSettings,
} from '@headrace/contract/irrigation-advice';
import { parseDay } from '@headrace/contract/rules/farm-time';
import { validateTarget } from '@headrace/contract/rules/schedule/soil-settings';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid, notFound, stale } from '../../http/errors.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { dayAfter } from './advice-days.ts';
import type { AdviceWriter } from './advice-writer.repo.ts';
import type { AdviceRepo } from './advice.repo.ts';
import { toSettings } from './advice.service.ts';

type OnFarm<B> = Omit<B, 'farmUID'>;

/** What people enter of soil, weather and what they did. */
export function createAdviceEntries(
  repo: AdviceRepo,
  writer: AdviceWriter,
  /** What was given since is reckoned after the reply. */
  reckonLater: (farm: FarmRow, now: Date) => void,
) {
  return {
    /** Throws conflict, with the settings as they are, when somebody was quicker; notFound for a group that the farm hasn't. */
    async settings(
      farm: FarmRow,
      { groupUID, version, ...body }: OnFarm<BodyOf<typeof putAdviceSettings>>,
      by: By,
    ): Promise<AdviceSettings> {
      const groupUid = groupUID?.toLowerCase() ?? '';
      const name = await nameOf(farm, groupUid);
      const entries = checked(farm, body, by.now);
      const stored = async (trx: Db) =>
        toSettings((await repo.settings(farm.id, trx)).find((row) => row.groupUid === groupUid));
      const { settings, isChanged } = await writer.inTransaction(farm.id, async (trx) => {
        const before = await stored(trx);
        if (version !== undefined && version !== before.version) throw stale(before);
        const fields = fieldChanges(loggedSoil(before), loggedSoil(entries));
        if (fields.length === 0) return { settings: before, isChanged: false };
        await writer.saveSettings(trx, farm.id, { groupUid, body: entries, version: before.version + 1 }, by);
        const { id: farmId } = farm;
        const { accountId, now, page } = by;
        const of =
          groupUid === ''
            ? ({ kind: 'farm', uid: farm.uid } as const)
            : ({ kind: 'group', uid: groupUid } as const);
        await logChanges(trx, [{ farmId, accountId, ...of, name, what: 'changed', fields, page }], now);
        return { settings: await stored(trx), isChanged: true };
      });
      if (isChanged) reckonLater(farm, by.now);
      return settings;
    },

    async day(farm: FarmRow, body: OnFarm<BodyOf<typeof putAdviceDay>>, by: By): Promise<void> {
      checkDay(farm, body.day, 'day', by.now);
      await writer.enterDay(farm.id, body, by);
    },

    async note(farm: FarmRow, body: OnFarm<BodyOf<typeof putAdviceNote>>, by: By): Promise<void> {
      const groupUid = body.groupUID.toLowerCase();
      await nameOf(farm, groupUid);
      checkDay(farm, body.day, 'day', by.now);
      await writer.note(farm.id, { groupUid, day: body.day, note: body.note }, by);
    },
  };

  async function nameOf(farm: FarmRow, groupUid: string): Promise<string> {
    if (groupUid === '') return farm.name;
    const group = (await repo.groups(farm.id)).find(({ uid }) => uid === groupUid);
    if (!group) throw notFound();
    return group.name;
  }
}
export type AdviceEntriesService = ReturnType<typeof createAdviceEntries>;

/** Throws a 400. A day that is to come is known by nobody, and one that is long over reaches no advice. */
function checkDay(farm: FarmRow, day: string, field: string, now: Date): void {
  const zone = toZone(farm);
  const today = dayText(zone, now.getTime());
  if (parseDay(zone, day) === null) throw invalid(`${field}: this day does not exist.`, field);
  if (day > today) throw invalid(`${field}: this day is still to come.`, field);
  if (day < dayAfter(today, -ADVICE_DAYS.most))
    throw invalid(`${field}: at most ${ADVICE_DAYS.most} days back.`, field);
}

function checked(farm: FarmRow, body: AdviceEntries, now: Date): AdviceEntries {
  const { soil, knownDay, knownMm } = body;
  const wrong = soil && validateTarget(soil);
  if (wrong) throw invalid(wrong, 'soil');
  if ((knownDay === null) !== (knownMm === null))
    throw invalid('Both a day and the mm that the soil lacked are needed, or neither.', 'knownDay');
  if (knownDay !== null) checkDay(farm, knownDay, 'knownDay', now);
  return {
    ...body,
    probeUID: body.probeUID?.toLowerCase() ?? null,
    rainSiteUID: body.rainSiteUID?.toLowerCase() ?? null,
  };
}

/** As the history shows it. */
const loggedSoil = ({
  soil,
  knownDay,
  knownMm,
  probeUID,
  refillKpa,
  usualEt0Mm,
  rainSiteUID,
}: AdviceEntries) => ({
  soil: soil && JSON.stringify(soil),
  soilLackedOn: knownDay,
  soilLackedMm: knownMm,
  soilProbe: probeUID,
  refillKpa,
  usualEt0Mm,
  rainGauge: rainSiteUID,
});
