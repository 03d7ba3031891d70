/**
 * `npm run advisories`: whether published advisories name a package that a server runs. Ends with 1 if so, with 3 if no registry
 * answered: then nothing is known. `npm test` does not ask, since its result would change without a change of ours.
 */
import './lib/node-version.mjs';
import { run } from './lib/run.mjs';

const UNKNOWN = 3;
const { output } = await run('npm', ['audit', '--json', '--omit=dev', '--loglevel', 'silent'], {
  quiet: true,
  timeoutMs: 120_000,
});
const answer = read(output);
if (!answer?.metadata?.vulnerabilities) {
  console.error(`No registry answered, so nothing is known of advisories${why(answer)}.`);
  process.exitCode = UNKNOWN;
} else {
  const { vulnerabilities, metadata } = answer;
  for (const { name, severity, range, via } of Object.values(vulnerabilities)) {
    const titles = via.flatMap((cause) => (typeof cause === 'object' ? `${cause.title} (${cause.url})` : []));
    console.log(`${severity}: ${name} ${range}${titles.map((title) => `\n  ${title}`).join('')}`);
  }
  const { total } = metadata.vulnerabilities;
  const named = total === 1 ? '1 package is named.' : `${total} packages are named.`;
  console.log(total === 0 ? 'No advisory names a package of ours.' : named);
  process.exitCode = total === 0 ? 0 : 1;
}

function read(text) {
  try {
    return JSON.parse(text.slice(text.indexOf('{')));
  } catch {
    return null;
  }
}

function why(found) {
  return found?.message ? `: ${found.message}` : '';
}
