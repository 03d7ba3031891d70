import { FileFault, shown } from './file-fault.mjs';

/** Corners that are kept of one list; how many there are is counted. */
const KEPT = 2001;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * @typedef {[x: number, y: number]} Position
 * @typedef {{ positions: Position[], count: number, isMended: boolean }} Coordinates
 */

/**
 * The text of KML's coordinates: longitude,latitude[,height] apart by white space of any kind. Blanks around the commas are passed over.
 * By hand, since a pattern for "blanks, comma, blanks" tries long runs of blanks over and over.
 * @param {string} text
 * @returns {Coordinates}
 */
export function readCoordinates(text) {
  /** @type {Position[]} */
  const positions = [];
  let total = 0;
  let isMended = false;
  let at = afterBlanks(text, 0);
  while (at < text.length) {
    /** @type {string[]} */
    const tuple = [];
    for (let isMore = true; isMore; ) {
      const end = endOfToken(text, at);
      tuple.push(text.slice(at, end));
      const comma = afterBlanks(text, end);
      isMore = text[comma] === ',';
      const next = isMore ? afterBlanks(text, comma + 1) : comma;
      if (isMore && (comma > end || next > comma + 1)) isMended = true;
      at = next;
      if (tuple.length > 4)
        throw new FileFault(`'${shown(tuple.join(','))}' has too many numbers. Write longitude,latitude.`);
    }
    total += 1;
    if (total <= KEPT) positions.push([numberOf(tuple[0]), numberOf(tuple[1])]);
  }
  return { positions, count: total, isMended };
}

/** @param {number} code */
const isBlank = (code) => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;

/**
 * @param {string} text
 * @param {number} from
 */
function afterBlanks(text, from) {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/**
 * @param {string} text
 * @param {number} from
 */
function endOfToken(text, from) {
  let at = from;
  while (at < text.length && text[at] !== ',' && !isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** @param {string | undefined} text */
function numberOf(text = '') {
  const number = NUMBER.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(number))
    throw new FileFault(`'${shown(text)}' isn't a number of degrees. Write longitude,latitude.`);
  return number;
}
