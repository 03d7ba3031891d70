import { useRef } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { BodyOf } from '@headrace/contract/endpoint';
import { TEMPLATE_NAME_MAX } from '@headrace/contract/limits';
import type { createTemplate } from '@headrace/contract/schedule-templates';
import { call } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useFocusOnFault } from '../../forms/record-form.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { designInCycle } from '../schedule-sets/set-design.ts';
import { renewTemplates } from '../schedules/templates.queries.ts';
import type { Restriction } from './restricted-design.ts';
import { TrimmedTake } from './trimmed-take.tsx';

type Design = BodyOf<typeof createTemplate>;

export interface MakeTemplateProps {
  farmUID: string;
  /** That the trial began with. */
  set: { readonly id: string; readonly name: string };
  /** What its name ends with. */
  added: string;
  /** What becomes of the set's design. Throws what can't be. */
  change: (design: Design) => Design;
  /** What isn't part of it. */
  note?: string | undefined;
  /** A restriction that it is made for. */
  trimmed?: { readonly by: Restriction; readonly allowedLitres: number } | undefined;
  onClose: () => void;
}

/** Keeps a set's design with a change as a template, and goes on to its form, where the result stands beside it. */
export default function MakeTemplate(props: MakeTemplateProps) {
  const { farmUID, set, added, change, note, trimmed, onClose } = props;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const element = useRef<HTMLFormElement>(null);
  const form = useRecordForm({
    draftKey: null,
    initial: { name: `${set.name.slice(0, TEMPLATE_NAME_MAX - added.length)}${added}` },
    validate: ({ name }) => (name.trim() === '' ? { name: 'Name is required.' } : {}),
    save: async ({ name }) => {
      const design = await designInCycle(farmUID, set.id, name.trim());
      return call('POST /schedule-template', { body: change(design) });
    },
    onSaved: ({ _id, name }) => {
      toast.success(`Template ${name} added.`);
      void renewTemplates(queryClient, farmUID);
      void navigate({ to: '/scheduler/$farmUID/$id', params: { farmUID, id: _id } });
    },
  });
  useFocusOnFault(element, form.attempts);
  return (
    <Dialog title="Make a template of this" onClose={onClose} size={480}>
      <form
        ref={element}
        noValidate
        aria-label="Make a template of this"
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <TextField {...form.field('name')} label="Name" required maxLength={TEMPLATE_NAME_MAX} />
        <p>
          It has the groups of {set.name} with this change, and is computed anew: look at its result before
          you send it.
          {note && ` ${note}`}
        </p>
        {trimmed && <TrimmedTake farmUID={farmUID} setUID={set.id} {...trimmed} />}
        {form.failure && !form.error('name') && <p role="alert">{form.failure}</p>}
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
