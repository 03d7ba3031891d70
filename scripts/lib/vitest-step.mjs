import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tools } from './paths.mjs';
import { runNode } from './run.mjs';

/** Runs one vitest project and counts its tests from the report; a crash, or no test at all, is a failure. */
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
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const { numPassedTests: passed, numPendingTests, numTodoTests, testResults } = results;
  // A file that can't be loaded has no tests to fail; vitest still fails it.
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = results.numFailedTests + brokenFiles;
  const crashed = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: crashed ? 1 : failed, skipped: numPendingTests + numTodoTests };
}
