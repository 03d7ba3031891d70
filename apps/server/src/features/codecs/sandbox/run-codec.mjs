import { createEngine, EngineError } from './engine.mjs';
import { explain } from './explain.mjs';
import { guest } from './guest.mjs';

/**
 * @typedef {import('./sandbox-job.ts').SandboxJob} SandboxJob
 * @typedef {import('./sandbox-job.ts').SandboxOutcome} SandboxOutcome
 * @typedef {import('./memory-images.mjs').MemoryImage} MemoryImage
 * @typedef {import('quickjs-emscripten-core').Scope} Scope
 */

const engine = await createEngine(guest());

/** Of memory images at hand. A usual script takes a tenth of a MiB, the largest published ones one. */
const IMAGE_BYTES = 48 * 1024 * 1024;
/** The engine as it was after it had read a script, by the script's id; the one used last is the last. */
/** @type {Map<number, MemoryImage>} */
const read = new Map();

/**
 * Runs a codec. Nothing of the message before is left: the engine's memory is brought back to what it was right after it had read this script.
 * @param {SandboxJob} job
 * @returns {SandboxOutcome | { readonly kind: 'wanted' }} wanted: the script isn't at hand, the job has to bring it
 */
export function runCodec(job) {
  const image = read.get(job.scriptId);
  if (!image && job.script === undefined) return { kind: 'wanted' };
  if (image) engine.images.restore(image);
  else engine.images.clear();
  const { value, isLate } = engine.within(job.limits, (scope) => {
    try {
      return work(scope, job, image);
    } catch (error) {
      if (error instanceof EngineError) return failureOf(engine.describe(error.handle), job.script);
      throw error;
    }
  });
  return isLate ? failed('time', 'it took too long') : value;
}

/**
 * @param {Scope} scope
 * @param {SandboxJob} job
 * @param {MemoryImage | undefined} image
 * @returns {SandboxOutcome}
 */
function work(scope, { scriptId, script = '', input, limits }, image) {
  if (!image) {
    engine.ask(scope, 'open');
    const found = engine.ask(scope, 'find', '', readScript(scope, script.replace(/^\uFEFF/, '')));
    if (found === 'none') return failed('syntax', NO_FUNCTION);
    // Its state would be as old as the image.
    if (found !== 'knows the time') keep(scriptId, engine.images.take());
  } else keep(scriptId, image);
  if (input === null) return { kind: 'accepted' };
  const json = engine.ask(scope, 'run', JSON.stringify({ ...input, limits }));
  if (json.startsWith('{"threw":"InternalError: out of memory'))
    return failed('memory', 'it used too much memory');
  return { kind: 'result', json };
}

const NO_FUNCTION =
  'there is no function decodeUplink (nor an older Decode or Decoder), at the top, in exports or in driver: ' +
  'add function decodeUplink(input) { return { data: … }; } that calls the function that reads input.bytes';

/**
 * As a network server does; as a module when it can be nothing else.
 * @param {Scope} scope
 * @param {string} script
 */
function readScript(scope, script) {
  try {
    return engine.read(scope, script, 'global');
  } catch (error) {
    const isModule = /^\s*(?:export|import)\b/m.test(script);
    if (!isModule || !(error instanceof EngineError)) throw error;
    if (engine.describe(error.handle).name !== 'SyntaxError') throw error;
    return engine.read(scope, script, 'module');
  }
}

/**
 * @param {number} scriptId
 * @param {MemoryImage} image
 */
function keep(scriptId, image) {
  read.delete(scriptId);
  read.set(scriptId, image);
  let bytes = 0;
  for (const { size } of read.values()) bytes += size;
  for (const [oldest, { size }] of read) {
    if (bytes <= IMAGE_BYTES) break;
    bytes -= size;
    read.delete(oldest);
  }
}

/**
 * @param {{ name: string, message: string, stack: string }} error
 * @param {string | undefined} script
 * @returns {SandboxOutcome}
 */
function failureOf({ name, message, stack }, script) {
  if (name === 'InternalError' && message === 'out of memory')
    return failed('memory', 'it used too much memory');
  const line = /codec\.js:(\d+)/.exec(stack)?.[1];
  return failed(
    name === 'SyntaxError' ? 'syntax' : 'threw',
    explain(`${name}: ${message}`, script).slice(0, 300),
    line ? Number(line) : null,
  );
}

/**
 * @param {import('./sandbox-job.ts').FailureCause} cause
 * @param {string} message
 * @param {number | null} line
 * @returns {SandboxOutcome}
 */
function failed(cause, message, line = null) {
  return { kind: 'failed', cause, message, line };
}
