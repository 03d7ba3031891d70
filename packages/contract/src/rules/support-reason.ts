/** Why staff open a session on a farm, which its owner reads: two words at least, so that dots or one key held down are none. */
export const supportReason = { shortest: 10, longest: 500, pattern: '\\p{L}{2}[^]*\\P{L}[^]*\\p{L}{2}' };

const words = new RegExp(supportReason.pattern, 'u');

/** What is wrong with it, for the person who types it; null: nothing. */
export function supportReasonFault(typed: string): string | null {
  const text = typed.trim();
  const { shortest, longest } = supportReason;
  if (text.length < shortest) return `Reason must have at least ${shortest} characters.`;
  if (text.length > longest) return `Reason can have at most ${longest} characters.`;
  return words.test(text) ? null : 'Say the reason in words: the owner reads it.';
}
