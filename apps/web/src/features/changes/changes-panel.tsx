import { useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Change } from '@headrace/contract/changes';
import type { Timezone } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { Age } from '../../ui/age.tsx';
import { exactTime, numberText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useCan } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { changeTitle, fieldName, undoLabels, valueText } from './change-labels.ts';
import { changesQuery, partsQuery } from './changes.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './changes.module.css';
import type { UndoDialogProps } from './undo-dialog.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const UndoDialog = lazyDialog<UndoDialogProps>(() => import('./undo-dialog.tsx').then((m) => m.UndoDialog));

export interface ChangesPanelProps {
  farmUID: string;
  /** Only of this device or group, or of the farm itself; absent: everything on the farm. */
  uid?: string | undefined;
}

/** Who changed what and when, from what and to what; for those who may read the farm. */
export function ChangesPanel(props: ChangesPanelProps) {
  return useCan(needs.readFarm, props.farmUID) ? <Changes {...props} /> : null;
}

function Changes({ farmUID, uid }: ChangesPanelProps) {
  const query = useInfiniteQuery(changesQuery(farmUID, uid));
  const zone = useFarmZone(farmUID);
  return (
    <Panel title="History of changes">
      <StateView
        query={query}
        failed="The history couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={44} />}
        isEmpty={({ pages }) => pages.every(({ changes }) => changes.length === 0)}
        empty={
          <Empty title="No changes yet.">
            Whoever changes something here is named, with what it was before.
          </Empty>
        }
      >
        {({ pages }) => (
          <ol className={classes.list}>
            {onceABatch(pages.flatMap(({ changes }) => changes)).map((change) => (
              <Entry
                key={change._id}
                farmUID={farmUID}
                change={change}
                zone={zone}
                isOfOne={uid !== undefined || change.uid === farmUID}
              />
            ))}
          </ol>
        )}
      </StateView>
      <ShowMore query={query} label="Show older changes" failed="Older changes couldn't be loaded." />
    </Panel>
  );
}

/** Of one device: what was done as one is undone as one, and offered at its newest entry. */
function onceABatch(changes: readonly Change[]): Change[] {
  const offered = new Set<string>();
  return changes.map(({ undo, ...change }) => {
    if (!undo || offered.has(undo.batchId)) return change;
    offered.add(undo.batchId);
    return { ...change, undo };
  });
}

interface EntryProps {
  farmUID: string;
  change: Change;
  zone: Timezone | null;
  isOfOne: boolean;
}

function Entry({ farmUID, change, zone, isOfOne }: EntryProps) {
  const [isUndoing, setIsUndoing] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const { parts = 1 } = change;
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <span className={classes.who}>
          {changeTitle(change, isOfOne)}
          {parts > 1 && ` and ${numberText(parts - 1)} more`}
        </span>
        <span className={classes.when}>
          <span className="num">{exactTime(Date.parse(change.at), zone)}</span> ·{' '}
          <Age at={change.at} zone={zone} />
        </span>
      </div>
      {parts === 1 && change.fields.length > 0 && (
        <dl className={classes.fields}>
          {change.fields.map(({ field, from, to }) => (
            <div key={field}>
              <dt>{fieldName(field)}</dt>
              <dd>
                from <del>{valueText(field, from)}</del> to <ins>{valueText(field, to)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {(change.undo ?? parts > 1) && (
        <div className={classes.ways}>
          {change.undo && (
            <PlainButton onClick={() => setIsUndoing(true)}>
              {undoLabels[change.undo.was].offer}: {change.undo.title}
            </PlainButton>
          )}
          {parts > 1 && (
            <PlainButton isOpen={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? 'Hide' : 'Show'} all {numberText(parts)}
            </PlainButton>
          )}
        </div>
      )}
      {isOpen && <Parts farmUID={farmUID} change={change} zone={zone} />}
      {change.undo && isUndoing && (
        <UndoDialog farmUID={farmUID} undo={change.undo} zone={zone} onClose={() => setIsUndoing(false)} />
      )}
    </li>
  );
}

/** Each change of what was done as one. */
function Parts({ farmUID, change, zone }: Omit<EntryProps, 'isOfOne'>) {
  const query = useInfiniteQuery(partsQuery(farmUID, change._id));
  return (
    <>
      <StateView
        query={query}
        failed="The changes couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={44} />}
      >
        {({ pages }) => (
          <ol className={classes.parts} aria-label={`Done as one: ${changeTitle(change, false)} and others`}>
            {pages
              .flatMap(({ changes }) => changes)
              .map(({ undo: _undo, ...part }) => (
                <Entry key={part._id} farmUID={farmUID} change={part} zone={zone} isOfOne={false} />
              ))}
          </ol>
        )}
      </StateView>
      <ShowMore query={query} label="Show more of them" failed="More of them couldn't be loaded." />
    </>
  );
}
