import type { Core, Feature } from '../../feature.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import type { HealthService } from '../health/health.service.ts';
import type { SchedulesFeature } from '../schedules/schedules.feature.ts';
import { createOperatingTimes } from './operating-times.ts';
import { createPrinter } from './printer.ts';
import { createReportsRepo } from './reports.repo.ts';
import { reportsRoutes } from './reports.routes.ts';
import { createReportsService } from './reports.service.ts';

interface Sources {
  readonly diary: IrrDiaryService;
  readonly schedules: Pick<SchedulesFeature, 'programmesOf'>;
  readonly health: HealthService;
}

/** Reports that the server makes, on paper and as tables. */
export function createReportsFeature({ db }: Core, { diary, schedules, health }: Sources): Feature {
  const printer = createPrinter();
  const operatingTimes = createOperatingTimes({ diary, programmesOf: schedules.programmesOf });
  const service = createReportsService({
    repo: createReportsRepo(db),
    diary,
    health,
    operatingTimes,
    printer,
  });
  return { routes: (mount) => reportsRoutes(mount, service), settle: () => printer.close() };
}
