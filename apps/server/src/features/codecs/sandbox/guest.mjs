import { guestFinding } from './guest-finding.mjs';
import { guestGlobals } from './guest-globals.mjs';
import { guestText } from './guest-text.mjs';

/**
 * Runs inside the sandbox, before the codec, so that what it uses is the engine's own whatever the codec does to prototypes.
 * Gives a function (step, text, thing) => text:
 * - `open`, before a script is read: gives it `exports` and `module`, and watches whether it looks at the clock;
 * - `find`, after: what it may be called by, where scripts for network servers put it. `thing` is what a module exports.
 *   `none`; `knows the time` when what it keeps is of the moment it was read; else `found`;
 * - `run`: calls the codec in the shape it was written for and copies the result within the limits. What a codec returns leaves
 *   the sandbox as text and nothing else.
 */
export const guest = () => `(function () {
  'use strict';
  const { parse, stringify } = JSON;
  const { keys, freeze, defineProperty } = Object;
  const { apply, construct, get } = Reflect;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { toISOString, getTime } = Date.prototype;
  const { substring } = String.prototype;
  const DateOf = Date;
  const finite = Number.isFinite;
  const toNumber = Number;
  const evaluate = eval;
  const noop = function () {};
  const global = globalThis;
  const give = function (name, value) {
    defineProperty(global, name, { value, writable: true, configurable: true, enumerable: false });
  };
  give('console', freeze({ log: noop, info: noop, warn: noop, error: noop, debug: noop, trace: noop }));
  ${guestGlobals()}

  const module = { exports: {} };
  let clockWasRead = false;
  const watchedDate = new Proxy(DateOf, {
    apply() { clockWasRead = true; return DateOf(); },
    construct(_date, args, target) {
      if (args.length === 0) clockWasRead = true;
      return construct(DateOf, args, target === watchedDate ? DateOf : target);
    },
    get(_date, name) {
      if (name === 'now') clockWasRead = true;
      return get(DateOf, name);
    },
  });

  function open() {
    give('module', module);
    give('exports', module.exports);
    give('Date', watchedDate);
    return '';
  }

  ${guestFinding()}

  ${guestText()}

  function call(input) {
    const { bytes, fPort, recvTime } = input;
    const { shape, holder, decode } = codec;
    switch (shape) {
      case 'decodeUplink': {
        const result = apply(decode, holder, [{ bytes, fPort, recvTime: new DateOf(recvTime), variables: {} }]);
        return isBare(result) ? { data: result } : result;
      }
      case 'Decode':
        return { data: apply(decode, holder, [fPort, bytes, {}]) };
      default:
        return { data: apply(decode, holder, [bytes, fPort]) };
    }
  }

  /** Some stores let decodeUplink give the data by itself. */
  function isBare(result) {
    if (typeof result !== 'object' || result === null || typeof result.then === 'function') return false;
    return keys(result).length > 0 && !('data' in result || 'errors' in result || 'warnings' in result);
  }

  /** What normalizeUplink makes of the decoded data; what is wrong with it is a warning, since the data stands. */
  function normalized(data, count) {
    if (typeof codec.normalize !== 'function' || typeof data !== 'object' || data === null) return '';
    try {
      const result = apply(codec.normalize, codec.holder, [{ data }]) || {};
      const part = text(result.data, limits.depth - 1, count) || 'null';
      return ',"normalized":' + part + ',"normalizing":' + (text(result.errors, 2, count) || 'null');
    } catch (error) {
      return ',"normalizing":' + messageOf(error);
    }
  }

  function messageOf(error) {
    if (error === null) return '"InternalError: out of memory"';
    try {
      const message = error.limit || (error instanceof Error ? error.name + ': ' + error.message : '' + error);
      return stringify(apply(substring, message, [0, 200]));
    } catch {
      return '"it threw something that has no text"';
    }
  }

  function run(inputJson) {
    try {
      const input = parse(inputJson);
      limits = input.limits;
      const result = call(input);
      if (typeof result !== 'object' || result === null) return '{"threw":"it returned no object"}';
      if (typeof result.then === 'function') return '{"threw":"it returned a promise; a codec answers at once"}';
      const count = { values: 0 };
      const { data } = result;
      const part = function (name, value) { return '"' + name + '":' + (text(value, limits.depth - 1, count) || 'null'); };
      return '{' + part('data', data) + ',' + part('warnings', result.warnings) + ',' + part('errors', result.errors) +
        normalized(data, count) + '}';
    } catch (error) {
      return '{"threw":' + messageOf(error) + '}';
    }
  }

  return function (step, words, thing) {
    return step === 'run' ? run(words) : step === 'find' ? find(thing) : open();
  };
})()`;
