import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inRoot } from './paths.mjs';

const folder = inRoot('.headrace.lock');
const holderFile = inRoot('.headrace.lock', 'holder');
const BEAT_MS = 2000;
const STALE_MS = 15_000;

/** One copy at a time installs or builds in this folder. Left behind by a killed copy, it is taken over. */
export async function withLock(work) {
  await take();
  const beat = setInterval(() => touch(), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function take() {
  let said = false;
  while (!tryTake()) {
    if (isAbandoned()) {
      discard();
      continue;
    }
    if (!said) console.log('Another copy is installing or building here; waiting for it.');
    said = true;
    await sleep(200);
  }
}

function tryTake() {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(holderFile, JSON.stringify({ pid: process.pid, host: hostname() }));
  return true;
}

/** Its process is gone, or (another container's, or an unrelated process with that number) it stopped beating. */
function isAbandoned() {
  try {
    if (Date.now() - statSync(folder).mtimeMs > STALE_MS) return true;
    const holder = JSON.parse(readFileSync(holderFile, 'utf8'));
    if (holder.host !== hostname()) return false;
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Moved aside first: of two copies that find it abandoned, one moves it and the other finds nothing to move. */
function discard() {
  const aside = `${folder}.${process.pid}`;
  try {
    renameSync(folder, aside);
  } catch {
    return;
  }
  rmSync(aside, { recursive: true, force: true });
}

function touch() {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // The folder is gone: someone cleaned up by hand. The work goes on.
  }
}
