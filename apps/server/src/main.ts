import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { openDatabaseSource } from './database-source.ts';
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres-error.ts';
import { StartError } from './db/start-error.ts';
import { demoSecretFile } from './features/demo/demo-secret.ts';
import { createLog } from './log.ts';
import { leaveThreadsTheirLimits } from './machine/thread-memory.ts';
import type { RunningServer } from './server.ts';

/** Longest time a stop may take before the process ends anyway, ms. */
const STOP_WITHIN_MS = 25_000;

async function main(): Promise<void> {
  leaveThreadsTheirLimits();
  const config = readConfig(process.env, process.argv.slice(2), process.cwd());
  const log = createLog(config.logLevel);
  const starting = start(config, log);
  stopOnSignals(starting, log);
  const server = await starting;
  const { url, mqttPort, mqttTlsPort } = server;
  log.info({ url, mqttPort, ...(mqttTlsPort && { mqttTlsPort }) }, 'Headrace is running');
  process.send?.({
    ready: true,
    ...server,
    stop: undefined,
    demo: config.demo,
    demoSecretFile: demoSecretFile(config.dataDir),
  });
}

/**
 * The database recovers in its own process while this one loads the modules of the server, which takes about as long: it is launched
 * first, since loading leaves no turn for anything else.
 */
async function start(config: Config, log: Logger): Promise<RunningServer> {
  let onLaunched = () => {};
  const launched = new Promise<void>((resolve) => (onLaunched = resolve));
  const onGaveUp = (error: Error) => {
    log.fatal({ err: error }, 'the database would not run any more');
    process.kill(process.pid, 'SIGTERM');
  };
  const opening = openDatabaseSource(config, log, { onLaunched, onGaveUp });
  // Of the operator's there is no launch, and one that fails is told by whoever awaits it.
  await Promise.race([launched, opening.catch(() => {})]);
  const { startServer } = await import('./server.ts');
  return startServer(config, log, opening);
}

/** SIGINT and SIGTERM stop in order, a second one at once; so does the parent's end, which would leave us unwatched. */
function stopOnSignals(starting: Promise<RunningServer>, log: Logger): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    void starting
      .then((server) => server.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  if (process.channel) process.on('disconnect', () => stop('parent gone'));
}

main().catch((error: unknown) => {
  const isExpected = [ConfigError, EmbeddedPostgresError, StartError].some((kind) => error instanceof kind);
  process.stderr.write(
    `${isExpected || !(error instanceof Error) ? String(error).replace(/^\w*Error: /, '') : (error.stack ?? error.message)}\n`,
  );
  process.exit(1);
});
