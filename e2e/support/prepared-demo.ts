import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startProgram, temporaryFolder } from './processes.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    preparedDemo: string;
  }
}

/** One first start of the demo for the run, without devices: the journeys begin with copies of its data folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { path, remove } = await temporaryFolder();
  const dataDir = join(path, 'data');
  const env = { HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  let listens = () => {};
  const listening = new Promise<void>((resolve) => (listens = resolve));
  const server = startProgram(
    'apps/server/dist/main.js',
    ['--demo'],
    { ...env, DATABASE_URL: '', MQTT_URL: '' },
    (message) => {
      if ((message as { ready?: boolean }).ready) listens();
    },
  );
  const failed = server.exited.then(({ code }) => {
    throw new Error(`The demo ended with code ${code} before it was ready:\n${server.output()}`);
  });
  await Promise.race([listening, failed]);
  failed.catch(() => undefined);
  await server.end();
  project.provide('preparedDemo', dataDir);
  return remove;
}
