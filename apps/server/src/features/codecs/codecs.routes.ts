import * as contract from '@headrace/contract/codecs';
import type { Caller, FarmAccess, Mount } from '../../http/mount.ts';
import { byOf, success } from '../devices/replies.ts';
import type { CodecsService } from './codecs.service.ts';

export function codecsRoutes(mount: Mount, codecs: CodecsService): void {
  mount(contract.listCodecs, async ({ farm }) => ({ codecs: await codecs.list(farm.farmId) }));
  mount(contract.getCodec, ({ farm, query }) => codecs.get(farm.farmId, query));
  mount(contract.createCodec, (call) => codecs.create(editorOf(call), call.body, call.now));
  mount(contract.updateCodec, (call) => codecs.update(editorOf(call), call.body, call.now));
  mount(contract.deleteCodec, async ({ farm, query }) => {
    await codecs.remove(farm.farmId, query.codecId);
    return { success: true };
  });
  mount(contract.tryCodec, (call) => codecs.try(editorOf(call), call.body, call.now));
  mount(contract.putDecoding, async (call) => ({
    ...success,
    revision: await codecs.setDecoding(call.device, call.body, byOf(call)),
  }));
  mount(contract.decodeAnew, (call) => codecs.decodeAnew(call.device, byOf(call)));
  mount(contract.getDecoding, ({ device, now }) => codecs.decoding(device, now));
}

const editorOf = ({ farm, caller }: { farm: FarmAccess; caller: Caller }) => ({
  farmId: farm.farmId,
  accountId: caller.accountId,
});
