import type { Command } from '@headrace/contract/commands';
import { doneOfSent, sentTo } from './how-far.ts';
import classes from './commands.module.css';

const share = (count: number, total: number) => `${total > 0 ? (100 * count) / total : 0}%`;

/** How many of the units that a command goes to are done and how many failed. The words stand beside it. */
export function ProgressBar({ command }: { command: Command }) {
  const done = doneOfSent(command);
  const total = sentTo(command);
  return (
    <span
      className={classes.bar}
      role="progressbar"
      aria-label="Units done"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
    >
      <i style={{ width: share(done, total) }} data-tone="ok" />
      <i style={{ width: share(command.failed, total) }} data-tone="issue" />
    </span>
  );
}
