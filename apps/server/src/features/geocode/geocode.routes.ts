import { suggestAddress } from '@headrace/contract/farms';
import type { Mount } from '../../http/mount.ts';
import type { GeocodeService } from './geocode.service.ts';

export function geocodeRoutes(mount: Mount, geocode: GeocodeService): void {
  mount(suggestAddress, ({ query, now }) => geocode.suggest(query.text, now));
}
