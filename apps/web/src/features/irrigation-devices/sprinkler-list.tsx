import { lazy, Suspense, useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { ListBehind } from '../devices/list-behind.tsx';
import { ListPage } from '../devices/list-page.tsx';
import { useSprinklerKind } from './sprinkler-kind.ts';
import { sprinklersQuery } from './sprinklers.queries.ts';

const BulkEdit = lazy(() => import('./bulk-edit.tsx').then((m) => ({ default: m.BulkEdit })));

/** `/irrigation-devices/{id}` */
export function SprinklerList({ farmUID }: { farmUID: string }) {
  const query = useQuery(sprinklersQuery(farmUID));
  const kind = useSprinklerKind(farmUID);
  return (
    <ListPage
      farmUID={farmUID}
      query={query}
      kind={kind}
      notice={<ListBehind farmUID={farmUID} />}
      renderBulk={(chosen, clear) => <ChangeButton farmUID={farmUID} chosen={chosen} onDone={clear} />}
    />
  );
}

interface ChangeButtonProps {
  farmUID: string;
  chosen: readonly Ipc[];
  onDone: () => void;
}

function ChangeButton({ farmUID, chosen, onDone }: ChangeButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button mih={44} onClick={() => setIsOpen(true)}>
        Change…
      </Button>
      <Suspense>
        {isOpen && (
          <BulkEdit farmUID={farmUID} chosen={chosen} onDone={onDone} onClose={() => setIsOpen(false)} />
        )}
      </Suspense>
    </>
  );
}
