/** `npm run sbom [-- <file>]`: what a server runs besides our own code, as CycloneDX JSON, into the file or to standard output. */
import './lib/node-version.mjs';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sbomText } from './lib/sbom.mjs';

const text = await sbomText();
const [file] = process.argv.slice(2);
// npm runs scripts in the repository; a name is meant from where the person is.
if (file) writeFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), file), text);
else process.stdout.write(text);
