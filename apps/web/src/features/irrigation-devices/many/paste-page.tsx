import { useEffect, useState } from 'react';
import { Button, Checkbox, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../../api/client.ts';
import { forgetDraft, readDraft, storeDraft } from '../../../forms/drafts.ts';
import { QuestionDialog } from '../../../forms/question-dialog.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import { deviceCount, deviceKinds } from '../../../device-records/device-kinds.ts';
import { lastRadioQuery } from '../../../device-records/sprinklers.queries.ts';
import panel from '../../../ui/panel.module.css';
import { PageTitle } from '../../devices/edit-page.tsx';
import { FIRST_RADIO } from '../sprinkler-values.ts';
import { PlanTable } from './plan-table.tsx';
import { validateShared, firstShared, SharedFields, unitOf } from './shared-values.tsx';
import { useAddMany } from './use-add-many.ts';
import { usePastePlan } from './use-paste-plan.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import classes from './many.module.css';
import { countText } from '@headrace/contract/rules/number-text';

const kind = deviceKinds.sprinkler;

/** `/irrigation-device/paste/{farmUID}` */
export function PastePage({ farmUID }: { farmUID: string }) {
  const last = useQuery(lastRadioQuery(farmUID));
  // What was used last is a help: without it the page begins as on a farm's first day.
  const data = last.data ?? (last.isError ? FIRST_RADIO : undefined);
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title="Paste sprinklers" />
      <StateView
        query={{ ...last, isError: false, data }}
        failed="The page couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
      >
        {(radio) => <Paste farmUID={farmUID} radio={radio} />}
      </StateView>
    </>
  );
}

const nothing = { text: '' };
/** Characters; some hundred rows. */
const LONG = 20_000;

function Paste({ farmUID, radio }: { farmUID: string; radio: typeof FIRST_RADIO }) {
  const draftKey = `sprinkler.paste.${farmUID}`;
  const [text, setText] = useState(() => readDraft(draftKey, nothing)?.values.text ?? '');
  const [shared, setShared] = useState(() => firstShared(radio));
  const [leavesOut, setLeavesOut] = useState(false);
  const plan = usePastePlan(farmUID, text);
  const add = useAddMany(farmUID, {
    onAdded: () => {
      forgetDraft(draftKey);
      return 'leave';
    },
    onFailed: plan.recheck,
  });
  useEffect(
    () => storeDraft(draftKey, { at: Date.now(), values: { text }, base: nothing }),
    [draftKey, text],
  );

  const fine = plan.rows.filter(({ faults }) => faults.length === 0);
  const faulty = plan.rows.length - fine.length;
  const isSharedFine = Object.values(validateShared(shared)).every((fieldError) => fieldError === undefined);
  const isReady = fine.length > 0 && !plan.isChecking && !plan.checkError && isSharedFine;
  const why = whyNot({ ...plan, rows: plan.rows.length, fine: fine.length, faulty, leavesOut, isSharedFine });
  return (
    <div className={classes.page}>
      <section className={panel.panel}>
        <Textarea
          label="Rows from a spreadsheet"
          description="Copy the cells there and paste them here: name, serial number, MAC address, latitude, longitude, group, gateway, channel, farm ID, comms mode. In any order, with headings or without; the MAC is found by the serial number."
          rows={6}
          size="md"
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: classes.text ?? '' }}
          value={text}
          error={plan.table.fault}
          onChange={(event) => setText(event.currentTarget.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (pasted.length < LONG) return;
            // Browsers put thousands of lines into a box one by one, for a minute.
            event.preventDefault();
            const { value, selectionStart, selectionEnd } = event.currentTarget;
            setText(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
          }}
        />
      </section>
      {plan.table.rows.length > 0 && (
        <>
          <PlanTable plan={plan} />
          <SharedFields
            title="Where a row says nothing"
            farmUID={farmUID}
            values={shared}
            onChange={setShared}
          />
          <div className={classes.bar}>
            <div className={classes.notice} role="status">
              {add.error ? errorText(add.error) : why}
            </div>
            {faulty > 0 && fine.length > 0 && (
              <Checkbox
                size="md"
                label={`Leave out ${rowsText(faulty)} with faults`}
                checked={leavesOut}
                onChange={(event) => setLeavesOut(event.currentTarget.checked)}
              />
            )}
            <Button
              mih={44}
              disabled={!isReady || (faulty > 0 && !leavesOut)}
              aria-disabled={add.isPending}
              onClick={() => add.add(fine.map(({ entry }) => unitOf(entry, shared)))}
            >
              {add.isPending ? 'Adding…' : `Add ${deviceCount(fine.length, kind)}`}
            </Button>
          </div>
        </>
      )}
      {add.question && <QuestionDialog {...add.question} back="Back to the rows" confirm="Add them" />}
    </div>
  );
}

const rowsText = (n: number) => countText(n, 'row');

interface State {
  rows: number;
  fine: number;
  faulty: number;
  leavesOut: boolean;
  isChecking: boolean;
  checkError: Error | null;
  isSharedFine: boolean;
}

/** A button out of use says why. */
function whyNot({ rows, fine, faulty, leavesOut, isChecking, checkError, isSharedFine }: State): string {
  if (rows === 0) return 'There is no row below the headings.';
  if (isChecking) return 'Serial numbers and MACs are being looked up…';
  if (checkError) return `The rows couldn't be checked: ${errorText(checkError)}`;
  if (!isSharedFine) return 'Farm ID or channel needs a change.';
  if (faulty === 0) return 'All are added, or none.';
  if (leavesOut) return `${rowsText(faulty)} will be left out.`;
  return fine === 0
    ? `${rowsText(faulty)} need${faulty === 1 ? 's' : ''} a change.`
    : `${rowsText(faulty)} need${faulty === 1 ? 's' : ''} a change, or can be left out.`;
}
