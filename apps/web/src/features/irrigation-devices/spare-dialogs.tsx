import { useState, type ReactNode } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { spareStatuses } from '@headrace/contract/rules/spare-readiness';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { saveSettings } from '../../preferences/settings.queries.ts';
import classes from '../../forms/dialog-content.module.css';

export type SpareUnit = Pick<Ipc, 'name' | 'spareStatus' | 'spareReasons'>;
export interface SpareDialogProps {
  spare: SpareUnit;
  onYes: () => void;
  onNo: () => void;
}

/** Whether a spare is put to use, by how ready it is. spec 1 §2.18, §4 */
export function SpareDialog(props: SpareDialogProps) {
  return isReady(props.spare) ? <SpareReady {...props} /> : <SpareNotReady {...props} />;
}

/** A ready spare is asked about unless somebody has had enough of that. */
export const isAsked = (spare: SpareUnit, showSpareReadyDialog: boolean | undefined): boolean =>
  !isReady(spare) || showSpareReadyDialog !== false;

const isReady = ({ spareStatus }: SpareUnit) => spareStatus === spareStatuses.Ready;

function SpareNotReady({ spare, onYes, onNo }: SpareDialogProps) {
  return (
    <YesNo title="SPARE NOT READY" onYes={onYes} onNo={onNo}>
      <p className={classes.text}>{spare.name} is not ready:</p>
      <ul className={classes.reasons}>
        {spare.spareReasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className={classes.text}>Use it all the same?</p>
    </YesNo>
  );
}

function SpareReady({ spare, onYes, onNo }: SpareDialogProps) {
  const queryClient = useQueryClient();
  const [isLast, setIsLast] = useState(false);
  const yes = () => {
    if (isLast) saveSettings(queryClient, { showSpareReadyDialog: false });
    onYes();
  };
  return (
    <YesNo title="Spare ready" onYes={yes} onNo={onNo}>
      <p className={classes.text}>
        {spare.name} is ready. In its new place it may have communication problems until its neighbours have
        found it. Go on?
      </p>
      <Checkbox
        size="md"
        label="Do not show this again"
        checked={isLast}
        classNames={{ body: classes.tickBody ?? '' }}
        onChange={(event) => setIsLast(event.currentTarget.checked)}
      />
    </YesNo>
  );
}

interface YesNoProps {
  title: string;
  onYes: () => void;
  onNo: () => void;
  children: ReactNode;
}

function YesNo({ title, onYes, onNo, children }: YesNoProps) {
  return (
    <Dialog onClose={onNo} title={title}>
      {children}
      <Ways>
        <Button variant="default" onClick={onNo} data-autofocus>
          No
        </Button>
        <Button onClick={onYes}>Yes</Button>
      </Ways>
    </Dialog>
  );
}
