import type { Behind, Command } from '@headrace/contract/commands';
import { howFarText } from './how-far.ts';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { targetName } from '@headrace/contract/rules/target-name';
import { numberText } from '../../ui/format.ts';

export type Other = Behind['commands'][number];

/** "waits for", or "3 of its units wait for" where the others don't. */
export function waitsFor({ units }: Other, { of }: Behind): string {
  if (units >= of) return 'waits for';
  return units === 1 ? '1 of its units waits for' : `${numberText(units)} of its units wait for`;
}

export const otherName = (other: Other): string => `${other.title}, ${targetName(other)}`;

/** ", sent by Aroha Ngata (120 of 300 done)". */
export function otherText(other: Other): string {
  const { sentBy, isAutomatic } = other;
  const by = isAutomatic ? ', sent by itself' : sentBy && `, sent by ${sentBy}`;
  const far = other.total > 1 ? howFarText(other) : 'not done yet';
  return `${by} (${far})`;
}

/** "waits for Inhibit Group, North, sent by Aroha Ngata (120 of 300 done) and 2 other commands"; empty: for none that is known. */
export function behindText(behind: Behind | null): string {
  const [first, ...others] = behind?.commands ?? [];
  if (!behind || !first) return '';
  const count = others.length + behind.more;
  const more =
    count === 0 ? '' : ` and ${count === 1 ? '1 other command' : `${numberText(count)} other commands`}`;
  return `${waitsFor(first, behind)} ${otherName(first)}${otherText(first)}${more}`;
}

/** A command as news of another one leaves it: how far that is, or that nothing waits for it any more. The same where it doesn't wait for it. */
export function afterOther(command: Command, news: Command): Command {
  const { behind } = command;
  const other = behind?.commands.find(({ _id }) => _id === news._id);
  if (!behind || !other) return command;
  if (!isUnderWay(news)) return { ...command, behind: without(behind, other) };
  const { total, done, failed, hadIt, leftOut } = news;
  if (done + failed <= other.done + other.failed) return command;
  const further = { ...other, total, done, failed, hadIt, leftOut };
  const commands = behind.commands.map((one) => (one === other ? further : one));
  return { ...command, behind: { ...behind, commands } };
}

function without(behind: Behind, ended: Other): Behind | null {
  const commands = behind.commands.filter((one) => one !== ended);
  return commands.length + behind.more === 0 ? null : { ...behind, commands };
}
