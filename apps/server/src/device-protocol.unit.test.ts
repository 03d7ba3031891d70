import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { withTables } from './testing/protocol-tables.ts';

it('docs/device-protocol.md has our tables (renew: npx vitest run --project unit agreement device-protocol -u)', async () => {
  const path = fileURLToPath(new URL('../../../docs/device-protocol.md', import.meta.url));
  await expect(withTables(readFileSync(path, 'utf8'))).toMatchFileSnapshot(path);
});
