import type { Core, Feature } from '../../feature.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import type { SetProgrammesReader } from '../schedules/set-programmes.ts';
import { createOperatingTimes } from './operating-times.ts';
import { createPrinter } from './printer.ts';
import { createReportsRepo } from './reports.repo.ts';
import { reportsRoutes } from './reports.routes.ts';
import { createReportsService } from './reports.service.ts';

interface Sources {
  readonly diary: IrrDiaryService;
  readonly programmesOf: SetProgrammesReader;
}

/** Reports that the server makes, on paper and as tables. */
export function createReportsFeature({ db }: Core, { diary, programmesOf }: Sources): Feature {
  const printer = createPrinter();
  const operatingTimes = createOperatingTimes({ diary, programmesOf });
  const service = createReportsService({ repo: createReportsRepo(db), diary, operatingTimes, printer });
  return { routes: (mount) => reportsRoutes(mount, service), settle: () => printer.close() };
}
