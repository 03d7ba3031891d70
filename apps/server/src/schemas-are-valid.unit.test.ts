import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { endpoints } from '@headrace/contract/api';
import { ClientFrame, ServerFrame } from '@headrace/contract/live';
import type { Endpoint } from '@headrace/contract/endpoint';

/** The server doesn't check its schemas when it starts (create-ajv.ts). */
const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const faults = (schema: object) => (ajv.validateSchema(schema) ? [] : [ajv.errorsText()]);
const schemasOf = ({ query, body, reply }: Endpoint) =>
  [query, body, reply].filter((one) => one !== undefined);

describe('schemas', () => {
  it.each(endpoints.map((one: Endpoint) => [one.key, one] as const))('of %s are valid', (_key, endpoint) => {
    expect(schemasOf(endpoint).flatMap(faults)).toEqual([]);
  });

  it('of live frames are valid', () => {
    expect([ClientFrame, ServerFrame].flatMap(faults)).toEqual([]);
  });

  it('that are none are found', () => {
    expect(faults({ type: 'object', properties: { a: { minLength: -1 } } })).toHaveLength(1);
  });
});
