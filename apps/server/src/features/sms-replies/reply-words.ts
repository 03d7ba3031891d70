/** What somebody who got an SMS wants by what they wrote back. */
export type ReplyWish = 'answer' | 'stop' | 'start' | null;

const words: Readonly<Record<string, ReplyWish>> = {
  stop: 'stop',
  stopall: 'stop',
  unsubscribe: 'stop',
  end: 'stop',
  quit: 'stop',
  start: 'start',
  unstop: 'start',
  ok: 'answer',
  okay: 'answer',
  yes: 'answer',
  'on it': 'answer',
};

/** "STOP" alone stops, as providers have it; "OK, on my way" answers. */
export function wishIn(text: string): ReplyWish {
  const said = text
    .toLowerCase()
    .replace(/[^a-z ]+/g, ' ')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^i ?m /, '');
  const first = said.split(' ')[0] ?? '';
  const wish = words[said] ?? words[said.slice(0, 5)] ?? words[first] ?? null;
  return wish === 'answer' || words[said] === wish ? wish : null;
}
