import type { Core, Feature } from '../../feature.ts';
import { senderKey } from '../../mqtt/transport.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { Messages } from '../messages/messages.ts';
import { macClaimsRoutes } from './mac-claims.routes.ts';
import { createMacClaimsService } from './mac-claims.service.ts';

/** Whose a MAC is, where two farms say that it is theirs. */
export function createMacClaimsFeature(
  { db, disconnectSender }: Core,
  uses: { records: DeviceRecords; messages: Messages },
): Feature {
  const service = createMacClaimsService({
    db,
    ...uses,
    disconnect: (sender) => disconnectSender(senderKey(sender)),
  });
  return { routes: (mount) => macClaimsRoutes(mount, service) };
}
