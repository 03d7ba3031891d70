import type { Core, Feature } from '../../feature.ts';
import { registerSmsReplies, type SmsCallbacks } from './sms-replies.routes.ts';
import { createSmsRepliesService, type SmsRepliesParts } from './sms-replies.service.ts';

/** What the operator's SMS provider tells: what became of messages, and what people wrote back. */
export function createSmsRepliesFeature(
  { db, live, now, publicUrl }: Core,
  parts: Omit<SmsRepliesParts, 'onChanged'> & { readonly callbacks: SmsCallbacks | null },
): Feature {
  const onChanged = (accountId: number) => live.notificationsChanged(accountId);
  const service = createSmsRepliesService(db, { ...parts, onChanged });
  return { pages: (http) => registerSmsReplies(http, { ...parts, publicUrl }, service, now) };
}
