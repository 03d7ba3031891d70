import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { DeadLetter } from '@headrace/contract/dead-letters';
import type { Timezone } from '@headrace/contract/farms';
import { letterText } from '@headrace/contract/rules/letter-labels';
import { wholeText } from '@headrace/contract/rules/number-text';
import { Age } from '../../ui/age.tsx';
import { exactTime } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { letterQuery } from './letters.queries.ts';
import { messages, useReplay } from './use-replay.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './letters.module.css';

interface LetterEntryProps {
  farmUID: string;
  letter: DeadLetter;
  zone: Timezone | null;
  canReplay: boolean;
}

/** What was not taken for one reason: why, from whom, how often and when, what to do, and the message itself. */
export function LetterEntry({ farmUID, letter, zone, canReplay }: LetterEntryProps) {
  const [isShown, setIsShown] = useState(false);
  const replay = useReplay(farmUID);
  const { why, todo } = letterText(letter.reason);
  const isOpen = letter.count > 0;
  const name = aboutWhom(letter);
  return (
    <li className={classes.entry} data-done={!isOpen || undefined}>
      <div className={classes.head}>
        <span className={classes.name}>{name}</span>
        <span className={classes.when}>
          <span className="num">{exactTime(Date.parse(letter.at), zone)}</span> ·{' '}
          <Age at={letter.at} zone={zone} />
        </span>
      </div>
      <p className={classes.why}>{why}</p>
      <p className={classes.counts}>{countLabel(letter, zone)}</p>
      {isOpen && <p className={classes.todo}>{todo}</p>}
      <div className={classes.actions}>
        {canReplay && isOpen && letter.kept > 0 && !letter.held && (
          <PlainButton
            onClick={() => replay.mutate(letter._id)}
            disabled={replay.isPending}
            label={`Try again: ${name}`}
          >
            {replay.isPending ? 'Trying…' : 'Try again'}
          </PlainButton>
        )}
        <PlainButton
          onClick={() => setIsShown(!isShown)}
          label={`${isShown ? 'Hide' : 'Show'} message: ${name}`}
        >
          {isShown ? 'Hide message' : 'Show message'}
        </PlainButton>
      </div>
      {isShown && <Message farmUID={farmUID} letter={letter} zone={zone} />}
    </li>
  );
}

function aboutWhom({ deviceName, mac, gatewayName, from }: DeadLetter): string {
  const through = gatewayName ? `gateway ${gatewayName}` : from;
  const device = deviceName || mac;
  // What a gateway says of itself.
  if (device && device === gatewayName) return device;
  if (device) return through ? `${device}, through ${through}` : device;
  return through ? `From ${through}` : 'Several devices';
}

function countLabel({ count, kept, taken, firstAt, held }: DeadLetter, zone: Timezone | null): string {
  const since = count > 1 ? ` since ${exactTime(Date.parse(firstAt), zone)}` : '';
  const parts = [
    ...(taken > 0 ? [`${messages(taken)} taken after all.`] : []),
    ...(count > 0 ? [`${messages(count)} ${held ? 'waiting' : 'not taken'}${since}.`] : []),
    ...(count > kept ? [`${kept === 0 ? 'None is' : `${wholeText(kept)} are`} kept to be tried again.`] : []),
  ];
  return parts.join(' ');
}

function Message({ farmUID, letter, zone }: { farmUID: string; letter: DeadLetter; zone: Timezone | null }) {
  const query = useQuery(letterQuery(farmUID, letter._id));
  return (
    <StateView query={query} failed="The message couldn't be loaded" skeleton={<Skeleton blockPx={64} />}>
      {({ topic, receivedAt, bytes, whole, encoding, message }) => (
        <figure className={classes.message}>
          <figcaption>
            {whole ? 'The newest that is kept' : 'The beginning of the first one'}
            {encoding === 'hex' && ', as bytes in hex'}: {exactTime(Date.parse(receivedAt), zone)},{' '}
            {wholeText(bytes)} bytes on {topic}
          </figcaption>
          {/* It scrolls and holds nothing to stop at: the keyboard must get there. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} role="group" aria-label="Message">
            {message}
          </pre>
        </figure>
      )}
    </StateView>
  );
}
