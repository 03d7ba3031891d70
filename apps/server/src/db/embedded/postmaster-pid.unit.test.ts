import { expect, test } from 'vitest';
import { parsePostmasterPid } from './postmaster-pid.ts';

const READY = `4711
/srv/headrace/data/postgres
1795233442
24354

127.0.0.1
  5308418         3
ready   
`;

test('a running server is read from its eight lines', () => {
  expect(parsePostmasterPid(READY)).toEqual({
    pid: 4711,
    dataDir: '/srv/headrace/data/postgres',
    port: 24354,
    status: 'ready',
  });
});

test('a file still being written has no status and no port yet', () => {
  expect(parsePostmasterPid('4711\n/srv/data\n')).toEqual({
    pid: 4711,
    dataDir: '/srv/data',
    port: undefined,
    status: '',
  });
});

test('a starting server is not ready', () => {
  expect(parsePostmasterPid(READY.replace('ready   ', 'starting'))?.status).toBe('starting');
});

test('a single-user backend counts by its positive id', () => {
  expect(parsePostmasterPid('-4711\n/srv/data\n')?.pid).toBe(4711);
});

test.each(['', '\n', '0\n', 'ready\n', '12x\n', '99999999999999\n'])('%j names no process', (text) => {
  expect(parsePostmasterPid(text)).toBeUndefined();
});
