import { planAnnex, planAnnexPdf, planAnnexTable } from '@headrace/contract/plan-annex';
import { fileWord } from '@headrace/contract/rules/files/file-word';
import type { Report } from '@headrace/paper/made';
import { planAnnexReport } from '@headrace/paper/reports/plan-annex';
import type { Core, Feature } from '../../feature.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { AlertsFeature } from '../alerts/alerts.feature.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { GroupsFeature } from '../groups/groups.feature.ts';
import type { SoilMoistureFeature } from '../soil-moisture/soil-moisture.feature.ts';
import type { SprinklersFeature } from '../sprinklers/sprinklers.feature.ts';
import type { WaterTakesFeature } from '../water-takes/water-takes.feature.ts';
import type { WateringsFeature } from '../waterings/waterings.feature.ts';
import type { Printer } from '../reports/printer.ts';
import { createReportsRepo } from '../reports/reports.repo.ts';
import { type AnnexParts, createPlanAnnex } from './plan-annex.service.ts';

interface Sources extends Pick<AnnexParts, 'season'> {
  readonly printer: Printer;
  readonly groups: Pick<GroupsFeature, 'service'>;
  readonly sprinklers: Pick<SprinklersFeature, 'service'>;
  readonly waterings: Pick<WateringsFeature, 'service'>;
  readonly soil: Pick<SoilMoistureFeature, 'service'>;
  readonly waterTakes: Pick<WaterTakesFeature, 'service'>;
  readonly alerts: Pick<AlertsFeature, 'leaks'>;
}

interface Asking {
  readonly farm: { readonly farm: FarmRow };
  readonly caller: { readonly accountId: number };
  readonly query: { readonly start?: string; readonly stop?: string };
  readonly now: Date;
}

/** What a farm environment plan asks of irrigation: to look at, on paper and as a table. */
export function createAnnexFeature({ db }: Core, { printer, season, ...of }: Sources): Feature {
  const annex = createPlanAnnex({
    season,
    groups: of.groups.service.list,
    units: of.sprinklers.service.units,
    waterings: of.waterings.service,
    soil: of.soil.service,
    takes: of.waterTakes.service.list,
    leaks: of.alerts.leaks,
  });
  const people = createReportsRepo(db);

  async function fileOf({ farm: { farm }, caller, query, now }: Asking): Promise<Report & { name: string }> {
    const data = await annex.of(farm, query, now);
    const by = await people.personName(caller.accountId);
    const made = { farm: farm.name, zone: toZone(farm), by, at: now.getTime() };
    const name = `farm-environment-plan-${fileWord(farm.name)}-${data.start}-${data.stop}`;
    return { ...planAnnexReport(data, made), name };
  }

  return {
    routes(mount) {
      mount(planAnnex, async ({ farm, query, now }) => {
        const { boundary: _boundary, places: _places, ...reply } = await annex.of(farm.farm, query, now);
        return reply;
      });
      mount(planAnnexPdf, async (call) => {
        const { name, paper } = await fileOf(call);
        return { fileName: `${name}.pdf`, content: await printer.print(paper, call.gone) };
      });
      mount(planAnnexTable, async (call) => {
        const { name, csv } = await fileOf(call);
        return { fileName: `${name}.csv`, content: csv };
      });
    },
  };
}
