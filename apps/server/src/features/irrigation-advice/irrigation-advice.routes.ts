import {
  ADVICE_DAYS,
  adviceLedger,
  irrigationAdvice,
  putAdviceDay,
  putAdviceNote,
  putAdviceSettings,
} from '@headrace/contract/irrigation-advice';
import type { Mount } from '../../http/mount.ts';
import { byOf, success } from '../devices/replies.ts';
import type { AdviceEntriesService } from './advice-entries.service.ts';
import type { AdviceService } from './advice.service.ts';

export function irrigationAdviceRoutes(
  mount: Mount,
  advice: AdviceService,
  entries: AdviceEntriesService,
): void {
  mount(irrigationAdvice, ({ farm, now }) => advice.advice(farm.farm, now));
  mount(adviceLedger, ({ farm, query: { groupUID, days = ADVICE_DAYS.usual }, now }) =>
    advice.ledger(farm.farm, groupUID, days, now),
  );
  mount(putAdviceSettings, (call) => {
    const { farmUID: _farm, ...body } = call.body;
    return entries.settings(call.farm.farm, body, byOf(call));
  });
  mount(putAdviceDay, async (call) => {
    await entries.day(call.farm.farm, call.body, byOf(call));
    return success;
  });
  mount(putAdviceNote, async (call) => {
    await entries.note(call.farm.farm, call.body, byOf(call));
    return success;
  });
}
