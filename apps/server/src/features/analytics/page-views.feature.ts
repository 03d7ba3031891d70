import type { Core, Feature } from '../../feature.ts';
import { createPageViewsRepo } from './page-views.repo.ts';
import { pageViewRoutes } from './page-views.routes.ts';
import { createPageViewsService } from './page-views.service.ts';

/** Which pages are opened. */
export function createPageViewsFeature({ db }: Core): Feature {
  const service = createPageViewsService(createPageViewsRepo(db));
  return { routes: (mount) => pageViewRoutes(mount, service) };
}
