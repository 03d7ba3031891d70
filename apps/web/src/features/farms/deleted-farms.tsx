import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeletedFarm } from '@headrace/contract/deleted-farms';
import { exactTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { deletedFarmsQuery, restoreFarm } from './deleted-farms.queries.ts';
import entries from '../../ui/entries.module.css';
import classes from './deleted-farms.module.css';

/** Farms that were deleted and can still be restored by whoever looks. Nothing where there is none. */
export function DeletedFarms() {
  const { data: farms = [] } = useQuery(deletedFarmsQuery);
  if (farms.length === 0) return null;
  return (
    <Panel title="Deleted farms">
      <ul className={entries.list}>
        {farms.map((farm) => (
          <Entry key={farm.farmUID} farm={farm} />
        ))}
      </ul>
    </Panel>
  );
}

function Entry({ farm }: { farm: DeletedFarm }) {
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const restore = async () => {
    setIsBusy(true);
    await restoreFarm(queryClient, farm);
    setIsBusy(false);
  };
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <p className={classes.name}>{farm.name}</p>
        <p className={`${classes.facts} num`}>{factsOf(farm)}</p>
      </div>
      <PlainButton
        disabled={isBusy}
        label={isBusy ? undefined : `Restore ${farm.name}`}
        onClick={() => void restore()}
      >
        {isBusy ? 'Restoring…' : 'Restore'}
      </PlainButton>
    </li>
  );
}

function factsOf({ deletedAt, deletedBy, until, devices }: DeletedFarm): string {
  const withWhat = devices === 0 ? '' : `, with ${devices} ${devices === 1 ? 'device' : 'devices'}`;
  const by = deletedBy === '' ? '' : ` by ${deletedBy}`;
  return `Deleted ${exactTime(Date.parse(deletedAt))}${by}${withWhat}. It can be restored until ${exactTime(Date.parse(until))}; then its devices and readings are erased.`;
}
