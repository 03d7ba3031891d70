import { parseArgs } from 'node:util';
import { faultKinds } from '../faults/fault-kinds.ts';

export const faultUsage = `  fault MAC KIND [--value N] [--for MINUTES] --control-port N
    KIND: ${faultKinds.join(', ')} or clear
`;

/** `main.js fault …`: asks a running simulator for a fault. Returns what it answered; throws with what is wrong. */
export async function runFaultCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { value: { type: 'string' }, for: { type: 'string' }, 'control-port': { type: 'string' } },
  });
  const [mac, kind] = positionals;
  const port = Number(values['control-port'] ?? env.SIM_CONTROL_PORT);
  if (mac === undefined || kind === undefined || positionals.length > 2)
    throw new Error(`Usage:\n${faultUsage}`);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error('--control-port must be the port that the simulator was started with');
  const body = {
    mac,
    kind,
    ...(values.value !== undefined && { value: numberIn('--value', values.value) }),
    ...(values.for !== undefined && { minutes: numberIn('--for', values.for) }),
  };
  const response = await ask(port, body);
  const answer = (await response.json()) as { error?: string };
  if (!response.ok) throw new Error(answer.error ?? `answered ${response.status}`);
  return JSON.stringify(answer, null, 2);
}

function numberIn(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new Error(`${name} must be a number, not "${text}"`);
  return value;
}

async function ask(port: number, body: object): Promise<Response> {
  try {
    return await fetch(`http://127.0.0.1:${port}/fault`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5000),
    });
  } catch {
    throw new Error(`no simulator answers on port ${port}: start it with --control-port ${port}`);
  }
}
