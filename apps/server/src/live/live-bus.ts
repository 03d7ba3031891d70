import type { ServerFrame } from '@headrace/contract/live';
import type { Right } from '@headrace/contract/permissions';

/** A frame about a farm, for every connection that has one of the rights there. */
export interface LiveEvent {
  farmId: number;
  frame: ServerFrame;
  anyOf: readonly Right[];
}

/** What one server has to tell the others. Hashes of session tokens are in hex. */
export type News =
  | { kind: 'farm'; event: LiveEvent }
  | { kind: 'account'; accountId: number; frame: ServerFrame; except?: string | undefined }
  | { kind: 'session-ended'; tokenHash: string }
  | { kind: 'access-changed'; accountId: number }
  | { kind: 'devices-changed'; farmId: number }
  | { kind: 'sender-disconnected'; senderKey: string };
export type NewsKind = News['kind'];

export interface LiveListener {
  onNews(news: News): void;
  /** News may have been missed: whatever is remembered because of it has to be read again. */
  onGap(): void;
}

/** Carries news to the other servers on the same database. Who tells does its own part itself and hears no echo. */
export interface LiveBus {
  tell(news: News): void;
  listen(listener: LiveListener): void;
}

/** One server alone: there is nobody to tell. */
export function createLocalBus(): LiveBus {
  return { tell: () => undefined, listen: () => undefined };
}
