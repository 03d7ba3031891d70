import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';

/**
 * What a server runs besides our own code, as CycloneDX JSON: every package of the lock file that is not for building or testing.
 * The same lock file gives the same text: without the time and the number that npm gives each.
 */
export async function sbomText() {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'];
  const { code, output } = await run('npm', [...args, '--package-lock-only', '--loglevel', 'error'], {
    quiet: true,
    timeoutMs: 120_000,
  });
  if (code !== 0) throw new Error(`npm sbom failed:\n${output}`);
  const { serialNumber: _number, ...bom } = JSON.parse(output);
  const { timestamp: _time, ...metadata } = bom.metadata;
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const component = { ...metadata.component, name: 'headrace', version };
  return `${JSON.stringify({ ...bom, metadata: { ...metadata, component } }, null, 2)}\n`;
}
