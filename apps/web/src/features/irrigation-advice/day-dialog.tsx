import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { all, atLeast, atMost, isNumber } from '@headrace/contract/rules/form-rules';
import { call, errorText } from '../../api/client.ts';
import { DayField } from '../../forms/day-field.tsx';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { type EnteredNumber, enteredNumber, NumberField } from '../../forms/fields.tsx';
import { toast } from '../../ui/toasts.ts';
import { dayFault } from './soil-values.ts';
import classes from './advice.module.css';

const ofEt0 = all(isNumber('ET0'), atLeast('ET0', 0, ' mm'), atMost('ET0', 20, ' mm'));
const ofRain = all(isNumber('Rain'), atLeast('Rain', 0, ' mm'), atMost('Rain', 500, ' mm'));
const faultOf = (value: EnteredNumber, rule: (mm: number) => string | null) => {
  const mm = enteredNumber(value);
  return mm === null ? undefined : (rule(mm) ?? undefined);
};

interface DayDialogProps {
  farmUID: string;
  /** YYYY-MM-DD */
  today: string;
  onClose: () => void;
}

/** What the reference crop used on a day, and what fell: it counts instead of forecast and gauge. */
export function DayDialog({ farmUID, today, onClose }: DayDialogProps) {
  const queryClient = useQueryClient();
  const [day, setDay] = useState(today);
  const [et0, setEt0] = useState<EnteredNumber>('');
  const [rain, setRain] = useState<EnteredNumber>('');
  const [isAsked, setIsAsked] = useState(false);
  const faults = {
    day: dayFault(day, today) ?? undefined,
    et0: faultOf(et0, ofEt0),
    rain: faultOf(rain, ofRain),
  };
  const save = useMutation({
    mutationFn: () =>
      call('PUT /irrigation-advice/day', {
        body: { farmUID, day, et0Mm: enteredNumber(et0), rainMm: enteredNumber(rain) },
      }),
    onSuccess: () => {
      toast.success('The day’s weather is entered.');
      void queryClient.invalidateQueries({ queryKey: ['irrigation-advice', farmUID] });
      void queryClient.invalidateQueries({ queryKey: ['advice-ledger', farmUID] });
      onClose();
    },
  });
  const shown = (fault: string | undefined) => (isAsked ? fault : undefined);
  const noBlur = () => undefined;
  return (
    <Dialog title="A day’s weather" onClose={onClose} size={480}>
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          setIsAsked(true);
          if (!faults.day && !faults.et0 && !faults.rain && !save.isPending) save.mutate();
        }}
      >
        <p className={classes.reason}>
          It counts instead of the forecast’s and the gauge’s. What is left empty is taken back.
        </p>
        <DayField
          name="day"
          label="Day"
          value={day}
          onChange={setDay}
          onBlur={noBlur}
          error={shown(faults.day)}
        />
        <NumberField
          name="et0"
          label="ET0, use of the reference crop"
          unit="mm"
          value={et0}
          onChange={setEt0}
          onBlur={noBlur}
          error={shown(faults.et0)}
        />
        <NumberField
          name="rain"
          label="Rain that fell"
          unit="mm"
          hint="Less what ran off."
          value={rain}
          onChange={setRain}
          onBlur={noBlur}
          error={shown(faults.rain)}
        />
        {save.isError && <p role="alert">{errorText(save.error)}</p>}
        <Ways>
          <Button variant="default" mih={44} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" mih={44} loading={save.isPending}>
            Enter
          </Button>
        </Ways>
      </form>
    </Dialog>
  );
}
