import type { Core, Feature } from '../../feature.ts';
import type { Messages } from '../messages/messages.ts';
import { createTlmRepo } from './tlm.repo.ts';
import { tlmRoutes } from './tlm.routes.ts';
import { createTlmService } from './tlm.service.ts';

/** Owners of a tank level monitor sign up with its label. */
export function createTlmFeature({ db }: Core, messages: Messages): Feature {
  const service = createTlmService(db, createTlmRepo(db), messages);
  return { routes: (mount) => tlmRoutes(mount, service) };
}
