import { useState } from 'react';
import { Button } from '@mantine/core';
import type { Timezone } from '@headrace/contract/farms';
import { HOLD_DAYS_MAX } from '@headrace/contract/limits';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { errorText, isUnanswered } from '../../api/client.ts';
import { useNow } from '../../ui/clock.ts';
import { toast } from '../../ui/toasts.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { DayField } from '../../forms/day-field.tsx';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { SelectField, TextField } from '../../forms/fields.tsx';
import { farmDay } from '../../time-range/period.ts';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { HoldList } from './hold-list.tsx';
import { holdsOf, momentOf } from './hold-labels.ts';
import { useHoldChanges, useHolds } from './holds.queries.ts';
import form from '../../forms/dialog-form.module.css';

export interface HoldDialogProps {
  farmUID: string;
  /** A group's uid, or FARM. */
  groupUID: string;
  name: string;
  onClose: () => void;
}

const DAY_MS = 86_400_000;
const UNKNOWN_TEXT =
  "No answer came, so it isn't known whether they are held. Press Hold again: it is made once, however often it is pressed.";
const times = Array.from({ length: 48 }, (_, half) => {
  const label = `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
  return { value: label, label };
});

/** Keeps a group, or the farm, from watering until a time, and shows what is held already. */
export default function HoldDialog({ farmUID, groupUID, name, onClose }: HoldDialogProps) {
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const isMobile = useIsMobile();
  const { data = [] } = useHolds(farmUID);
  const held = holdsOf(data, groupUID === 'FARM' ? null : groupUID);
  return (
    <Dialog title={`Hold ${name} from watering`} onClose={onClose} size={560} isFullScreen={isMobile}>
      {held.length > 0 && <HoldList {...{ farmUID, zone }} holds={held} />}
      {/* Its days and times are the farm's. */}
      {hasZone && <NewHold {...{ farmUID, groupUID, zone, onClose }} isAnother={held.length > 0} />}
    </Dialog>
  );
}

interface NewHoldProps extends Omit<HoldDialogProps, 'name'> {
  zone: Timezone;
  isAnother: boolean;
}

function NewHold({ farmUID, groupUID, zone, isAnother, onClose }: NewHoldProps) {
  const now = useNow();
  const { add } = useHoldChanges(farmUID);
  const [day, setDay] = useState(() => farmDay(zone, addDays(zone, dayStart(zone, now), 1)));
  const [time, setTime] = useState('06:00');
  const [reason, setReason] = useState('Cows in');
  const [isAsked, setIsAsked] = useState(false);
  const until = momentOf(day, time, zone);
  const fault = faultOf(until, now);
  const hold = () => {
    setIsAsked(true);
    if (fault !== null || until === null || add.isPending) return;
    const body = { groupUID, until: new Date(until).toISOString(), reason: reason.trim() };
    add.mutate(body, {
      onSuccess: () => toast.success('Inhibit is on its way. How many stopped is shown here.'),
    });
  };
  const noBlur = () => undefined;
  return (
    <form
      noValidate
      className={form.form}
      aria-label={isAnother ? 'Another hold' : 'A new hold'}
      onSubmit={(event) => {
        event.preventDefault();
        hold();
      }}
    >
      <p className={form.text}>
        Its sprinklers are inhibited now, and let water again by themselves at the end. One that somebody
        inhibits by hand stays so. A valve that is open now stays open until its end: close it by Valves Off.
      </p>
      <div className={form.pair}>
        <DayField
          name="day"
          label="Until"
          value={day}
          onChange={setDay}
          onBlur={noBlur}
          error={isAsked ? (fault ?? undefined) : undefined}
        />
        <SelectField
          name="time"
          label="At"
          value={time}
          options={times}
          onChange={setTime}
          onBlur={noBlur}
          error={undefined}
        />
      </div>
      <TextField
        name="reason"
        label="Reason"
        maxLength={200}
        value={reason}
        onChange={setReason}
        onBlur={noBlur}
        error={undefined}
      />
      {add.isError && (
        <p role="alert" className={form.failed}>
          {isUnanswered(add.error) ? UNKNOWN_TEXT : errorText(add.error)}
        </p>
      )}
      <Ways isLong>
        <Button variant="default" mih={44} onClick={onClose}>
          Close
        </Button>
        <Button type="submit" mih={44} loading={add.isPending}>
          Hold
        </Button>
      </Ways>
    </form>
  );
}

function faultOf(until: number | null, now: number): string | null {
  if (until === null) return 'Please enter a day as DD/MM/YYYY.';
  if (until <= now) return 'This time is over. Please choose a later one.';
  return until - now > HOLD_DAYS_MAX * DAY_MS ? `A hold lasts ${HOLD_DAYS_MAX} days at most.` : null;
}
