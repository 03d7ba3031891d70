/**
 * Runs inside the sandbox, before the codec, so that what it uses is the engine's own whatever the codec does to prototypes.
 * Gives a function `(decode, shape, inputJson) => JSON text`: it calls the codec in the shape it was written for and copies the result
 * within the limits. What a codec returns leaves the sandbox as text and nothing else.
 */
export const prelude = `(function (limits) {
  'use strict';
  const { parse, stringify } = JSON;
  const { keys, freeze } = Object;
  const { apply } = Reflect;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { toISOString, getTime } = Date.prototype;
  const { substring } = String.prototype;
  const DateOf = Date;
  const finite = Number.isFinite;
  const toNumber = Number;
  const noop = function () {};
  globalThis.console = freeze({ log: noop, info: noop, warn: noop, error: noop, debug: noop, trace: noop });

  function over(what) { return { limit: 'its result ' + what }; }

  function text(value, depth, count) {
    switch (typeof value) {
      case 'boolean': return value ? 'true' : 'false';
      case 'number': return finite(value) ? '' + value : 'null';
      case 'bigint': return text(toNumber(value), depth, count);
      case 'string':
        if (value.length > limits.characters) throw over('has a text of more than ' + limits.characters + ' characters');
        return stringify(value);
      case 'object': return value === null ? 'null' : members(value, depth, count);
      default: return undefined;
    }
  }

  function members(value, depth, count) {
    if (value instanceof DateOf) {
      const time = apply(getTime, value, []);
      return finite(time) ? '"' + apply(toISOString, value, []) + '"' : 'null';
    }
    if (depth === 0) throw over('nests deeper than ' + limits.depth + ' levels');
    const list = isArray(value) || isView(value);
    const names = list ? undefined : keys(value);
    const length = list ? value.length >>> 0 : names.length;
    if (length > limits.members) throw over('has ' + length + ' members in one place, at most ' + limits.members + ' are read');
    let out = '';
    for (let index = 0; index < length; index += 1) {
      if ((count.values += 1) > limits.values) throw over('has more than ' + limits.values + ' values');
      const name = list ? index : names[index];
      if (name === '__proto__') continue;
      const part = text(value[name], depth - 1, count);
      if (list) out += (index === 0 ? '' : ',') + (part === undefined ? 'null' : part);
      else if (part !== undefined) out += (out === '' ? '' : ',') + stringify(name) + ':' + part;
      if (out.length > limits.characters) throw over('has more than ' + limits.characters + ' characters');
    }
    return list ? '[' + out + ']' : '{' + out + '}';
  }

  function call(decode, shape, input) {
    const { bytes, fPort, recvTime } = input;
    switch (shape) {
      case 'decodeUplink':
        return decode({ bytes, fPort, recvTime: new DateOf(recvTime), variables: {} });
      case 'Decode':
        return { data: decode(fPort, bytes, {}) };
      default:
        return { data: decode(bytes, fPort) };
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

  return function (decode, shape, inputJson) {
    try {
      const result = call(decode, shape, parse(inputJson));
      if (typeof result !== 'object' || result === null) return '{"threw":"it returned no object"}';
      if (typeof result.then === 'function') return '{"threw":"it returned a promise; a codec answers at once"}';
      const count = { values: 0 };
      const part = function (name) { return '"' + name + '":' + (text(result[name], limits.depth - 1, count) || 'null'); };
      return '{' + part('data') + ',' + part('warnings') + ',' + part('errors') + '}';
    } catch (error) {
      return '{"threw":' + messageOf(error) + '}';
    }
  };
})`;
