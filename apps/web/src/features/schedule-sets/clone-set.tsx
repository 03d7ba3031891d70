import { useRef } from 'react';
import { Button } from '@mantine/core';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { call } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useFocusOnFault } from '../../forms/record-form.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { setDesign } from './set-design.ts';
import classes from './sets.module.css';

const NAME_MAX = 40;

interface Props {
  set: SetSummary;
  farmUID: string;
  onClose: () => void;
}

/** A template of the design that it was computed from, to be changed. Groups that are gone aren't in it. */
export function CloneSet({ set, farmUID, onClose }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const form = useRecordForm({
    draftKey: null,
    initial: { name: `${set.name.slice(0, NAME_MAX - 7)} (copy)` },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Name is required.' } : {}),
    save: ({ name }) => clone({ farmUID, setUID: set._id, name }),
    onSaved: (name) => {
      toast.success(`Template ${name} added.`);
      onClose();
    },
  });
  useFocusOnFault(element, form.attempts);
  return (
    <Dialog title={`Clone ${set.name} as a template`} onClose={onClose} size={480}>
      <form
        ref={element}
        noValidate
        aria-label={`Clone ${set.name} as a template`}
        className={classes.fields}
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <TextField {...form.field('name')} label="Name" required maxLength={NAME_MAX} />
        {set.isByHand && (
          <p className={classes.facts}>What was edited by hand in this set is not in the template.</p>
        )}
        {form.failure && !form.error('name') && (
          <p className={classes.failed} role="alert">
            {form.failure}
          </p>
        )}
        <Ways>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={form.isSaving}>
            {form.isSaving ? 'Adding…' : 'Add template'}
          </Button>
        </Ways>
      </form>
    </Dialog>
  );
}

const clone = async ({ farmUID, setUID, name }: { farmUID: string; setUID: string; name: string }) =>
  (await call('POST /schedule-template', { body: await setDesign(farmUID, setUID, name) })).name;
