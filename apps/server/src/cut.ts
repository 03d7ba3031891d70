/** At most so many characters; an emoji that is one code point is not cut in half. */
export const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join('');
