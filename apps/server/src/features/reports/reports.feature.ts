import type { Core, Feature } from '../../feature.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import { createPrinter } from './printer.ts';
import { createReportsRepo } from './reports.repo.ts';
import { reportsRoutes } from './reports.routes.ts';
import { createReportsService } from './reports.service.ts';

/** Reports that the server makes, on paper and as tables. */
export function createReportsFeature({ db }: Core, diary: IrrDiaryService): Feature {
  const printer = createPrinter();
  const service = createReportsService({ repo: createReportsRepo(db), diary, printer });
  return { routes: (mount) => reportsRoutes(mount, service), settle: () => printer.close() };
}
