import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { readCommandLine, usage } from './options.ts';
import { startSimulator } from './simulator.ts';
import { createStateStore } from './state-store.ts';

const log = pino({ name: 'simulator', base: null, timestamp: pino.stdTimeFunctions.isoTime });

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  const line = readCommandLine(process.argv.slice(2), process.env);
  const secret = await waitForSecret(line.secretFile);
  const simulator = await startSimulator({
    ...line,
    url: line.mqttUrl,
    secret,
    store: createStateStore(line.stateDir, line.seed),
    log,
  });
  const stop = async (): Promise<void> => {
    await simulator.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
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

main().catch((error: unknown) => {
  log.fatal(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
