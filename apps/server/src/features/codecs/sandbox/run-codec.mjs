import { newQuickJSWASMModuleFromVariant, newVariant, Scope } from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { prelude } from './prelude.mjs';

/**
 * @typedef {import('./sandbox-job.ts').SandboxJob} SandboxJob
 * @typedef {import('./sandbox-job.ts').SandboxOutcome} SandboxOutcome
 * @typedef {import('quickjs-emscripten-core').QuickJSContext} Context
 * @typedef {import('quickjs-emscripten-core').QuickJSHandle} Handle
 */

/** What a codec may be called by, newest first: LoRa Alliance TS013, ChirpStack v3, The Things Network v2. */
const FIND = `typeof decodeUplink === 'function' ? 'decodeUplink' : typeof Decode === 'function' ? 'Decode'
  : typeof Decoder === 'function' ? 'Decoder' : ''`;

/**
 * 32 MiB in pages of 64 KiB. The engine's own limit counts no buffers and few texts: without this one a script had 2 GiB in half a second.
 */
const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: 512 });
// Its types are those of a CommonJS module; Node reads the ES module beside it.
const engine = await newQuickJSWASMModuleFromVariant(
  newVariant(
    /** @type {import('quickjs-emscripten-core').QuickJSSyncVariant} */ (/** @type {unknown} */ (variant)),
    {
      wasmMemory,
    },
  ),
);

/** Carries the engine's error out of nested calls. */
class EngineError extends Error {
  /** @param {Handle} handle */
  constructor(handle) {
    super('the codec failed');
    this.handle = handle;
  }
}

/**
 * Runs a codec in an engine of its own, with nothing left of the codec or message before.
 * @param {SandboxJob} job
 * @returns {SandboxOutcome}
 */
export function runCodec(job) {
  const { runMs, stackBytes } = job.limits;
  const deadline = Date.now() + runMs;
  let isLate = false;
  return Scope.withScope((scope) => {
    const runtime = scope.manage(engine.newRuntime());
    runtime.setMaxStackSize(stackBytes);
    runtime.setInterruptHandler(() => (isLate ||= Date.now() > deadline));
    const context = scope.manage(runtime.newContext());
    const outcome = Scope.withScope((inner) => runIn(context, inner, job));
    return isLate ? failed('time', 'it took too long') : outcome;
  });
}

/**
 * @param {Context} context
 * @param {Scope} scope
 * @param {SandboxJob} job
 * @returns {SandboxOutcome}
 */
function runIn(context, scope, { script, input, limits }) {
  /** @param {ReturnType<Context['evalCode']>} result */
  const value = (result) => {
    if (result.error) throw new EngineError(scope.manage(result.error));
    return scope.manage(result.value);
  };
  try {
    const { depth, members, values, characters } = limits;
    const given = JSON.stringify({ depth, members, values, characters });
    const run = value(context.evalCode(`${prelude}(${given})`, 'prelude.js'));
    value(context.evalCode(script, 'codec.js'));
    const shape = context.getString(value(context.evalCode(FIND)));
    if (shape === '') return failed('syntax', 'there is no function decodeUplink');
    if (input === null) return { kind: 'accepted' };
    const decode = value(context.evalCode(shape));
    const texts = [shape, JSON.stringify(input)].map((text) => scope.manage(context.newString(text)));
    const json = context.getString(value(context.callFunction(run, context.undefined, decode, ...texts)));
    if (json.startsWith('{"threw":"InternalError: out of memory'))
      return failed('memory', 'it used too much memory');
    return { kind: 'result', json };
  } catch (error) {
    if (error instanceof EngineError) return failureOf(context, error.handle);
    throw error;
  }
}

/**
 * @param {Context} context
 * @param {Handle} error
 * @returns {SandboxOutcome}
 */
function failureOf(context, error) {
  const name = textOf(context, error, 'name');
  const message = textOf(context, error, 'message');
  if (name === 'InternalError' && message === 'out of memory')
    return failed('memory', 'it used too much memory');
  const line = /codec\.js:(\d+)/.exec(textOf(context, error, 'stack'))?.[1];
  return failed(
    name === 'SyntaxError' ? 'syntax' : 'threw',
    `${name}: ${message}`.slice(0, 200),
    line ? Number(line) : null,
  );
}

/**
 * @param {Context} context
 * @param {Handle} object
 * @param {string} name
 */
function textOf(context, object, name) {
  const handle = context.getProp(object, name);
  try {
    return context.typeof(handle) === 'string' ? context.getString(handle).slice(0, 2000) : '';
  } finally {
    handle.dispose();
  }
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
