import type { SetSummary } from '@headrace/contract/schedule-sets';
import { call } from '../../api/client.ts';
import { TextField } from '../../forms/fields.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
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
  return (
    <FormDialog
      title={`Clone ${set.name} as a template`}
      onClose={onClose}
      size={480}
      form={form}
      save="Add template"
      saving="Adding…"
    >
      <TextField {...form.field('name')} label="Name" required maxLength={NAME_MAX} />
      {set.isByHand && (
        <p className={classes.facts}>What was edited by hand in this set is not in the template.</p>
      )}
    </FormDialog>
  );
}

const clone = async ({ farmUID, setUID, name }: { farmUID: string; setUID: string; name: string }) =>
  (await call('POST /schedule-template', { body: await setDesign(farmUID, setUID, name) })).name;
