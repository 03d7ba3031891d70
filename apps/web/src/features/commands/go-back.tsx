import { useState } from 'react';
import type { Command, GoBackPlan } from '@headrace/contract/commands';
import { commandNeeds } from '@headrace/contract/command-types';
import { randomHex } from '../../api/random-hex.ts';
import { numberText } from '../../ui/format.ts';
import { useCan } from '../../access/permissions.ts';
import { useGoBack } from './commands.queries.ts';
import { SendOnce, SentOnce } from './send-once.tsx';
import classes from './command-drawer.module.css';

interface Props {
  command: Command;
  /** Whom it would send something; null: it was not cancelled half-way. */
  plan: GoBackPlan | null;
  /** Where what becomes of it is shown in this one's place; absent: a link leads to it. */
  onSent?: ((commandId: string) => void) | undefined;
}

/** Of a send of schedules that was cancelled half-way: the way back for those that it reached. */
export function GoBack({ command, plan, onSent }: Props) {
  const may = useCan(commandNeeds.SendScheduleSet, command.farmUID);
  // However often it is pressed, it is one command.
  const [requestId] = useState(() => randomHex(16));
  const back = useGoBack(command, requestId);
  if (back.data)
    return <SentOnce farmUID={command.farmUID} commandId={back.data.commandId} text="Sent: they go back." />;
  if (plan === null || countOf(plan) === 0 || !may) return null;
  return (
    <>
      <p className={classes.message}>{goBackText(plan)}</p>
      <SendOnce sending={back} name="SendScheduleSet" label="Go back" onSent={onSent} />
    </>
  );
}

const countOf = ({ answered, out, outOfContact, inhibited }: GoBackPlan) =>
  answered + out.count + outOfContact.count + inhibited.count;

/** Whom it would send something, by name where they have not answered: they may have taken it. */
function goBackText({ answered, out, outOfContact, inhibited }: GoBackPlan): string {
  const sentences = [
    `${sprinklers(answered)} took the new schedule`,
    out.count > 0 &&
      `${numberText(out.count)} may have taken it, without an answer so far: ${namesText(out)}`,
    outOfContact.count > 0 &&
      `${numberText(outOfContact.count)} may have taken it and ${outOfContact.count === 1 ? 'is' : 'are'} out of contact: ${namesText(outOfContact)}`,
    'the others have the old one. Go back sends these what they had before',
    inhibited.count > 0 &&
      `${sprinklers(inhibited.count)} ${inhibited.count === 1 ? 'was' : 'were'} inhibited before it and will be again: ${namesText(inhibited)}`,
  ];
  return `${sentences
    .filter((text) => text !== false)
    .map((text) => text.charAt(0).toUpperCase() + text.slice(1))
    .join('. ')}.`;
}

const sprinklers = (count: number) => `${numberText(count)} ${count === 1 ? 'sprinkler' : 'sprinklers'}`;

function namesText({ count, names }: GoBackPlan['out']): string {
  const more = count - names.length;
  return more > 0 ? `${names.join(', ')} and ${numberText(more)} more` : names.join(', ');
}
