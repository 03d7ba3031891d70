import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { PASSWORD_MIN } from '@headrace/contract/limits';

/**
 * A password that is found within so many guesses is refused: the common ones with their usual endings, sequences,
 * repetitions, rows of keys and years ("Summer2026" takes 26,200, six letters of one kind 73).
 */
const GUESSES_MIN = 30_000;
/** Longer ones take the library seconds and are no common ones, unless they are of few different characters. */
const LOOKED_AT = 24;
const DIFFERENT_MIN = 4;

let made: Promise<Known> | undefined;

interface Known {
  guesses: ZxcvbnFactory;
  /** In lower case. */
  leaked: ReadonlySet<string>;
}

/** 49,000 leaked passwords by frequency, and the rows of keyboards: some 30 MB, read when they are first needed. */
async function make(): Promise<Known> {
  const [{ ZxcvbnFactory: Factory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const leaked = new Set(dictionary['passwords-common'].map((one) => one.toLowerCase()));
  return { guesses: new Factory({ dictionary, graphs: adjacencyGraphs }), leaked };
}

export const COMMON_PASSWORD_TEXT = 'This password is one of the most common ones. Please choose another.';

/** Whether it was leaked, or is among the first that somebody tries. At most 75 ms for the worst of 24 characters. */
export async function isCommonPassword(password: string): Promise<boolean> {
  if (password.length < PASSWORD_MIN) return true;
  if (password.length > LOOKED_AT) return new Set(password).size < DIFFERENT_MIN;
  made ??= make();
  const { guesses, leaked } = await made;
  return leaked.has(password.toLowerCase()) || guesses.check(password).guesses < GUESSES_MIN;
}
