import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { inRoot, tools } from './paths.mjs';
import { runNode } from './run.mjs';

/** Runs one vitest project, counts its tests from the report and names the failed; a crash, or no test at all, is a failure. */
export async function runVitest(project, { reportFolder, reportName = project, env, timeoutMs }) {
  const report = join(reportFolder, `${reportName}.json`);
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const { code, output } = await runNode(tools.vitest, args, { env, timeoutMs, quiet: true });
  return { output, ...(await count(report, code)) };
}

async function count(report, code) {
  let results;
  try {
    results = JSON.parse(await readFile(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: ['no report: it crashed or took too long'] };
  }
  const { numPassedTests: passed, numPendingTests, numTodoTests, testResults } = results;
  // A file that can't be loaded has no tests to fail; vitest still fails it.
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = results.numFailedTests + brokenFiles.length;
  const skipped = numPendingTests + numTodoTests;
  if (failed === 0 && (code !== 0 || passed === 0)) {
    return { passed, failed: 1, skipped, failures: ['an error outside the tests, or no test at all'] };
  }
  return { passed, failed, skipped, failures: testResults.flatMap(failuresOf) };
}

/** A line for each failed test of a file, with what it said in short; one for a file that can't be loaded. */
function failuresOf({ name, status, message, assertionResults }) {
  if (status !== 'failed') return [];
  const file = relative(inRoot('.'), name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return [`${file}: ${inShort(message)}`];
  return failed.map(
    ({ fullName, failureMessages }) => `${file} › ${fullName}: ${inShort(failureMessages[0])}`,
  );
}

/** Its first line, what a browser's step was waiting for, and the first line of a test that it came from. */
function inShort(text = '') {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim());
  const waiting = lines.find((line) => line.startsWith('- waiting for '));
  const place = lines.find((line) => /\.test\.tsx?:\d+/.test(line));
  return [lines[0], waiting, place].filter(Boolean).join(' ');
}
