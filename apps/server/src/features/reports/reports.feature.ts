import type { Core, Feature } from '../../feature.ts';
import type { IrrDiaryFeature } from '../irr-diary/irr-diary.feature.ts';
import type { HealthFeature } from '../health/health.feature.ts';
import type { SchedulesFeature } from '../schedules/schedules.feature.ts';
import type { TanksFeature } from '../tanks/tanks.feature.ts';
import { createOperatingTimes } from './operating-times.ts';
import { createPrinter, type Printer } from './printer.ts';
import { createReportsRepo } from './reports.repo.ts';
import { reportsRoutes } from './reports.routes.ts';
import { createReportsService } from './reports.service.ts';

interface Sources {
  readonly diary: Pick<IrrDiaryFeature, 'service'>;
  readonly schedules: Pick<SchedulesFeature, 'programmesOf'>;
  readonly health: Pick<HealthFeature, 'service'>;
  readonly tanks: Pick<TanksFeature, 'service'>;
}

export interface ReportsFeature extends Feature {
  readonly printer: Printer;
}

/** Reports that the server makes, on paper and as tables. */
export function createReportsFeature(
  { db }: Core,
  { diary, schedules, health, tanks }: Sources,
): ReportsFeature {
  const printer = createPrinter();
  const { programmesOf } = schedules;
  const service = createReportsService({
    repo: createReportsRepo(db),
    diary: diary.service,
    health: health.service,
    tanks: tanks.service,
    operatingTimes: createOperatingTimes({ diary: diary.service, programmesOf }),
    printer,
  });
  return { printer, routes: (mount) => reportsRoutes(mount, service), settle: () => printer.close() };
}
