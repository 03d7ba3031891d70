/** `npm start [-- --no-demo]`: installs and builds what is missing, then runs the server and the demo's devices. */
import './lib/node-version.mjs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { serverFlags } from './lib/server-flags.mjs';
import { keepRunning, startChild } from './lib/supervise.mjs';

/** One Ctrl-C can arrive twice, from the terminal and from npm; only a later one is a second. */
const SAME_SIGNAL_MS = 1000;
const STOP_WITHIN_MS = 30_000;
const DEMO = { email: 'owner@headrace.test', password: 'headrace' };

const demo = !readArguments()['no-demo'];
await ensureInstalled();
await ensureBuilt();
// Requests and device messages at `info` would bury the lines a person needs.
process.env.LOG_LEVEL ??= 'warn';

let simulator = null;
let stoppingSince = 0;
const server = startChild(inRoot('apps/server/dist/main.js'), demo ? ['--demo'] : [], {
  nodeFlags: serverFlags,
  onMessage(message) {
    if (!message?.ready || stoppingSince > 0) return;
    greet(message.url);
    if (demo) simulator = keepRunning('simulator', () => startSimulator(message));
  },
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void onSignal(signal));
stopWithNpm();
const { code, signal } = await server.exited;
if (stoppingSince === 0) {
  console.error(`The server ended (${signal ?? `code ${code}`}).`);
  await simulator?.stop('SIGTERM');
  process.exit(code ?? 1);
}

function readArguments() {
  try {
    return parseArgs({ options: { 'no-demo': { type: 'boolean' } } }).values;
  } catch (error) {
    console.error(`${error.message.split('. ')[0]}. Usage: npm start [-- --no-demo]`);
    return process.exit(2);
  }
}

function startSimulator({ mqttPort, demoSecretFile }) {
  const dataDir = resolve(root, process.env.DATA_DIR?.trim() || 'data');
  const broker = outsideBroker() ?? `mqtt://${brokerHost()}:${mqttPort}`;
  const secretFile = demoSecretFile ?? join(dataDir, 'demo-secret');
  const args = ['--mqtt', broker, '--secret-file', secretFile, '--state-dir', join(dataDir, 'simulator')];
  return startChild(inRoot('apps/simulator/dist/main.js'), args);
}

/** MQTT_URL without the server's name and password: each simulated device signs in with its own. */
function outsideBroker() {
  if (!process.env.MQTT_URL?.trim()) return null;
  const url = new URL(process.env.MQTT_URL);
  url.username = url.password = '';
  return url.href;
}

/** Where the embedded broker can be reached from this machine. */
function brokerHost() {
  const host = process.env.MQTT_HOST?.trim() || process.env.HOST?.trim() || '127.0.0.1';
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function greet(url) {
  console.log(`\nHeadrace is at ${url}`);
  if (demo && isForThisMachine()) {
    console.log(`Sign in with ${DEMO.email} and the password ${DEMO.password}.`);
  } else if (demo) {
    console.log('Other machines can reach this address, so the published demo password is refused:');
    console.log('make an account with `npm run admin`, or leave HOST out to try the demo here.');
  }
  if (demo) console.log('What it mails waits in the outbox: npm run admin -- outbox');
  console.log('Ctrl-C stops it.\n');
}

function isForThisMachine() {
  const host = process.env.HOST?.trim() || '127.0.0.1';
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

async function onSignal(signal) {
  if (stoppingSince > 0) {
    if (Date.now() - stoppingSince > SAME_SIGNAL_MS) killAll('Stopped at once, as asked.', 130);
    return;
  }
  stoppingSince = Date.now();
  console.log('Stopping …');
  const forwarded = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
  setTimeout(() => killAll('It did not stop in time and was ended.', 1), STOP_WITHIN_MS).unref();
  await simulator?.stop(forwarded);
  server.kill(forwarded);
  await server.exited;
  process.exit(0);
}

function killAll(reason, exitCode) {
  console.error(reason);
  simulator?.kill('SIGKILL');
  server.kill('SIGKILL');
  process.exit(exitCode);
}

/** npm killed outright passes no signal on: under npm, losing our parent means stop. */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && stoppingSince === 0) void onSignal('SIGTERM');
  }, 1000).unref();
}
