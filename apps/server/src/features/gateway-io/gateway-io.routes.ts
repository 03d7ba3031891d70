import { gatewayMonitor, saveIoSettings } from '@headrace/contract/gateway-io';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import type { GatewayIoService } from './gateway-io.service.ts';

export function gatewayIoRoutes(mount: Mount, gatewayIo: GatewayIoService): void {
  mount(gatewayMonitor, ({ farm, query, now }) => gatewayIo.monitor(farm.farm, query, now));
  mount(saveIoSettings, (call) => gatewayIo.save(call.farm.farm, call.body, byOf(call)));
}
