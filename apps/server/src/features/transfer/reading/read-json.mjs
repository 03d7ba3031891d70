import { FileFault, shown } from './file-fault.mjs';

const DEPTH_MAX = 50;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** @type {[string, unknown][]} */
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * JSON with lines, which JSON.parse doesn't know; it also takes the last of two members of one name in silence. Objects have no
 * prototype, so that `__proto__` is a name like any other. Whole numbers that a double can't hold stay text.
 * `keepOf`: what to keep of each member of a list that a member of the whole has, so that never all of a long file is there as objects.
 * @param {string} text
 * @param {(list: string, member: unknown, lineOf: (object: object) => number) => unknown} [keepOf]
 * @returns {{ value: unknown, lineOf: (object: object) => number }}
 */
export function readJson(text, keepOf = (_list, member) => member) {
  /** @type {WeakMap<object, number>} */
  const lines = new WeakMap();
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let counted = 0;
  let line = 1;
  let next = text.indexOf('\n');
  /** The member of the whole that is being read. */
  let list = '';
  /** @param {object} one */
  const lineOf = (one) => lines.get(one) ?? 1;

  const lineHere = () => {
    for (; next >= 0 && next < at; next = text.indexOf('\n', counted)) {
      counted = next + 1;
      line += 1;
    }
    return line;
  };
  /** @param {string} sentence @returns {never} */
  const refuse = (sentence) => {
    throw new FileFault(`Line ${lineHere()}, column ${at - counted + 1}: ${sentence}`);
  };
  const unexpected = () =>
    refuse(
      at < text.length
        ? `'${shown(text.slice(at, at + 20))}' isn't expected here.`
        : 'the file ends too early.',
    );
  const skip = () => {
    for (
      let code = text.charCodeAt(at);
      code === 32 || code === 10 || code === 13 || code === 9;
      code = text.charCodeAt(at)
    )
      at += 1;
  };
  /** @param {string} mark */
  const takes = (mark) => {
    skip();
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };

  function string() {
    const start = at;
    at += 1;
    let isPlain = true;
    for (let code = text.charCodeAt(at); code !== 34; code = text.charCodeAt(at)) {
      if (Number.isNaN(code) || code < 32) unexpected();
      if (code === 92) {
        isPlain = false;
        at += 1;
      }
      at += 1;
    }
    at += 1;
    if (isPlain) return text.slice(start + 1, at - 1);
    try {
      return /** @type {string} */ (JSON.parse(text.slice(start, at)));
    } catch {
      at = start;
      return refuse('a text has a \\ that is followed by nothing known.');
    }
  }

  /** @param {number} depth */
  function object(depth) {
    /** @type {Record<string, unknown>} */
    const made = Object.create(null);
    lines.set(made, lineHere());
    at += 1;
    if (takes('}')) return made;
    do {
      skip();
      if (text[at] !== '"') unexpected();
      const name = string();
      if (name in made) refuse(`the member ${shown(name)} stands twice.`);
      if (!takes(':')) unexpected();
      if (depth === 0) list = name;
      made[name] = value(depth + 1);
    } while (takes(','));
    if (!takes('}')) unexpected();
    return made;
  }

  /** @param {number} depth */
  function array(depth) {
    /** @type {unknown[]} */
    const made = [];
    at += 1;
    if (takes(']')) return made;
    do {
      const member = value(depth + 1);
      made.push(depth === 1 ? keepOf(list, member, lineOf) : member);
    } while (takes(','));
    if (!takes(']')) unexpected();
    return made;
  }

  /**
   * @param {number} depth
   * @returns {unknown}
   */
  function value(depth) {
    skip();
    if (depth > DEPTH_MAX) refuse(`values are nested more than ${DEPTH_MAX} deep.`);
    const mark = text[at];
    if (mark === '{') return object(depth);
    if (mark === '[') return array(depth);
    if (mark === '"') return string();
    NUMBER.lastIndex = at;
    const [digits] = NUMBER.exec(text) ?? [];
    if (digits !== undefined) return number(digits);
    const word = WORDS.find(([name]) => text.startsWith(name, at));
    if (!word) return unexpected();
    at += word[0].length;
    return word[1];
  }

  /** @param {string} digits */
  function number(digits) {
    const found = Number(digits);
    if (!Number.isFinite(found)) refuse(`'${shown(digits)}' is too large a number.`);
    at += digits.length;
    return /^-?\d+$/.test(digits) && !Number.isSafeInteger(found) ? digits : found;
  }

  const whole = value(0);
  skip();
  if (at < text.length) unexpected();
  return { value: whole, lineOf };
}

/** @param {unknown} value @returns {value is Record<string, unknown>} an object */
export const isMember = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
