import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListedUnit } from '@headrace/contract/unit-list';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds, needOf } from '../../device-records/device-kinds.ts';
import { sprinklersQuery } from '../../device-records/sprinklers.queries.ts';
import { ListBehind } from '../devices/list-behind.tsx';
import { ListPage } from '../devices/list-page.tsx';
import { AddManyMenu } from './many/add-many-menu.tsx';
import { useSprinklerKind } from './sprinkler-kind.ts';
import type { BulkDeleteProps } from './bulk-delete.tsx';
import type { BulkEditProps } from './bulk-edit.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const BulkDelete = lazyDialog<BulkDeleteProps>(() => import('./bulk-delete.tsx').then((m) => m.BulkDelete));
const BulkEdit = lazyDialog<BulkEditProps>(() => import('./bulk-edit.tsx').then((m) => m.BulkEdit));

/** `/irrigation-devices/{id}` */
export function SprinklerList({ farmUID }: { farmUID: string }) {
  const query = useQuery(sprinklersQuery(farmUID));
  const kind = useSprinklerKind(farmUID);
  return (
    <ListPage
      farmUID={farmUID}
      query={query}
      kind={kind}
      addMore={<AddManyMenu farmUID={farmUID} />}
      notice={<ListBehind farmUID={farmUID} />}
      renderBulk={(chosen, clear) => <ChosenButtons farmUID={farmUID} chosen={chosen} onDone={clear} />}
    />
  );
}

interface ChosenButtonsProps {
  farmUID: string;
  chosen: readonly ListedUnit[];
  onDone: () => void;
}

function ChosenButtons({ farmUID, chosen, onDone }: ChosenButtonsProps) {
  const [open, setOpen] = useState<'change' | 'delete' | null>(null);
  const mayDelete = useCan(needOf(deviceKinds.sprinkler, 'Delete'), farmUID);
  const dialog = { farmUID, chosen, onDone, onClose: () => setOpen(null) };
  return (
    <>
      {mayDelete && (
        <Button variant="default" mih={44} onClick={() => setOpen('delete')}>
          Delete…
        </Button>
      )}
      <Button mih={44} onClick={() => setOpen('change')}>
        Change…
      </Button>
      {open === 'change' && <BulkEdit {...dialog} />}
      {open === 'delete' && <BulkDelete {...dialog} />}
    </>
  );
}
