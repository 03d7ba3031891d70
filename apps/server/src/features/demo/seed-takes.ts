import { demoTakes } from '@headrace/demo/water-takes';
import { standardTime, takeDay, takeDayStart } from '@headrace/contract/rules/water-take/clock';
import type { Db } from '../../db/client.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { createTakesRepo } from '../water-takes/takes.repo.ts';
import { createTakesService } from '../water-takes/takes.service.ts';

const DAY = 86_400_000;
/** Since when the meter measures the take, days ago: as long as the farms water by their newest set. */
const SINCE_DAYS = 30;

/** Consents of the demo's farms, entered as a person enters them; what was taken comes from what the simulated meters say. */
export async function seedTakes(db: Db, now: Date): Promise<void> {
  const repo = createTakesRepo(db);
  const farms = await db.selectFrom('farm').selectAll().where('is_demo', '=', true).execute();
  for (const { farm: farmName, meter, site, ...consent } of demoTakes) {
    const farm = farms.find(({ name }) => name === farmName);
    if (!farm || (await repo.takes(farm.id)).length > 0) continue;
    const { uid } = (await repo.sensors(farm.id)).find(({ name }) => name === meter) ?? {};
    if (uid === undefined) continue;
    const time = standardTime(toZone(farm));
    const start = takeDayStart(time, now.getTime() - SINCE_DAYS * DAY);
    await createTakesService(repo).add(
      farm,
      {
        ...consent,
        maxM37Day: null,
        validFrom: takeDay(time, start),
        validTo: null,
        restrictionNote: '',
        restrictions: [],
        meters: [
          {
            deviceUID: uid,
            metric: 'pulsesTotal',
            site,
            measure: 'Compliance Volume',
            startsAt: new Date(start).toISOString(),
            endsAt: null,
            verifiedOn: null,
            nextVerification: null,
            pipe: 'full',
            m3PerUnit: 0.01,
            isByVolume: false,
          },
        ],
      },
      { accountId: farm.owner_id, now: new Date(start) },
    );
  }
}
