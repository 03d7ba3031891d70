import * as contract from '@headrace/contract/codecs';
import type { Mount } from '../../http/mount.ts';
import type { CodecsService } from './codecs.service.ts';

export function codecsRoutes(mount: Mount, codecs: CodecsService): void {
  mount(contract.listCodecs, async ({ farm }) => ({ codecs: await codecs.list(farm.farmId) }));
  mount(contract.getCodec, ({ farm, query }) => codecs.get(farm.farmId, query));
  mount(contract.createCodec, ({ farm, body, now }) => codecs.create(farm.farmId, body, now));
  mount(contract.updateCodec, ({ farm, body, now }) => codecs.update(farm.farmId, body, now));
  mount(contract.deleteCodec, async ({ farm, query }) => {
    await codecs.remove(farm.farmId, query.codecId);
    return { success: true };
  });
  mount(contract.tryCodec, ({ farm, body, now }) => codecs.try(farm.farmId, body, now));
  mount(contract.putDecoding, async ({ device, body, now }) => {
    await codecs.setDecoding(device, body, now);
    return { success: true };
  });
  mount(contract.getDecoding, ({ device }) => codecs.decoding(device));
}
