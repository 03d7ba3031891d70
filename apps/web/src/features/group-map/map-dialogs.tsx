import type { FarmCard } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import type { CustomFilter } from '@headrace/contract/rules/sprinkler-filter';
import { GatewayDialogHost } from '../gateways/gateway-dialog-host.tsx';
import { RepeaterDialogHost } from '../repeaters/repeater-dialog-host.tsx';
import type { Opening } from '../sprinkler-dialog/opening.ts';
import { SprinklerDialogHost } from '../sprinkler-dialog/sprinkler-dialog-host.tsx';
import { TankDialogHost } from '../tanks/tank-dialog-host.tsx';

import type { GroupDevice } from './group-markers.ts';
import type { MapGroup } from './map-group.ts';
import { MoveDialogs } from './move-dialogs.tsx';
import type { useMoves } from './use-moves.ts';
import type { CustomFilterDialogProps } from './custom-filter-dialog.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const FileDrop = lazyPart(() => import('../files/file-drop.tsx').then((m) => m.FileDrop), {
  failed: "Dropping a file here couldn't be loaded",
  // The map does without it: the farm's menu imports files too.
  around: () => null,
});
const CustomFilterDialog = lazyDialog<CustomFilterDialogProps>(() =>
  import('./custom-filter-dialog.tsx').then((m) => m.default),
);

interface MapDialogsProps {
  farm: FarmCard;
  info: MapGroup | undefined;
  moves: ReturnType<typeof useMoves>;
  opening: Opening;
  /** Of the address; null: none is chosen. */
  selected: string | null;
  /** It, where it is on the map. */
  device: GroupDevice | null;
  /** For the way to the next one. */
  listed: readonly string[];
  /** A sprinkler as it is known now; null: there is no such (any more). */
  unitOf: (id: string) => MapUnit | null;
  onMove: (() => void) | undefined;
  /** What is typed of a filter of one's own; null: it is not being chosen. */
  choosing: {
    filter: CustomFilter;
    onApply: (next: CustomFilter) => void;
    onClose: () => void;
  } | null;
}

/** What opens over the map of a group. */
export function MapDialogs({
  farm,
  info,
  moves,
  opening,
  selected,
  device,
  listed,
  unitOf,
  onMove,
  choosing,
}: MapDialogsProps) {
  const isSprinkler = selected !== null && (!device || device.kind === 'ipc');
  return (
    <>
      <MoveDialogs question={moves.question} answer={moves.answer} />
      <SprinklerDialogHost
        opening={opening}
        isOpen={info !== undefined && isSprinkler && !moves.move?.now}
        farmUID={farm._id}
        hasGateway={(info?.gateways.length ?? 0) > 0}
        unitOf={unitOf}
        list={listed}
        onMove={onMove}
      />
      <TankDialogHost />
      <RepeaterDialogHost />
      <GatewayDialogHost nameOf={(id) => info?.gateways.find((gateway) => gateway.id === id)?.name} />
      <FileDrop farm={farm} />
      {choosing && <CustomFilterDialog isOpen {...choosing} />}
    </>
  );
}
