import type { Unstopped } from '@headrace/contract/commands';
import { numberText } from '../../ui/format.ts';

/** Of Valves Off: what is known of the valves of those that did not answer, the worst first. */
export function UnstoppedLines({ unstopped }: { unstopped: Unstopped | null }) {
  if (!unstopped) return null;
  return unstoppedTexts(unstopped).map((text) => <li key={text}>{text}</li>);
}

export function unstoppedTexts(unstopped: Unstopped): string[] {
  const { saidOpen, mayBeOpen, saidClosed, notKnown, shelved } = unstopped;
  return [
    [saidOpen, `${numberText(saidOpen)} said open when last heard: close the line by hand, or go there.`],
    [mayBeOpen, `${numberText(mayBeOpen)} may be open: opened, and not said to be closed since.`],
    [saidClosed, `${numberText(saidClosed)} said closed when last heard.`],
    [notKnown, `${numberText(notKnown)} never said how the valve is${shelfText(notKnown, shelved)}.`],
  ].flatMap(([count, text]) => (count === 0 ? [] : [String(text)]));
}

function shelfText(notKnown: number, shelved: number): string {
  if (shelved === 0) return '';
  if (shelved === notKnown) return ', and may lie on a shelf: spare or out of service';
  return `; ${numberText(shelved)} of them spare or out of service, maybe on a shelf`;
}
