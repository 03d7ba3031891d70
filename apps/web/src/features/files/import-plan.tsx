import { useCallback } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import type { ImportPlan, ImportRow } from '@headrace/contract/imports';
import { wholeText } from '@headrace/contract/rules/number-text';
import { errorText } from '../../api/client.ts';
import { Ways } from '../../forms/dialog.tsx';
import { MapSpinner } from '../../map/farm-map.tsx';
import { takeLostFocus } from '../../ui/take-lost-focus.ts';
import { offerUndo } from '../changes/undo.ts';
import { failureText, resultParts, summaryText } from './import-labels.ts';
import { ImportRows } from './import-rows.tsx';
import type { Importing } from './use-import.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './files.module.css';

const PlanMap = lazyPart(() => import('./plan-map.tsx').then((m) => m.default), {
  failed: "The map couldn't be loaded",
  waiting: <MapSpinner />,
});

export interface ImportPlanStepProps {
  farm: FarmCard;
  importing: Importing;
  plan: ImportPlan;
  /** Of how the browser read the file; else ''. */
  note: string;
  hasMap: boolean;
}

/** What the file would do, as a table and on the map: it is done as it is ticked. */
export function ImportPlanStep({ farm, importing, plan, note, hasMap }: ImportPlanStepProps) {
  const queryClient = useQueryClient();
  const { look, lookAgain, apply, ticked, choiceOf, choose, again } = importing;
  const isTaken = useCallback((row: ImportRow) => choiceOf(row) === 'take', [choiceOf]);
  const file = look.variables?.file.name ?? '';
  const done = () =>
    apply.mutate(undefined, {
      onSuccess: (reply) =>
        reply &&
        offerUndo(
          queryClient,
          `${resultParts(reply.msg.res_message).heading}.`,
          { farmUID: farm._id, act: 'import', batchId: reply.batchId },
          { onUndone: importing.setUndone },
        ),
    });
  return (
    <>
      <p className={classes.into}>Into {farm.name}:</p>
      <PlanSummary plan={plan} note={note} />
      {apply.isError && (
        <p role="alert" className={classes.failed}>
          {failureText(file, apply.error)}
        </p>
      )}
      {lookAgain.isError && (
        <p role="alert" className={classes.failed}>
          {`This is as it was when you looked first. ${errorText(lookAgain.error)}`}
        </p>
      )}
      <div className={hasMap ? classes.beside : undefined}>
        {hasMap && (
          <div className={classes.mapped}>
            <div className={classes.planMap}>
              <PlanMap
                farm={farm}
                rows={plan.rows}
                isTicked={isTaken}
                onTick={(row) => choose([row], isTaken(row) ? 'leave' : 'take')}
              />
            </div>
            <p className={classes.line}>
              Arrows lead from where devices are now. What isn't ticked is faint; tap a place to tick or
              untick it.
            </p>
          </div>
        )}
        <div>
          <ImportRows plan={plan} file={file} choiceOf={choiceOf} onChoose={choose} />
        </div>
      </div>
      <Ways isLong>
        <Button variant="default" mih={44} onClick={again} disabled={apply.isPending}>
          Other file
        </Button>
        <Button
          variant="default"
          mih={44}
          loading={lookAgain.isPending}
          onClick={() => {
            apply.reset();
            lookAgain.mutate();
          }}
          disabled={apply.isPending}
        >
          Look again
        </Button>
        {plan.counts.add + plan.counts.change + plan.counts.choose > 0 && (
          <Button
            mih={44}
            onClick={done}
            loading={apply.isPending}
            disabled={ticked.length === 0 || lookAgain.isPending}
          >
            {ticked.length === 0 ? 'Nothing is ticked' : `Import ${wholeText(ticked.length)}`}
          </Button>
        )}
      </Ways>
    </>
  );
}

function PlanSummary({ plan, note: ofReading }: { plan: ImportPlan; note: string }) {
  const { newGroups } = plan;
  const groups = newGroups.length > 0 ? [`Groups that will be added: ${newGroups.join(', ')}.`] : [];
  return (
    <div ref={takeLostFocus} tabIndex={-1} role="status">
      <p className={classes.summary}>{summaryText(plan)}</p>
      {[...(ofReading ? [ofReading] : []), ...plan.notes, ...groups].map((note) => (
        <p key={note} className={classes.text}>
          {note}
        </p>
      ))}
    </div>
  );
}
