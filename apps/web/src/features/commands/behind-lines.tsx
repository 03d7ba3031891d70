import { Link } from '@tanstack/react-router';
import type { Command } from '@headrace/contract/commands';
import { commandName, commandNeeds } from '@headrace/contract/command-types';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { numberText, upperFirst } from '../../ui/format.ts';
import { otherName, otherText, waitsFor } from './behind.ts';

/** List items: which commands its units wait for, whose they are and how far; and what can be done meanwhile. */
export function BehindLines({ command }: { command: Command }) {
  const { behind, farmUID, type } = command;
  const name = commandName(type);
  const may = useCan(name ? commandNeeds[name] : needs.operator, farmUID);
  if (!behind) return null;
  const { commands, more } = behind;
  return (
    <>
      {commands.map((other) => (
        <li key={other._id} className="num">
          {upperFirst(waitsFor(other, behind))}{' '}
          <Link to="/commands/$farmUID" params={{ farmUID }} search={{ command: other._id }}>
            {otherName(other)}
          </Link>
          {otherText(other)}.
        </li>
      ))}
      {more > 0 && (
        <li>
          {more === 1 ? 'It waits for 1 more command.' : `It waits for ${numberText(more)} more commands.`}
        </li>
      )}
      {may && <li>What still waits can be cancelled.</li>}
    </>
  );
}
