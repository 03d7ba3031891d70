import type { Ajv } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import fastJson, { type Schema } from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';
import { TRIMMED } from '@headrace/contract/schemas';
import { createAjv } from '../create-ajv.ts';
import { plainUnions } from './plain-unions.ts';

/** Devices by the thousand: member by member takes four times as long. */
const LARGE_ARRAYS = { largeArraySize: 1000, largeArrayMechanism: 'json-stringify' } as const;

interface Validate {
  (data: unknown): unknown;
  errors?: unknown;
}

/** Makes a schema into code. Throws where it is none. */
export interface SchemaCompilers {
  body(schema: object): Validate;
  query(schema: object): Validate;
  reply(schema: object): (data: unknown) => string;
}

/** Text becomes numbers only in queries, where all is text; bodies must be what they say. Unknown members are let be. */
export function createSchemaCompilers(): SchemaCompilers {
  const settings = {
    allErrors: false,
    useDefaults: true,
    removeAdditional: false,
    strict: false,
    verbose: true,
  } as const;
  const body = createAjv({ ...settings, coerceTypes: false });
  const query = createAjv({ ...settings, coerceTypes: true });
  trimFirst(body);
  addFormats.default(body);
  addFormats.default(query);
  return {
    body: (schema) => body.compile(schema),
    query: (schema) => query.compile(schema),
    reply: (schema) => fastJson(plainUnions(schema) as Schema, LARGE_ARRAYS),
  };
}

/**
 * Schemas become code when a route is called for the first time, some milliseconds each. All of them at once took a third of
 * the server's start, and most are not asked for soon.
 */
export function compileAtFirstUse(
  app: FastifyInstance,
  compilers: SchemaCompilers = createSchemaCompilers(),
): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    let validate: Validate | undefined;
    const atFirstUse: Validate = (data) => {
      validate ??= (httpPart === 'body' ? compilers.body : compilers.query)(schema);
      const isValid = validate(data);
      // Fastify reads them here.
      atFirstUse.errors = validate.errors;
      return isValid;
    };
    return atFirstUse as ReturnType<Ajv['compile']>;
  });
  app.setSerializerCompiler(({ schema }) => {
    let write: ((data: unknown) => string) | undefined;
    return (data: unknown) => (write ??= compilers.reply(schema))(data);
  });
}

/**
 * Removes spaces around the text of members marked with this keyword, before anything else is checked. A text of spaces only stays:
 * the form's rules explain better what is missing.
 */
function trimFirst(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: TRIMMED,
    type: 'string',
    schemaType: 'boolean',
    modifying: true,
    before: 'maxLength',
    validate: (_schema: boolean, text: string, _parent: unknown, at?: DataValidationCxt) => {
      if (at) at.parentData[at.parentDataProperty] = text.trim() || text;
      return true;
    },
  });
}
