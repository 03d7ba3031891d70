/** A name that people gave, as a part of a file's name. */
export const fileWord = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-');
