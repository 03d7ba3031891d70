import { useState } from 'react';
import { countText } from '@headrace/contract/rules/number-text';
import type { FailedCommand } from '@headrace/contract/attention';
import { targetName } from '@headrace/contract/rules/target-name';
import { numberText } from '../../ui/format.ts';
import { useSee } from '../commands/see-command.ts';
import type { AttentionWays } from './attention-list.tsx';
import classes from './attention.module.css';

export interface FailedCommandsProps {
  commands: readonly FailedCommand[];
  /** How many there are; of more than these the others aren't named. */
  count: number;
  /** So many are in sight at first. */
  names: number;
  ways: AttentionWays;
}

/** Commands that ended badly: each leads to where it can be tried again, and can be marked as seen. */
export function FailedCommands({ commands, count, names, ways }: FailedCommandsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const inSight = isOpen ? commands : commands.slice(0, names);
  const left = count - inSight.length;
  return (
    <>
      {inSight.map((command) => {
        const text = failedText(command);
        return (
          <span key={command._id} className={classes.name}>
            {ways.command?.(command, text) ?? text}{' '}
            {ways.seenOn && <Seen farmUID={ways.seenOn} command={command} text={text} />}
          </span>
        );
      })}
      {left > 0 && commands.length > inSight.length && (
        <button type="button" className={classes.more} aria-expanded={false} onClick={() => setIsOpen(true)}>
          and {left} more
        </button>
      )}
      {left > 0 && commands.length === inSight.length && <span>and {left} more</span>}
    </>
  );
}

function Seen({ farmUID, command, text }: { farmUID: string; command: FailedCommand; text: string }) {
  const see = useSee(farmUID);
  return (
    <button
      type="button"
      className={classes.more}
      data-seen
      aria-label={`Seen: ${text}`}
      onClick={({ currentTarget }) => {
        focusBeside(currentTarget);
        see(command);
      }}
    >
      Seen
    </button>
  );
}

/** The line goes, and the keyboard goes on with the next one. */
function focusBeside(button: HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-seen]')];
  const at = all.indexOf(button);
  (all[at + 1] ?? all[at - 1] ?? document.querySelector<HTMLElement>('main a[href], main button'))?.focus();
}

/** "3 of 40 sprinklers did not take Inhibit Group, North"; "P042 did not answer Poll". What is not known is not called failed. */
export function failedText({ title, name, total, failed, unanswered, leftOut, isForGateway }: FailedCommand) {
  const one = isForGateway ? 'gateway' : 'sprinkler';
  const count = failed + unanswered + leftOut;
  const who = total === 1 ? name || 'The gateway' : `${numberText(count)} of ${countText(total, one)}`;
  const what = total === 1 ? title : `${title}, ${targetName({ name })}`;
  if (count === leftOut) return `${who} left out of ${what}: inhibited`;
  if (failed === 0) return `${who} did not answer ${what}`;
  return unanswered === 0 ? `${who} did not take ${what}` : `${who} did not confirm ${what}`;
}
