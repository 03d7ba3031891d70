import type { FarmRow } from '../../db/schema.ts';

/** What every list of devices says of its farm. */
export function farmOfList({ uid, name, description, icon, lat, lng, boundary }: FarmRow) {
  return { uid, name, description, icon, lat, lng, boundary };
}
