import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import { isTakenAsOpen } from '@headrace/contract/rules/valve-belief';
import { groupInfoQuery, useLiveGroup, WHOLE_FARM } from '../group-map/group-map.queries.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { type Question, Questions } from '../sprinkler-dialog/questions.tsx';
import { SentOutcomes } from '../sprinkler-dialog/sent-outcome.tsx';
import { useSchedulePayload } from '../sprinkler-dialog/use-remedies.ts';
import { useUnitCommands } from '../sprinkler-dialog/use-unit-commands.ts';
import classes from './schedule-view.module.css';

interface UnitActsProps {
  farmUID: string;
  uid: string;
  zone: Timezone;
}

/** What can be sent to a sprinkler from the card of one of its waterings, by how it is now. */
export default function UnitActs({ farmUID, uid, zone }: UnitActsProps) {
  const { data: info } = useQuery(groupInfoQuery(farmUID, WHOLE_FARM));
  useLiveGroup(farmUID, WHOLE_FARM);
  const unit = info?.ipcs.find(({ id }) => id === uid);
  if (!info || !unit) return <p role="status">{info ? 'It is no longer on the farm.' : 'Loading…'}</p>;
  return <Acts {...{ farmUID, unit, zone }} hasGateway={info.gateways.length > 0} />;
}

interface ActsProps extends Omit<UnitActsProps, 'uid'> {
  unit: MapUnit;
  hasGateway: boolean;
}

function Acts({ farmUID, unit, zone, hasGateway }: ActsProps) {
  const commands = useUnitCommands(farmUID, unit, hasGateway);
  const [question, setQuestion] = useState<Question | null>(null);
  const { why, payload, isStopped } = useSchedulePayload(farmUID, unit);
  const isOpen = unit.belief !== null && isTakenAsOpen(unit.belief);
  const button = (
    command: 'ValveOn' | 'ValveOff' | 'Inhibit' | 'Uninhibit',
    text: string,
    press: () => void,
  ) => (
    <CommandButton
      why={commands.whyNot(command)}
      isBusy={commands.isSending(command)}
      onPress={press}
      onRefused={(reason) => commands.refuse(text, reason)}
    >
      {text}
    </CommandButton>
  );
  return (
    <>
      <div className={classes.acts} role="group" aria-label={`For ${unit.name}`}>
        {isOpen
          ? button('ValveOff', 'Valve Off', () => commands.send('ValveOff'))
          : button('ValveOn', 'Valve On…', () => setQuestion('valveOn'))}
        {isStopped
          ? button('Uninhibit', 'Uninhibit', () => commands.send('Uninhibit'))
          : button('Inhibit', 'Inhibit…', () => setQuestion('inhibit'))}
        <CommandButton
          why={commands.whyNot('UpdateSchedule') ?? why}
          isBusy={commands.isSending('UpdateSchedule')}
          onPress={() => (isStopped ? setQuestion('sendStopped') : commands.send('UpdateSchedule', payload))}
          onRefused={(reason) => commands.refuse('Send Schedule', reason)}
        >
          Send Schedule
        </CommandButton>
      </div>
      <p role="status">{commands.refused}</p>
      <SentOutcomes {...{ farmUID, commands }} of={() => true} />
      <Questions {...{ question, farmUID, unit, zone, commands }} onClose={() => setQuestion(null)} />
    </>
  );
}
