/** Why a file can't be read: a sentence with its place. Whatever else is thrown is a bug. */
export class FileFault extends Error {}

/**
 * As people are shown it: not too long, and nothing that can't be seen.
 * @param {string} text
 */
export function shown(text) {
  const visible = text.slice(0, 80).replaceAll(/[\p{Cc}\p{Cf}]/gu, '␀');
  return visible.length > 40 ? `${visible.slice(0, 39)}…` : visible;
}

/**
 * A name as it can be kept: one line, without characters that no text has.
 * @param {string} text
 */
export const nameOf = (text) =>
  text
    .slice(0, 4000)
    .replaceAll(/\p{Cs}/gu, '\uFFFD')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 1000);

/** @param {number} n */
export const count = (n) => n.toLocaleString('en-NZ');
