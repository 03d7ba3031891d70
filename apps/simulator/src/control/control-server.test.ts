import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlServer, startControlServer } from './control-server.ts';
import { runFaultCommand } from './fault-command.ts';

const mac = '00158D0000000001';
const asked: unknown[] = [];
let server: ControlServer;

beforeAll(async () => {
  server = await startControlServer(0, {
    fault: (...args) => {
      asked.push(args);
      return args[1] === 'leak' ? 'kind: leak is nothing that this sprinkler can have' : { mac, faults: [] };
    },
    state: () => ({ farms: 3 }),
  });
});
afterAll(() => server.stop());

const post = async (body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${server.port}/fault`, { method: 'POST', body, headers });
  return { status: response.status, body: (await response.json()) as { error?: string } };
};

describe('the control port', () => {
  it('takes a fault, with the address written as people write it', async () => {
    const body = JSON.stringify({
      mac: '00:15:8d:00:00:00:00:01',
      kind: 'radio-loss',
      value: 0.5,
      minutes: 10,
    });
    expect(await post(body)).toMatchObject({ status: 200 });
    expect(asked.at(-1)).toEqual([mac, 'radio-loss', 0.5, 10]);
  });

  it.each([
    ['{"mac":"00158D0000000001"}', 'kind must be one of out-of-contact, repeater-down, lost-close,'],
    [
      '{"mac":"00158D0000000001","kind":"fire"}',
      'kind must be one of out-of-contact, repeater-down, lost-close,',
    ],
    ['{"mac":"zz","kind":"leak"}', 'mac must have 12 or 16 hex digits'],
    ['{"kind":"leak"}', 'mac'],
    ['{"mac":"00158D0000000001","kind":"low-battery","minutes":-1}', 'minutes must be > 0'],
    ['{"mac":"00158D0000000001","kind":"low-battery","for":1}', 'for'],
    ['not JSON', 'the body must be JSON'],
    ['{"mac":"00158D0000000001","kind":"leak"}', 'kind: leak is nothing that this sprinkler can have'],
  ])('refuses %s and names the member', async (body, error) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(error);
  });

  it('reads no long bodies and lets no web page in', async () => {
    expect(await post('x'.repeat(5000))).toMatchObject({ status: 413 });
    expect(await post('{}', { origin: 'http://farm.example' })).toMatchObject({ status: 403 });
  });

  it('tells its state, and what there is when asked for something else', async () => {
    const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
    expect(await (await get('/state')).json()).toEqual({ farms: 3 });
    expect((await get('/')).status).toBe(404);
  });
});

describe('the fault command', () => {
  it('asks for a fault and prints the answer', async () => {
    const line = [mac, 'low-battery', '--for', '15', '--control-port', String(server.port)];
    expect(JSON.parse(await runFaultCommand(line, {}))).toEqual({ mac, faults: [] });
    expect(asked.at(-1)).toEqual([mac, 'low-battery', undefined, 15]);
    await runFaultCommand([mac, 'radio-loss', '--value', '0.2'], { SIM_CONTROL_PORT: String(server.port) });
    expect(asked.at(-1)).toEqual([mac, 'radio-loss', 0.2, undefined]);
  });

  it('says what is wrong', async () => {
    const port = ['--control-port', String(server.port)];
    await expect(runFaultCommand([mac, 'leak', ...port], {})).rejects.toThrow('leak is nothing that');
    await expect(runFaultCommand([mac], {})).rejects.toThrow('Usage');
    await expect(runFaultCommand([mac, 'leak'], {})).rejects.toThrow('--control-port must be the port');
    await expect(runFaultCommand([mac, 'leak', '--for', 'x', ...port], {})).rejects.toThrow(
      '--for must be a number',
    );
    await expect(runFaultCommand([mac, 'leak', '--control-port', '1'], {})).rejects.toThrow(
      'no simulator answers on port 1',
    );
  });
});
