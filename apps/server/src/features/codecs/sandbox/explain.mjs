/** Things of other places that published scripts reach for, and what to do instead. */
const missing = [
  {
    names: ['setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame'],
    remedy: 'a codec answers at once',
  },
  { names: ['fetch', 'XMLHttpRequest', 'WebSocket'], remedy: 'a codec reads its message and nothing else' },
  {
    names: ['process', 'window', 'document', 'self', 'global', 'navigator'],
    remedy: 'take out the lines that use it',
  },
];

/**
 * An error of the engine as a sentence that says what to change, where we know.
 * @param {string} message `ReferenceError: 'require' is not defined`
 * @param {string | undefined} script the one that failed, when it is at hand
 */
export function explain(message, script) {
  const name = /^ReferenceError: '?(\w+)'? is not defined/.exec(message)?.[1];
  if (name === 'require') return unavailable(`require(${moduleIn(script, /\brequire\s*\(\s*['"]([^'"]+)/)})`);
  if (/could not load module|module loader|Module not found/i.test(message))
    return unavailable(`import from ${moduleIn(script, /\b(?:from|import)\s*\(?\s*['"]([^'"]+)/)}`);
  const known = missing.find(({ names }) => name !== undefined && names.includes(name));
  return known ? `${name} isn't available here: ${known.remedy}` : message;
}

/** @param {string} what */
function unavailable(what) {
  return `${what} isn't available here: put what the script takes from there into the script itself`;
}

/**
 * @param {string | undefined} script
 * @param {RegExp} pattern
 */
function moduleIn(script, pattern) {
  const name = pattern.exec(script ?? '')?.[1];
  return name ? `'${name.slice(0, 60)}'` : '…';
}
