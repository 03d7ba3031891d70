import { useState } from 'react';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { commandNeeds } from '@headrace/contract/command-types';
import { cycleText } from '@headrace/contract/rules/schedule/cycle-text';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { useCan } from '../../access/permissions.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { numberText } from '../../ui/format.ts';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { FARM } from '../commands/many/many-orders.ts';
import classes from './schedules.module.css';

interface Props {
  farmUID: string;
  farmName: string;
  set: SetSummary;
}

/** A set was made of the template: sprinklers don't know of it until it is sent. */
export default function SetMade({ farmUID, farmName, set }: Props) {
  const navigate = useNavigate();
  const [isSending, setIsSending] = useState(false);
  const canSend = useCan(commandNeeds.SendScheduleSet, farmUID);
  const leave = () => void navigate({ to: '/schedules/$id', params: { id: farmUID } });
  if (isSending)
    return (
      <ManyDialogHost
        command="SendScheduleSet"
        scope={{ farmUID, groupUID: FARM, name: farmName }}
        initial={{ setUID: set._id }}
        onClose={leave}
      />
    );
  const sprinklers = set.figures?.units ?? 0;
  return (
    <Dialog title={`Set ${set.name} is made`} onClose={leave}>
      <p className={classes.facts}>
        {numberText(sprinklers)} {sprinklers === 1 ? 'sprinkler' : 'sprinklers'}, cycle{' '}
        {cycleText(set.settings.cycleLen)}. Nothing is sent yet: until it is, they water by what they hold.
      </p>
      <Ways>
        <Button variant="default" onClick={leave}>
          Not now
        </Button>
        {canSend && <Button onClick={() => setIsSending(true)}>Send schedules…</Button>}
      </Ways>
    </Dialog>
  );
}
