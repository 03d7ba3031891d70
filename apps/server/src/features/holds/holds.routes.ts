import { addHold, changeHold, endHold, listHolds } from '@headrace/contract/paddock-holds';
import type { Mount } from '../../http/mount.ts';
import type { HoldsService } from './holds.service.ts';

export function holdsRoutes(mount: Mount, holds: HoldsService): void {
  mount(listHolds, async ({ farm, query, now }) => ({ holds: await holds.list(farm.farm, query, now) }));
  mount(addHold, ({ farm, caller, body, now }) =>
    holds.add(body, { farm: farm.farm, accountId: caller.accountId, now }),
  );
  mount(changeHold, ({ farm, caller, body, now }) =>
    holds.change(body, { farm: farm.farm, accountId: caller.accountId, now }),
  );
  mount(endHold, ({ farm, caller, body, now }) =>
    holds.end(body.holdUID, { farm: farm.farm, accountId: caller.accountId, now }),
  );
}
