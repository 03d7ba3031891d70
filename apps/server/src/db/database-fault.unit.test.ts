import { expect, it } from 'vitest';
import { databaseFaultOf } from './database-fault.ts';

const coded = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

it.each([
  ['a refused connection', coded('ECONNREFUSED'), 'away'],
  ['one that was cut', new Error('Connection terminated unexpectedly'), 'away'],
  ['no answer to a query', new Error('Query read timeout'), 'away'],
  ['a database that starts', coded('57P03'), 'away'],
  ['one that stops', coded('57P01'), 'away'],
  ['a standby', coded('25006'), 'away'],
  ['its memory', coded('53200'), 'away'],
  ['its disk, failing', coded('58030'), 'away'],
  ['its disk, full', coded('53100'), 'full'],
  ['too many connections', coded('53300'), 'busy'],
  ['no connection free', new Error('timeout exceeded when trying to connect'), 'busy'],
  ['a statement that takes too long', coded('57014'), 'busy'],
  ['a lock that takes too long', coded('55P03'), 'busy'],
  ['a value twice', coded('23505'), null],
  ['a missing table', coded('42P01'), null],
  ['a mistake of ours', new TypeError('x is not a function'), null],
  ['what is no error', 'ECONNREFUSED', null],
])('%s', (_name, error, fault) => {
  expect(databaseFaultOf(error)).toBe(fault);
});
