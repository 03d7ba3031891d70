import addFormats from 'ajv-formats';
import { recordKinds, ServerFrame } from '@headrace/contract/live';
import { flags, levels, resources } from '@headrace/contract/permissions';
import { createAjv } from '../create-ajv.ts';
import type { News } from './live-bus.ts';

/** One message on the bus; `from` is the server that sent it, anew at each start. */
export interface Envelope {
  from: string;
  news: News[];
}

const FRAME = { $ref: 'frame' } as const;
const id = { type: 'integer', minimum: 1 } as const;
const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
const object = (properties: Record<string, object>, optional: string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const right = {
  anyOf: [
    object({ flag: { enum: flags } }),
    object({ resource: { enum: resources }, level: { enum: Object.keys(levels) } }),
  ],
};
const event = object({
  farmId: id,
  frame: FRAME,
  anyOf: { type: 'array', items: right, maxItems: 64 },
});
const newsOf: Record<News['kind'], Record<string, object>> = {
  farm: { event },
  account: { accountId: id, frame: FRAME, except: hash },
  'session-ended': { tokenHash: hash },
  'session-renewed': { tokenHash: hash },
  'access-changed': { accountId: id },
  'notifications-changed': { accountId: id },
  'devices-changed': { farmId: id },
  'records-changed': {
    farmId: id,
    record: { enum: recordKinds },
    page: { type: 'string', minLength: 1, maxLength: 64 },
  },
  'sender-disconnected': { senderKey: { type: 'string', minLength: 1, maxLength: 200 } },
  incomplete: {},
};
/** Each kind is made into code when it is first heard: every frame there is takes 0.2 s, and most news has none. */
const ajv = createAjv({ strict: false, inlineRefs: false });
addFormats.default(ajv);
ajv.addSchema([
  { ...ServerFrame, $id: 'frame' },
  ...Object.entries(newsOf).map(([kind, members]) => ({
    $id: idOf(kind),
    ...object({ kind: { const: kind }, ...members }, ['except', 'page']),
  })),
  {
    $id: 'envelope',
    ...object({ from: { type: 'string', pattern: '^[0-9a-f]{16}$' }, news: { type: 'array' } }),
  },
]);
const isNews = (value: unknown): value is News => {
  const kind = (value as Partial<News> | null)?.kind ?? '';
  return Object.hasOwn(newsOf, kind) && ajv.validate(idOf(kind), value);
};
const isEnvelope = (value: unknown): value is Envelope =>
  ajv.validate<{ news: unknown[] }>('envelope', value) && value.news.every(isNews);

function idOf(kind: string): string {
  return `news-${kind}`;
}

/** One piece of news, as the operator's command says it through the database; null for anything else. */
export function readNews(text: string): News | null {
  try {
    const value: unknown = JSON.parse(text);
    return isNews(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null when it isn't what a server of this version says. */
export function readEnvelope(payload: Buffer): Envelope | null {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    return isEnvelope(value) ? value : null;
  } catch {
    return null;
  }
}
