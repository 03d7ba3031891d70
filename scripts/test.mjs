/**
 * `npm test [-- <step> …]`: installs what is missing, then runs every check and suite, or the named steps.
 * Goes on after a failure, so that one run shows them all; its last line is `N passed, N failed`.
 */
import './lib/node-version.mjs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { aptInstall, debianPostgres, findProgram } from './lib/debian.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, tools } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';
import { runSteps } from './lib/steps.mjs';
import { runVitest } from './lib/vitest-step.mjs';

const MINUTE = 60_000;
const check =
  (file, args, timeoutMs = 10 * MINUTE) =>
  async () => {
    const { code, output } = await runNode(file, args, { quiet: true, timeoutMs });
    return code === 0
      ? { output, passed: 1, failed: 0, skipped: 0 }
      : { output, passed: 0, failed: 1, skipped: 0, failures: ['see its block above'] };
  };
const suite = (project, minutes, options) => () =>
  runVitest(project, { reportFolder, timeoutMs: minutes * MINUTE, ...options });

/** `heavy` steps fill both cores and run alone; `needs` is another step that must have passed. */
const steps = [
  { name: 'lock', title: 'Lock file', run: check(inRoot('scripts/check-lock.mjs'), []) },
  { name: 'build', title: 'Build', run: check(inRoot('scripts/build.mjs'), []) },
  { name: 'format', title: 'Format', run: check(tools.biome, ['format', '.']) },
  { name: 'lint', title: 'Lint', needs: 'build', run: check(tools.oxlint, ['--type-aware']) },
  { name: 'styles', title: 'Style sheets keep to the scale', run: check(tools.biome, ['lint', '.']) },
  { name: 'dead-code', title: 'Dead code', run: check(tools.knip, []) },
  { name: 'types', title: 'Types', needs: 'build', run: check(inRoot('scripts/typecheck.mjs'), []) },
  {
    name: 'size',
    title: 'Size of the web app',
    needs: 'build',
    run: check(inRoot('scripts/check-size.mjs'), []),
  },
  { name: 'unit', title: 'Unit tests', run: suite('unit', 10) },
  { name: 'web', title: 'Web tests', run: suite('web', 25) },
  // A thread that makes a PDF runs what is built.
  {
    name: 'server',
    title: 'Server tests, embedded PostgreSQL',
    heavy: true,
    needs: 'build',
    run: suite('server', 30),
  },
  {
    name: 'server-system',
    title: "Server tests, the system's PostgreSQL",
    heavy: true,
    needs: 'build',
    skip: () =>
      debianPostgres() ? null : 'no PostgreSQL is installed here (as root on Debian it would have been)',
    run: suite('server', 15, { reportName: 'server-system', env: { TEST_DATABASE: 'system' } }),
  },
  { name: 'process', title: 'Process tests', heavy: true, needs: 'build', run: suite('process', 25) },
  { name: 'journeys', title: 'Journeys', heavy: true, needs: 'build', run: suite('journeys', 35) },
];

const chosen = chooseSteps(process.argv.slice(2));
const started = Date.now();
await ensureInstalled();
const notes = await prepareMachine(new Set(chosen.map(({ name }) => name)));
const reportFolder = await mkdtemp(join(tmpdir(), 'headrace-reports-'));
const results = await runSteps(chosen);
await rm(reportFolder, { recursive: true, force: true });
summarise();

function chooseSteps(names) {
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(
      `No step is called ${unknown.join(', ')}. There are: ${steps.map(({ name }) => name).join(', ')}.`,
    );
    process.exit(2);
  }
  const wanted = new Set(names.length > 0 ? names : steps.map(({ name }) => name));
  for (const step of steps) if (wanted.has(step.name) && step.needs) wanted.add(step.needs);
  return steps.filter(({ name }) => wanted.has(name));
}

/** Installs the programs that the chosen steps use, where we may, and says what goes untested without them. */
async function prepareMachine(names) {
  const missing = [];
  const anyOf = (...wanted) => wanted.some((name) => names.has(name));
  if (names.has('server-system') && !debianPostgres()) await aptInstall('postgresql');
  if (anyOf('server', 'server-system', 'process', 'journeys') && !findProgram('mosquitto')) {
    if (!(await aptInstall('mosquitto', 'mosquitto-clients'))) {
      missing.push('Mosquitto is not installed: what needs an external broker or mosquitto_pub is skipped.');
    }
  }
  for (const [program, debianPackage] of [
    ['pdfinfo', 'poppler-utils'],
    ['qpdf', 'qpdf'],
  ]) {
    if (names.has('unit') && !findProgram(program) && !(await aptInstall(debianPackage))) {
      missing.push(`${program} is not installed: PDFs are judged by no program of others.`);
    }
  }
  for (const [program, debianPackage] of [
    ['nginx', 'nginx-light'],
    ['caddy', 'caddy'],
  ]) {
    if (names.has('process') && !findProgram(program) && !(await aptInstall(debianPackage))) {
      missing.push(`${program} is not installed: what stands behind it is not tested.`);
    }
  }
  if (names.has('journeys') && !(await ensureChromium())) {
    missing.push('No Chromium of the system: the journeys use the one from @sparticuz/chromium.');
  }
  return missing;
}

function summarise() {
  console.log(`\n──── Summary, ${Math.round((Date.now() - started) / 1000)} s`);
  for (const { step, seconds, passed, failed, skipped, reason } of results) {
    const figures = reason
      ? `skipped: ${reason}`
      : `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    console.log(`${step.name.padEnd(14)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${figures}`);
  }
  // Told again here: the blocks above are long, and what keeps a run's output may keep its end only.
  for (const { step, failures = [] } of results) {
    for (const failure of failures) console.log(`FAILED ${step.name}: ${failure}`);
  }
  for (const note of notes) console.log(note);
  const sum = (what) => results.reduce((total, result) => total + result[what], 0);
  const skippedSteps = results.filter(({ reason }) => reason).length;
  if (sum('skipped') + skippedSteps > 0) {
    console.log(`${sum('skipped')} tests and ${skippedSteps} steps skipped`);
  }
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') > 0 ? 1 : 0;
}
