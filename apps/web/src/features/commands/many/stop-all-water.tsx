import { useState } from 'react';
import { Button } from '@mantine/core';
import { commandNeeds } from '@headrace/contract/command-types';
import { useCan } from '../../../access/permissions.ts';
import { ManyDialogHost } from './many-dialog-host.tsx';
import { FARM } from './many-orders.ts';
import form from '../../../forms/dialog-form.module.css';
import classes from './many.module.css';

export interface StopAllWaterProps {
  farmUID: string;
  farmName: string;
  onClose: () => void;
}

/** Closes every valve of a farm; who wants them to stay closed inhibits them after. */
export function StopAllWater({ farmUID, farmName, onClose }: StopAllWaterProps) {
  const mayInhibit = useCan(commandNeeds.InhibitGroup, farmUID);
  const [isInhibiting, setIsInhibiting] = useState(false);
  const scope = { farmUID, groupUID: FARM, name: farmName };
  if (isInhibiting) return <ManyDialogHost command="InhibitGroup" scope={scope} onClose={onClose} />;
  return (
    <ManyDialogHost
      command="TurnGroupValvesOff"
      scope={scope}
      title={`Stop all water on ${farmName}?`}
      button="Stop all water"
      after={mayInhibit && <Inhibit onPress={() => setIsInhibiting(true)} />}
      onClose={onClose}
    >
      <p className={form.text}>
        <b>Stop the pump first, by hand,</b> unless it is named below. With all valves closed it would run
        against a shut main.
      </p>
      <p className={form.text}>A valve is closed only once its sprinkler has said so.</p>
    </ManyDialogHost>
  );
}

const Inhibit = ({ onPress }: { onPress: () => void }) => (
  <div className={classes.after}>
    <p className={form.text}>Their schedules begin again at their next time. Inhibited, they don't.</p>
    <Button variant="default" mih={44} onClick={onPress}>
      Inhibit all sprinklers…
    </Button>
  </div>
);
