import { useState } from 'react';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import type { TimelineLine } from '@headrace/contract/timeline';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { useCan } from '../../access/permissions.ts';
import { useGroupChoices } from '../../device-records/choices.queries.ts';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { type ManyCommand, manyOrders } from '../commands/many/many-orders.ts';
import { useManyCommands } from '../commands/many/use-many-commands.ts';
import { HoldDialogHost } from '../holds/hold-dialog-host.tsx';
import { groupOfLine } from './line-group.ts';
import { weekday } from '../../ui/weekday.ts';
import { holdText, mixedText } from './line-labels.ts';
import { type Telling, timesText } from './turn-labels.ts';
import classes from './schedule-view.module.css';

interface LineCardProps {
  farmUID: string;
  line: TimelineLine;
  telling: Telling;
  onClose: () => void;
}

/** What can be done with a line from here: first what stops water. */
const ways = ['TurnGroupValvesOff', 'InhibitGroup', 'UninhibitGroup', 'SendScheduleSet'] as const;

/** A line: what waters, what comes next, and what can be done with its group. */
export function LineCard({ farmUID, line, telling, onClose }: LineCardProps) {
  const [chosen, setChosen] = useState<ManyCommand | 'hold' | null>(null);
  const group = groupOfLine(line.name, useGroupChoices(farmUID));
  const may = useManyCommands(farmUID);
  const canOpen = useCan(needs.groupMap, farmUID);
  const close = () => setChosen(null);
  const scope = group && { farmUID, groupUID: group.id, name: group.name };
  return (
    <Dialog title={line.name} onClose={onClose}>
      <Facts line={line} telling={telling} />
      {group && (
        <>
          {group.name !== line.name && (
            <p>
              This is one of the lines of {group.name}. What you do here is for all of {group.name}.
            </p>
          )}
          <div className={classes.acts} role="group" aria-label={`For ${group.name}`}>
            {ways
              .filter((command) => may.includes(command))
              .map((command) => (
                <Button key={command} variant="default" mih={44} onClick={() => setChosen(command)}>
                  {manyOrders[command].item}
                </Button>
              ))}
            {may.includes('InhibitGroup') && (
              <Button variant="default" mih={44} onClick={() => setChosen('hold')}>
                Hold from watering…
              </Button>
            )}
          </div>
        </>
      )}
      <Ways>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {canOpen && group && (
          <Button
            renderRoot={(props) => (
              <Link
                {...props}
                to="/group-status/$name"
                params={{ name: group.name }}
                search={{ farm: farmUID }}
              />
            )}
          >
            Map of {group.name}
          </Button>
        )}
      </Ways>
      {chosen === 'hold' && scope && <HoldDialogHost {...scope} onClose={close} />}
      {chosen !== null && chosen !== 'hold' && scope && (
        <ManyDialogHost command={chosen} scope={scope} onClose={close} />
      )}
    </Dialog>
  );
}

function Facts({ line, telling }: Pick<LineCardProps, 'line' | 'telling'>) {
  const { zone } = telling;
  const { open, next, holds, turns } = line;
  const mixed = mixedText(line, telling);
  return (
    <dl className={classes.facts}>
      <dt>Sprinklers</dt>
      <dd>{line.units}</dd>
      <dt>Open now</dt>
      <dd>{open.length === 0 ? 'None, as far as is known' : open.map(({ name }) => name).join(', ')}</dd>
      {next && (
        <>
          <dt>Next</dt>
          <dd className="num">
            {next.name}, {weekday(next.startAt, zone)} {timesText(next, zone)}
            {next.sign === 'unsure' && ', not sure'}
          </dd>
        </>
      )}
      {turns.wont > 0 && (
        <>
          <dt>Won’t water</dt>
          <dd>{turns.wont === 1 ? '1 watering' : `${turns.wont} waterings`} of the time shown</dd>
        </>
      )}
      {mixed && (
        <>
          <dt>Schedules</dt>
          <dd>{mixed.text.charAt(0).toUpperCase() + mixed.text.slice(1)}</dd>
        </>
      )}
      {holds.map((hold) => (
        <Hold key={hold.from} text={holdText(hold, telling)} units={hold.units} />
      ))}
    </dl>
  );
}

const Hold = ({ text, units }: { text: string; units: number }) => (
  <>
    <dt>Hold</dt>
    <dd>
      {text} ({units === 1 ? '1 sprinkler' : `${units} sprinklers`})
    </dd>
  </>
);
