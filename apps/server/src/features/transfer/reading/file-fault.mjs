/** @typedef {import('@headrace/contract/imports').ImportType} ImportType */

/** Why a file can't be read: a sentence with its place. Whatever else is thrown is a bug. */
export class FileFault extends Error {
  /** @param {string} sentence @param {ImportType} [suggested] by which type it can be read */
  constructor(sentence, suggested) {
    super(sentence);
    this.suggested = suggested;
  }
}

/**
 * What a reader found, or why it can't.
 * @param {() => Promise<import('./file-content.ts').FileContent>} read
 * @returns {Promise<import('./file-content.ts').ReadOutcome>}
 */
export async function outcomeOf(read) {
  try {
    return { kind: 'content', content: await read() };
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { message: fault, suggested } = error;
    return { kind: 'fault', fault, ...(suggested && { suggested }) };
  }
}

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
