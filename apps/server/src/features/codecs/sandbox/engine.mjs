import { newQuickJSWASMModuleFromVariant, newVariant, Scope } from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { createMemoryImages } from './memory-images.mjs';

/**
 * @typedef {import('quickjs-emscripten-core').QuickJSContext} Context
 * @typedef {import('quickjs-emscripten-core').QuickJSHandle} Handle
 */

/** Carries the engine's error out of nested calls. */
export class EngineError extends Error {
  /** @param {Handle} handle */
  constructor(handle) {
    super('the codec failed');
    this.handle = handle;
  }
}

/**
 * QuickJS with one runtime and one context, whose whole memory can be kept and brought back: so a script is read once, and each
 * message meets the engine as it was right after.
 * @param {string} guestSource gives a function (step, text, thing) => text; it is there before any codec
 */
export async function createEngine(guestSource) {
  // In pages of 64 KiB: 32 MiB. The engine's own limit counts no buffers and few texts: without this one a script had 2 GiB in half a second.
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: 512 });
  // Its types are those of a CommonJS module; Node reads the ES module beside it.
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(
      /** @type {import('quickjs-emscripten-core').QuickJSSyncVariant} */ (/** @type {unknown} */ (variant)),
      { wasmMemory },
    ),
  );
  const images = createMemoryImages(wasmMemory);
  let deadline = Number.POSITIVE_INFINITY;
  let isLate = false;
  const runtime = quickjs.newRuntime();
  runtime.setInterruptHandler(() => (isLate ||= Date.now() > deadline));
  const context = runtime.newContext();
  const guest = context.unwrapResult(context.evalCode(guestSource, 'guest.js'));
  images.begin();

  return {
    images,
    /**
     * Calls the guest and gives its text. Throws EngineError.
     * @param {Scope} scope
     * @param {string} step
     * @param {string} [text]
     * @param {Handle} [thing]
     */
    ask(scope, step, text = '', thing = context.undefined) {
      const words = [step, text].map((one) => scope.manage(context.newString(one)));
      return context.getString(
        valueOf(scope, context.callFunction(guest, context.undefined, ...words, thing)),
      );
    },
    /**
     * Throws EngineError.
     * @param {Scope} scope
     * @param {string} script
     * @param {'global' | 'module'} type
     */
    read: (scope, script, type) => valueOf(scope, context.evalCode(script, 'codec.js', { type })),
    /** @param {Handle} error */
    describe: (error) => ({
      name: textOf(error, 'name'),
      message: textOf(error, 'message'),
      stack: textOf(error, 'stack'),
    }),
    /**
     * Runs it with a stack and a time of its own, and says whether the time was enough. What it took of the engine is given back.
     * @template T
     * @param {{ runMs: number, stackBytes: number }} limits
     * @param {(scope: Scope) => T} work
     */
    within({ runMs, stackBytes }, work) {
      runtime.setMaxStackSize(stackBytes);
      deadline = Date.now() + runMs;
      isLate = false;
      const value = Scope.withScope(work);
      return { value, isLate };
    },
  };

  /**
   * @param {Scope} scope
   * @param {ReturnType<Context['evalCode']>} result
   */
  function valueOf(scope, result) {
    if (result.error) throw new EngineError(scope.manage(result.error));
    return scope.manage(result.value);
  }

  /**
   * @param {Handle} object
   * @param {string} name
   */
  function textOf(object, name) {
    const handle = context.getProp(object, name);
    try {
      return context.typeof(handle) === 'string' ? context.getString(handle).slice(0, 2000) : '';
    } finally {
      handle.dispose();
    }
  }
}
