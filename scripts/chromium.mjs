import { existsSync } from 'node:fs';
import { aptInstall, findProgram } from './lib/debian.mjs';

/** For a browser that a program drives: without a sandbox of its own, a graphics card, or calls of its own. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** A Chromium of this machine: CHROMIUM_PATH, else where systems keep one. Null: use the one npm brought. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const found = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(findProgram);
  return found.find(Boolean) ?? (existsSync(MAC) ? MAC : null);
}

/** As findChromium, but lets Debian install one first when this machine has none and we may. */
export async function ensureChromium() {
  if (!findChromium()) await aptInstall('chromium');
  return findChromium();
}
