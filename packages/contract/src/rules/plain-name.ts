import type { Rule } from './form-rules.ts';

/**
 * Whether a text would be a link in a mail or reads as one: "https://evil.example", "www.evil", "evil.example/login",
 * "me@evil.example". Initials ("J.R. Smith") and numbers ("No.2") are none.
 */
export const looksLikeLink = (text: string): boolean =>
  /:\/\/|\bwww\.|@|[\p{L}\d-]\.\p{L}{2,}(?![\p{L}.])/iu.test(text);

/** The name of a person: it stands in mails to others. */
export const withoutLink =
  (label: string): Rule =>
  (value) =>
    typeof value === 'string' && looksLikeLink(value)
      ? `${label} can't hold a link or an address. Please enter a name alone.`
      : null;

/** Names in mails to people who may not know us. */
const MAILED_MAX = 60;

/**
 * A name as it may stand in a mail to a stranger: no link, no colon, no telephone number, one line, not longer than a
 * name is. Null: it isn't shown.
 */
export function mailedName(name: string): string | null {
  const text = name.trim();
  const isName =
    text !== '' &&
    text.length <= MAILED_MAX &&
    !looksLikeLink(text) &&
    !/[:\p{Cc}\p{Zl}\p{Zp}]|\d[\d\s()-]{4,}\d/u.test(text);
  return isName ? text : null;
}
