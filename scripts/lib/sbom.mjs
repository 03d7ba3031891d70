import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';

/**
 * What a server runs besides our own code, as CycloneDX JSON: every package of the lock file that is not for building or testing.
 * The same lock file gives the same text: without the time and the number that npm gives each.
 */
export async function sbomText() {
  // Not `--omit dev`: npm also leaves out then what one workspace runs and another one tests with.
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const { code, output } = await run('npm', [...args, '--loglevel', 'error'], {
    quiet: true,
    timeoutMs: 120_000,
  });
  if (code !== 0) throw new Error(`npm sbom failed:\n${output}`);
  const { serialNumber: _number, ...bom } = JSON.parse(output);
  const { timestamp: _time, ...metadata } = bom.metadata;
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const component = { ...metadata.component, name: 'headrace', version };
  const components = bom.components.filter((one) => !isForDevelopment(one));
  const kept = new Set([metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  const metadataOfOurs = { ...metadata, component };
  return `${JSON.stringify({ ...bom, metadata: metadataOfOurs, components, dependencies }, null, 2)}\n`;
}

const isForDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
