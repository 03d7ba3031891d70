import { useState } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import { call } from '../../api/client.ts';
import { useNow } from '../../ui/clock.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { type EnteredNumber, enteredNumber, NumberField } from '../../forms/fields.tsx';
import { BatteryDialog } from '../devices/battery-button.tsx';
import { ReplaceDialog } from '../replace-sprinkler/replace-dialog.tsx';
import { useSchedulePayload } from './use-remedies.ts';
import { plannedLabel } from './now-labels.ts';
import { Pipes } from './pipes.tsx';
import { waterLabel } from './schedule-labels.ts';
import { sprinklerInfoQuery } from './sprinkler-info.queries.ts';
import type { UnitCommands } from './use-unit-commands.ts';
import classes from './sprinkler-dialog.module.css';

export type Question = 'valveOn' | 'inhibit' | 'isInhibited' | 'sendStopped' | 'battery' | 'replace';

interface QuestionsProps {
  question: Question | null;
  farmUID: string;
  unit: MapUnit;
  zone: Timezone | null;
  commands: UnitCommands;
  onClose: () => void;
}

/** What is asked before something is sent, in front of the unit's dialog. */
export function Questions({ question, ...props }: QuestionsProps) {
  const { unit, onClose } = props;
  switch (question) {
    case 'valveOn':
      return <ValveOn {...props} />;
    case 'inhibit':
      return <Inhibit {...props} />;
    case 'isInhibited':
      return (
        <Dialog title="IPC inhibited." onClose={onClose}>
          <p className={classes.text}>This IPC is already inhibited.</p>
          <Ways>
            <Button onClick={onClose} data-autofocus>
              OK
            </Button>
          </Ways>
        </Dialog>
      );
    case 'sendStopped':
      return <SendStopped {...props} />;
    case 'battery':
      return (
        <BatteryDialog
          name={unit.name}
          record={() => call('POST /ipc/replace-battery', { body: { ipcUID: unit.id } })}
          onClose={onClose}
        />
      );
    case 'replace':
      return (
        <ReplaceDialog
          farmUID={props.farmUID}
          unit={unit}
          why={props.commands.whyNot('Replace')}
          onClose={onClose}
        />
      );
    case null:
      return null;
    default:
      return question satisfies never;
  }
}

const isMinutes = (value: number | null): value is number =>
  value !== null && Number.isInteger(value) && value >= 1 && value <= 1440;

type AskedProps = Omit<QuestionsProps, 'question'>;

/** Nobody has said otherwise yet. */
const USUAL_MINUTES = 30;

/** How long it is on is said before it is opened; nothing keeps it open for longer. */
function ValveOn({ farmUID, unit, zone, commands, onClose }: AskedProps) {
  const [entered, setEntered] = useState<EnteredNumber>(USUAL_MINUTES);
  /** While others are typed, what was asked about last stands. */
  const [asked, setAsked] = useState(USUAL_MINUTES);
  const [isAsked, setIsAsked] = useState(false);
  const [isMeant, setIsMeant] = useState(false);
  const { data: info } = useQuery(sprinklerInfoQuery(unit.id, farmUID));
  // From the tap on, also before it has said so.
  const isInhibited = unit.isInhibited || (info?.stopWanted ?? null) !== null;
  const minutes = enteredNumber(entered);
  const isRight = isMinutes(minutes);
  const open = () => {
    setIsAsked(true);
    if (!isRight || (isInhibited && !isMeant)) return;
    onClose();
    commands.send('ValveOn', { maxOpenMinutes: minutes, ...(isInhibited && { alsoInhibited: true }) });
  };
  return (
    <Dialog title={`Open the valve of ${unit.name}?`} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <NumberField
          name="minutes"
          label="Minutes"
          isWhole
          value={entered}
          onChange={(next) => {
            const typed = enteredNumber(next);
            setEntered(next);
            if (isMinutes(typed)) setAsked(typed);
          }}
          onBlur={() => undefined}
          error={isAsked && !isRight ? 'Enter whole minutes from 1 to 1440.' : undefined}
        />
        <p className={classes.text}>
          {isRight && info && `That is ${waterLabel(minutes, info)}. `}
          It closes by itself after that time. It opens within 10 minutes of now, or not at all.
        </p>
        <Pipes deviceId={unit.id} farmUID={farmUID} zone={zone} minutes={asked} />
        {isInhibited && (
          <Checkbox
            size="md"
            label="Open it once although it is inhibited"
            description="It stays inhibited: nothing of its schedule runs."
            error={isAsked && !isMeant && 'It is inhibited: without this it is left out.'}
            checked={isMeant}
            onChange={(event) => setIsMeant(event.currentTarget.checked)}
          />
        )}
        <Ways>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Valve On</Button>
        </Ways>
      </form>
    </Dialog>
  );
}

function Inhibit({ unit, zone, commands, onClose }: AskedProps) {
  const planned = plannedLabel(unit, zone, useNow());
  const inhibit = () => {
    onClose();
    commands.send('Inhibit');
  };
  return (
    <Dialog title={`Inhibit ${unit.name}?`} onClose={onClose}>
      <p className={classes.text}>
        It runs none of its schedule until it is uninhibited.
        {planned && ` By its schedule it ${planned.charAt(0).toLowerCase()}${planned.slice(1)}.`}
      </p>
      <Ways>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button onClick={inhibit}>Inhibit</Button>
      </Ways>
    </Dialog>
  );
}

/** A schedule would be kept from it, unless it is meant to water again. */
function SendStopped({ farmUID, unit, commands, onClose }: AskedProps) {
  const { payload } = useSchedulePayload(farmUID, unit);
  const send = () => {
    onClose();
    if (payload) commands.send('UpdateSchedule', { ...payload, alsoInhibited: true });
  };
  return (
    <Dialog title={`Send ${unit.name} its schedule?`} onClose={onClose}>
      <p className={classes.text}>
        It is inhibited. With its schedule it is no longer, and waters again by it.
      </p>
      <Ways>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button onClick={send} disabled={!payload}>
          Send and let it water
        </Button>
      </Ways>
    </Dialog>
  );
}
