import { type ReactNode, Suspense, useState } from 'react';
import { countText } from '@headrace/contract/rules/number-text';
import type { Attention, AttentionDevice, FailedCommand } from '@headrace/contract/attention';
import { lazyAgain } from '../../ui/lazy-again.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { attentionCondition, attentionText, deviceText } from './attention-labels.ts';
import type { FailedCommandsProps } from './failed-commands.tsx';
import type { Besides } from './without-alerts.ts';
import classes from './attention.module.css';

/** A link to what needs a person; null: there is no way to it from here, or not for this person. */
export interface AttentionWays {
  device: (device: AttentionDevice, text: string) => ReactNode | null;
  sprinklers: (attention: Attention, text: string) => ReactNode | null;
  command?: (command: FailedCommand, text: string) => ReactNode | null;
  /** Of this farm, whose commands can be marked as seen here. */
  seenOn?: string;
}

export interface AttentionListProps {
  attention: readonly Besides[];
  ways: AttentionWays;
  /** So many kinds are in sight at first; all without. */
  kinds?: number | undefined;
  /** So many devices of a kind are named at first. */
  names: number;
  label?: string | undefined;
  /** The kinds may stand beside each other. */
  isWide?: boolean | undefined;
}

const failed = lazyAgain<FailedCommandsProps>(
  () => import('./failed-commands.tsx').then((m) => m.FailedCommands),
  ({ count }) => <Name>{countText(count, 'command')}</Name>,
);

/** What is wrong, worst first, each with the names of those of which it is so; a name leads to its device. */
export function AttentionList({
  attention,
  ways,
  kinds,
  names,
  label = 'Needs attention',
  isWide,
}: AttentionListProps) {
  const [isOpen, setIsOpen] = useState(false);
  const isLong = kinds !== undefined && attention.length > kinds;
  // The last place of the few is for the way to the others.
  const inSight = isLong && !isOpen ? attention.slice(0, kinds - 1) : attention;
  return (
    <ul className={classes.list} aria-label={label} data-wide={isWide || undefined}>
      {inSight.map((one) => (
        <Item key={one.kind} attention={one} ways={ways} names={names} />
      ))}
      {isLong && (
        <li>
          <More
            isOpen={isOpen}
            count={attention.length - inSight.length}
            onToggle={() => setIsOpen(!isOpen)}
          />
        </li>
      )}
    </ul>
  );
}

function Item({ attention, ways, names }: { attention: Besides; ways: AttentionWays; names: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const { kind, devices, sprinklers, count, commands, ofSprinklers } = attention;
  const named = isOpen ? devices : devices.slice(0, names);
  const Failed = failed.current;
  const left = commands ? 0 : count - named.length;
  // Where it leads all of them are listed, also those that an alert tells of.
  const unitsText = ofSprinklers
    ? `${sprinklers} more of ${ofSprinklers} sprinklers`
    : countText(sprinklers, 'sprinkler');
  return (
    <li className={classes.item}>
      <ConditionDot condition={attentionCondition(kind)} label={null} size={18} />
      <span className={classes.text}>
        <span className={classes.kind}>{attentionText(kind)}</span>
        {named.map((device) => {
          const text = deviceText(attention, device);
          return <Name key={device._id}>{ways.device(device, text) ?? text}</Name>;
        })}
        {commands && (
          <Suspense>
            <Failed commands={commands} count={count} names={names} ways={ways} />
          </Suspense>
        )}
        {sprinklers > 0 && <Name>{ways.sprinklers(attention, unitsText) ?? unitsText}</Name>}
        {left > 0 && devices.length > named.length && (
          <More isOpen={false} count={left} onToggle={() => setIsOpen(true)} />
        )}
        {left > 0 && devices.length === named.length && <span>and {left} more</span>}
      </span>
    </li>
  );
}

const Name = ({ children }: { children: ReactNode }) => <span className={classes.name}>{children}</span>;

function More({ isOpen, count, onToggle }: { isOpen: boolean; count: number; onToggle: () => void }) {
  return (
    <button type="button" className={classes.more} aria-expanded={isOpen} onClick={onToggle}>
      {isOpen ? 'Show fewer' : `and ${count} more`}
    </button>
  );
}
