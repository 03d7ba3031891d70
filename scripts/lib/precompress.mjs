import { readFile, stat, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { inTurns } from './run.mjs';
import { filesBelow } from './source-hash.mjs';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt|xml|wasm)$/;
/** Below this a header costs more than the compression saves. */
const SMALLEST_BYTES = 1024;

/** Writes `.br` and `.gz` beside every asset that gets smaller by it, so that the server sends them as they lie. */
export async function precompress(folder) {
  const assets = filesBelow(folder).filter((file) => COMPRESSIBLE.test(file));
  await inTurns(assets, 2, async (file) => {
    if ((await stat(file)).size < SMALLEST_BYTES) return;
    const content = await readFile(file);
    const params = {
      [zlib.constants.BROTLI_PARAM_QUALITY]: 10,
      [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
      [zlib.constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    const [br, gz] = await Promise.all([brotli(content, { params }), gzip(content, { level: 9 })]);
    await writeFile(`${file}.br`, br);
    await writeFile(`${file}.gz`, gz);
  });
}
