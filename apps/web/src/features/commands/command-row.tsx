import { memo } from 'react';
import { Link } from '@tanstack/react-router';
import type { Command } from '@headrace/contract/commands';
import type { Timezone } from '@headrace/contract/farms';
import { targetName } from '@headrace/contract/rules/target-name';
import { exactTime, minuteText, upperFirst } from '../../ui/format.ts';
import { behindText } from './behind.ts';
import { openCommand } from './command-search.ts';
import { commandNote, commandLabel, senderOf, tones } from './command-labels.ts';
import { ProgressBar } from './progress-bar.tsx';
import { StateSign } from './state-sign.tsx';
import classes from './commands.module.css';

/** One command of the log: what and for whom, how it stands, who sent it and when. */
export const CommandRow = memo(function CommandRow({ command, zone }: { command: Command; zone: Timezone }) {
  const { title, state, createdAt } = command;
  const at = Date.parse(createdAt);
  const note = commandNote(command);
  const behind = behindText(command.behind);
  return (
    <li className={classes.row} data-tone={tones[state]}>
      <StateSign state={state} />
      <div className={classes.what}>
        <Link {...openCommand(command._id)} className={classes.title}>
          {title} <span className={classes.target}>{targetName(command)}</span>
        </Link>
      </div>
      <div className={classes.rest}>
        <div className={classes.how}>
          <span className={classes.label} data-tone={tones[state]}>
            {commandLabel(command)}
          </span>
          {note && <span className={classes.note}>{note}</span>}
          {behind && <span className={classes.note}>{upperFirst(behind)}.</span>}
          {state === 'progress' && <ProgressBar command={command} />}
        </div>
        <span className={classes.who}>{senderOf(command)}</span>
      </div>
      <time className={classes.when} dateTime={createdAt} title={exactTime(at, zone)}>
        {minuteText(at, zone)}
      </time>
    </li>
  );
});
