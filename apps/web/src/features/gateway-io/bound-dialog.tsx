import { Button } from '@mantine/core';
import type { LinkableTank } from '@headrace/contract/gateway-io';
import { switchRefusal } from '@headrace/contract/rules/io-settings';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import classes from './gateway-io.module.css';

export interface BoundDialogProps {
  title: string;
  set: boolean;
  tank: LinkableTank | undefined;
  /** min; 0: no limit */
  maxOnTime: number | null | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** A tank's sensor switches this relay: whether a hand is to do it now. */
export function BoundDialog({ title, set, tank, maxOnTime, onConfirm, onClose }: BoundDialogProps) {
  const refusal = switchRefusal(tank?.level ?? null, set, maxOnTime);
  const state = set ? 'on' : 'off';
  return (
    <Dialog title={`Turn ${title} ${state}?`} onClose={onClose}>
      <p className={classes.warning}>
        <ConditionDot condition="caution" label={null} size={18} />
        This ouput is bound to a sensor!
      </p>
      <p className={classes.text}>{levelText(tank)}</p>
      {refusal === null ? (
        <p className={classes.text}>
          Until you cancel it{maxOnTime ? `, or for ${maxOnTime} min at most` : ''}, your hand decides and not
          the tank's level.
        </p>
      ) : (
        <p className={classes.refusal} role="alert">
          {refusal}
        </p>
      )}
      <Ways>
        <Button variant="default" onClick={onClose} data-autofocus>
          {refusal === null ? 'Cancel' : 'Close'}
        </Button>
        {refusal === null && <Button onClick={onConfirm}>Turn {state}</Button>}
      </Ways>
    </Dialog>
  );
}

function levelText(tank: LinkableTank | undefined): string {
  if (!tank) return 'The tank of this sensor is no longer on the farm.';
  if (tank.invalid) return `It fills ${tank.name}. Invalid sensor value.`;
  return tank.level === null
    ? `It fills ${tank.name}, whose level is not known.`
    : `It fills ${tank.name}, which is ${numberText(tank.level)} % full.`;
}
