import { call } from '../../api/client.ts';
import type { LastChange } from '../../forms/use-last-change.ts';

/** Who changed a farm, or a device, group or alert of it, last, and when. Null where that may not be read, or isn't known. */
export async function lastChange(farmUID: string, uid: string): Promise<LastChange | null> {
  try {
    const { changes } = await call('GET /changes', { query: { farmUID, uid, limit: 1 } });
    const [newest] = changes;
    return newest?.by ? { by: newest.by, at: Date.parse(newest.at) } : null;
  } catch {
    return null;
  }
}
