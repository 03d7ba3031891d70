import type { PageView, PageViewsRepo } from './page-views.repo.ts';

export function createPageViewsService(views: PageViewsRepo) {
  return {
    /** Nothing is stored of those who ask not to be followed: by Do Not Track or Global Privacy Control. */
    async add(view: PageView, headers: Record<string, unknown>): Promise<void> {
      if (headers['dnt'] !== '1' && headers['sec-gpc'] !== '1') await views.add(view);
    },
  };
}
export type PageViewsService = ReturnType<typeof createPageViewsService>;
