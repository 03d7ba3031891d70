import { useCallback, useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { ImportPlan, ImportRow, ImportType } from '@headrace/contract/imports';
import { ApiError, call } from '../../api/client.ts';
import { renewDevices } from '../changes/renew.ts';
import { readFile } from './read-file.ts';

type Body = Api['POST /import/plan']['body'];
export type ImportOptions = NonNullable<Body['options']>;
type Done = Api['POST /import/apply']['reply'];

const isOnByItself = ({ action }: ImportRow) => action === 'add' || action === 'change';

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
  /** Rows that are not as they were at first. */
  const [turned, setTurned] = useState<ReadonlySet<number>>(new Set());
  const show = (next: ImportPlan | null) => {
    setPlan(next);
    setTurned(new Set());
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
  const isTicked = useCallback((row: ImportRow) => isOnByItself(row) !== turned.has(row.row), [turned]);
  const ticked = plan?.rows.filter((row) => row.action !== 'left out' && isTicked(row)) ?? [];
  const apply = useMutation({
    mutationFn: async (): Promise<Done | null> => {
      if (!body || !plan) return null;
      const { revision, rows } = plan;
      const of = (wanted: (row: ImportRow) => boolean) => rows.filter(wanted).map(({ row }) => row);
      const skip = of((row) => isOnByItself(row) && !isTicked(row));
      const take = of((row) => row.action === 'choose' && isTicked(row));
      return call('POST /import/apply', { body: { ...body, revision, skip, take } });
    },
    onSuccess: () => renewDevices(queryClient),
    onError: (error) => {
      const current = error instanceof ApiError && error.field === 'revision' ? error.current : undefined;
      if (!current || !plan) return;
      // The same file, planned anew: what somebody has ticked or unticked stays so.
      setTurned(turnedIn(current as ImportPlan, plan, turned));
      setPlan(current as ImportPlan);
    },
  });
  return {
    look,
    apply,
    plan,
    ticked,
    isTicked,
    tick({ row }: ImportRow) {
      const next = new Set(turned);
      if (!next.delete(row)) next.add(row);
      setTurned(next);
    },
    tickAll(rows: readonly ImportRow[], isOn: boolean) {
      const next = new Set(turned);
      for (const row of rows) {
        if (isOnByItself(row) === isOn) next.delete(row.row);
        else next.add(row.row);
      }
      setTurned(next);
    },
    /** Back to the choice of a file. */
    again() {
      look.reset();
      apply.reset();
      show(null);
    },
  };
}

/** Rows of the newer plan that are what turned ones were. */
function turnedIn(newer: ImportPlan, older: ImportPlan, turned: ReadonlySet<number>): Set<number> {
  const were = new Set(keyed(older).flatMap(([key, row]) => (turned.has(row) ? key : [])));
  return new Set(keyed(newer).flatMap(([key, row]) => (were.has(key) ? row : [])));
}

/** A file may have several of one name in one line: they are told apart by their order. */
function keyed({ rows }: ImportPlan): [key: string, row: number][] {
  const counts = new Map<string, number>();
  return rows.map(({ row, action, kind, line, name }) => {
    const of = `${action} ${kind} ${line} ${name}`;
    const nth = counts.get(of) ?? 0;
    counts.set(of, nth + 1);
    return [`${of} ${nth}`, row];
  });
}
export type Importing = ReturnType<typeof useImport>;
