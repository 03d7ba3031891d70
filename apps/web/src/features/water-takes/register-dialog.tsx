import { useQueryClient } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { all, atLeast, isNumber, required } from '@headrace/contract/rules/form-rules';
import type { TakeMeter } from '@headrace/contract/water-takes';
import { call } from '../../api/client.ts';
import { serverNow } from '../../api/server-time.ts';
import { ClockField } from '../../forms/clock-field.tsx';
import { DayField } from '../../forms/day-field.tsx';
import { type EnteredNumber, enteredNumber, NumberField, TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { type FieldErrors, useRecordForm } from '../../forms/use-record-form.ts';
import { farmDay } from '../../time-range/period.ts';
import { minuteText } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';
import { dayFault, momentOf } from './moments.ts';
import { takeKeys } from './takes.queries.ts';

interface RegisterDialogProps {
  farmUID: string;
  meter: TakeMeter;
  zone: Timezone;
  onClose: () => void;
}

interface Values {
  day: string;
  clock: string;
  register: EnteredNumber;
  note: string;
}

const ofRegister = all(required('The register'), isNumber('The register'), atLeast('The register', 0, ' m³'));

/** What stands on the meter itself. */
export function RegisterDialog({ farmUID, meter, zone, onClose }: RegisterDialogProps) {
  const queryClient = useQueryClient();
  const now = serverNow();
  const form = useRecordForm<Values, unknown>({
    draftKey: null,
    initial: { day: farmDay(zone, now), clock: minuteText(now, zone), register: null, note: '' },
    validate: (values) => validate(values, zone),
    save: ({ day, clock, register, note }) =>
      call('POST /water-take/reading', {
        body: {
          farmUID,
          meterUID: meter.uid,
          at: new Date(Math.min(momentOf(zone, day, clock) ?? now, serverNow())).toISOString(),
          register: enteredNumber(register) ?? 0,
          note,
        },
      }),
    onSaved: () => {
      for (const queryKey of takeKeys(farmUID)) void queryClient.invalidateQueries({ queryKey });
      toast.success('The reading is entered.');
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Register of ${meter.device}`}
      form={form}
      save="Enter"
      saving="Entering…"
      onClose={onClose}
    >
      <p>
        Two readings show how much went through the meter between them. Where telemetry agrees within 1 %, its
        measured quarters count as verified.
      </p>
      <NumberField {...form.field('register')} label="The register shows" unit="m³" required />
      <DayField {...form.field('day')} label="Read on" required />
      <ClockField {...form.field('clock')} label="At, on the farm’s clock" required />
      <TextField {...form.field('note')} label="Note" maxLength={200} />
    </FormDialog>
  );
}

function validate({ day, clock, register }: Values, zone: Timezone): FieldErrors {
  const errors: FieldErrors = {};
  const fault = ofRegister(enteredNumber(register));
  if (fault) errors['register'] = fault;
  const at = momentOf(zone, day, clock);
  const ofDay = dayFault(day);
  if (ofDay) errors['day'] = ofDay;
  else if (at === null) errors['clock'] = 'Please enter a time as HH:mm.';
  else if (at > serverNow() + 60_000) errors['clock'] = 'This time is still to come.';
  return errors;
}
