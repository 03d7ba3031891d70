import * as api from '@headrace/contract/registry';
import type { Mount } from '../../http/mount.ts';
import type { RegistryService } from './registry.service.ts';

export function registryRoutes(mount: Mount, registry: RegistryService): void {
  mount(api.macOfIpc, ({ query, ...asker }) =>
    query.type === 'exclude-spares'
      ? registry.unitInUse(query.serialNumber, asker)
      : registry.mac(query.serialNumber, asker),
  );
  mount(api.macOfGateway, ({ query, ...asker }) =>
    registry.gateway(query.serialNumber, query.type ?? '', asker),
  );
  mount(api.macOfSensor, ({ query, ...asker }) =>
    registry.sensor(query.serialNumber, query.type ?? '', asker),
  );
  mount(api.macTest, ({ query, now }) => registry.test(query.serialNumber, now));
}
