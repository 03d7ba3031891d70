import { useCallback, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { ImportPlan, ImportRow, ImportType } from '@headrace/contract/imports';
import { ApiError, call } from '../../api/client.ts';
import { renewDevices } from '../changes/renew.ts';
import { readFile } from './read-file.ts';
import {
  choiceOf as choiceIn,
  choicesAfter,
  choicesIn,
  isOnByItself,
  type RowChoice,
  type RowChoices,
} from './row-choices.ts';

type Body = Api['POST /import/plan']['body'];
export type ImportOptions = NonNullable<Body['options']>;
type Done = Api['POST /import/apply']['reply'];

interface Chosen {
  file: File;
  type: ImportType;
  options: ImportOptions;
}

/** A file from its choice to what became of it. The farm may change between plan and import: then there is a new plan. */
export function useImport(farmUID: string) {
  const queryClient = useQueryClient();
  const [body, setBody] = useState<Body | null>(null);
  const [plan, setPlan] = useState<ImportPlan | null>(null);
  const [choices, setChoices] = useState<RowChoices>(new Map());
  const [undone, setUndone] = useState('');
  const show = (next: ImportPlan | null) => {
    setPlan(next);
    setChoices(new Map());
  };
  /** The same file, planned anew. */
  const renew = (next: ImportPlan) => {
    if (plan) setChoices(choicesIn(next, plan, choices));
    setPlan(next);
  };
  const look = useMutation({
    mutationFn: async ({ file, type, options }: Chosen) => {
      const { text, note } = await readFile(file, type);
      const asked = { farmUID, typeFile: type, data: text, filename: file.name.slice(0, 255), options };
      setBody(asked);
      return { plan: await call('POST /import/plan', { body: asked }), note };
    },
    onMutate: () => show(null),
    onSuccess: (found) => show(found.plan),
  });
  const lookAgain = useMutation({
    mutationFn: async () => (body ? call('POST /import/plan', { body }) : null),
    onSuccess: (found) => found && renew(found),
  });
  const choiceOf = useCallback((row: ImportRow) => choiceIn(choices, row), [choices]);
  const ticked = plan?.rows.filter((row) => choiceOf(row) !== 'leave') ?? [];
  const apply = useMutation({
    mutationFn: async (): Promise<Done | null> => {
      if (!body || !plan) return null;
      const { revision, rows } = plan;
      const of = (wanted: (row: ImportRow) => boolean) => rows.filter(wanted).map(({ row }) => row);
      const asked = (choice: RowChoice) => of((row) => row.action === 'choose' && choiceOf(row) === choice);
      const skip = of((row) => isOnByItself(row) && choiceOf(row) === 'leave');
      const [take, stay] = [asked('take'), asked('stay')];
      return call('POST /import/apply', {
        body: { ...body, revision, skip, take, ...(stay.length > 0 && { stay }) },
      });
    },
    onSuccess: () => renewDevices(queryClient),
    onError: (error) => {
      const current = error instanceof ApiError && error.field === 'revision' ? error.current : undefined;
      if (current) renew(current as ImportPlan);
    },
  });
  return {
    look,
    apply,
    lookAgain,
    plan,
    ticked,
    /** "Undone.", once the import was; else ''. */
    undone,
    setUndone,
    choiceOf,
    choose(rows: readonly ImportRow[], choice: RowChoice) {
      if (plan) setChoices(choicesAfter(plan.rows, choices, rows, choice));
    },
    /** Back to the choice of a file. */
    again() {
      look.reset();
      lookAgain.reset();
      apply.reset();
      setUndone('');
      show(null);
    },
  };
}

export type Importing = ReturnType<typeof useImport>;
