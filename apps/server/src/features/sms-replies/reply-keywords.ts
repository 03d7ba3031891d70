/** What somebody who got an SMS wants by what they wrote back. */
export type ReplyWish = 'answer' | 'stop' | 'start' | null;

const alone: Readonly<Record<string, ReplyWish>> = {
  stop: 'stop',
  stopall: 'stop',
  unsubscribe: 'stop',
  end: 'stop',
  quit: 'stop',
  start: 'start',
  unstop: 'start',
};
const ANSWER = /^(ok|okay|yes|on it)( |$)/;
/** "Yes but I can't": nobody is on it, and whoever is asked next must hear of it. */
const TAKEN_BACK =
  / (no|not|never|none|nobody|but|cant|cannot|couldnt|wont|dont|didnt|isnt|unable|who|what|where|when|why|how|stop|stopall|unsubscribe|quit)( |$)/;

/** "STOP" alone stops, as providers have it; "OK, on my way" answers; what isn't clear does neither. */
export function wishIn(text: string): ReplyWish {
  const said = text
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z ]+/g, ' ')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^im /, '')
    .replace(/ no (worries|problem|prob|probs|drama|dramas)( |$)/, ' ');
  if (ANSWER.test(said) && !TAKEN_BACK.test(said) && !text.includes('?')) return 'answer';
  return alone[said] ?? null;
}
