import { expect, it } from 'vitest';
import { endpoints } from './api.ts';
import { TRIMMED } from './schemas.ts';

/** Where each blank counts, or whose pattern allows none… */
const asTyped = [
  'password',
  'passwordConfirmation',
  'currPwd',
  'newPwd',
  'script',
  'bytes',
  'path',
  'unit',
  'macAddress',
];
/** …and what programs say. */
const ofPrograms = [
  'key',
  'endpoint',
  'p256dh',
  'auth',
  'revision',
  'farmRevision',
  'groupUID',
  'requestId',
  'mac',
  'username',
  'clientid',
  'peerhost',
];
const exempt = new Set([...asTyped, ...ofPrograms]);

interface Schema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly patternProperties?: Record<string, Schema>;
  readonly [TRIMMED]?: boolean;
}

/** Texts with a greatest length, by where they stand. */
function texts(schema: Schema, path: string): [string, Schema][] {
  if (schema.type === 'string' && schema.maxLength !== undefined) return [[path, schema]];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => texts(one, `${path} ${name}`)),
    ...(schema.anyOf ?? []).flatMap((one) => texts(one, path)),
    ...(schema.items ? texts(schema.items, path) : []),
  ];
}

it('takes the blanks off what people type before it judges the length', () => {
  // Nobody types how a command names its device; a mapping is of the format for outsiders, which has no such keyword.
  const forms = endpoints.filter(({ key }) => !key.startsWith('POST /commands/'));
  const typed = forms.flatMap(({ key, body }) => (body ? texts(body as Schema, key) : []));
  const kept = typed.filter(([, schema]) => !schema[TRIMMED]).map(([path]) => path);
  expect(
    kept
      .filter((path) => !path.includes(' mapping '))
      .filter((path) => !exempt.has(path.split(' ').at(-1) ?? '')),
  ).toEqual([]);
});
