import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { runFaultCommand } from './control/fault-command.ts';
import { readCommandLine, usage } from './options.ts';
import { startSimulator } from './simulator.ts';
import { createStateStore } from './state-store.ts';

/** Bytes of lines that wait while they can't be written; what is more is lost. */
const WAITING_BYTES = 1024 * 1024;
const output = pino.destination({ fd: 1, sync: true, maxLength: WAITING_BYTES });
// A full disk under a redirected output must not end the devices.
output.on('error', () => {});
const log = pino({ name: 'simulator', base: null, timestamp: pino.stdTimeFunctions.isoTime }, output);

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  if (args[0] === 'fault') {
    process.stdout.write(`${await runFaultCommand(args.slice(1), process.env)}\n`);
    return;
  }
  const line = readCommandLine(args, process.env);
  const secret = line.secretFile === null ? '' : await waitForSecret(line.secretFile);
  const starting = startSimulator({
    ...line,
    url: line.mqttUrl,
    secret,
    store: createStateStore(line.stateDir, line.seed),
    log,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(starting));
  const { controlPort } = await starting;
  log.info({ farms: line.farms.length, controlPort }, 'all farms are awake');
}

async function stop(starting: ReturnType<typeof startSimulator>): Promise<void> {
  const started = await Promise.race([starting, Promise.resolve(null)]);
  await started?.stop();
  process.exit(0);
}

/** The server makes the secret when it seeds its demo: we may well be here first. */
async function waitForSecret(path: string): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const secret = await readFile(path, 'utf8').catch(() => '');
    if (secret.trim() !== '') return secret.trim();
    if (tries % 60 === 0) log.info({ path }, 'waiting for the demo secret');
    await new Promise((resolve) => {
      setTimeout(resolve, 1000);
    });
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  if (process.argv[2] === 'fault') process.stderr.write(`${message}\n`);
  else log.fatal(message);
  process.exitCode = 1;
});
