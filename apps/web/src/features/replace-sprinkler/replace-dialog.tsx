import { useState, type ReactNode } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { commandNeeds } from '@headrace/contract/command-types';
import type { MapUnit } from '@headrace/contract/map-units';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds, needOf } from '../../device-records/device-kinds.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { useSettings } from '../../preferences/settings.queries.ts';
import type { SerialUse } from '../devices/serial-lookup.ts';
import { isAsked, SpareDialog, type SpareUnit } from '../irrigation-devices/spare-dialogs.tsx';
import { ReplaceProgress } from './replace-progress.tsx';
import { spareUnitsQuery } from './replace.queries.ts';
import { SerialForm } from './serial-form.tsx';
import { spareChoices } from './spare-choice.ts';
import { SpareList } from './spare-list.tsx';
import { type NewUnit, type Replace, useReplace } from './use-replace.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './replace.module.css';

export interface ReplaceDialogProps {
  farmUID: string;
  unit: MapUnit;
  /** Why it can't be sent now; null: it can. */
  why: string | null;
  onClose: () => void;
}

/** Another unit takes the place of a sprinkler: a spare of the farm, the best first, or one by its serial number. */
export function ReplaceDialog({ farmUID, unit, why, onClose }: ReplaceDialogProps) {
  // As it was when this was opened: once it is done, another unit is there.
  const [place] = useState(unit);
  const { name, mac, serial } = place;
  const maySend = useCan(commandNeeds.UpdateSchedule, farmUID);
  const [isTicked, setTicked] = useState(true);
  const replace = useReplace(farmUID, { name, mac, serialNumber: serial }, maySend && isTicked);
  const isMobile = useIsMobile();
  return (
    <Dialog title="Replace unit" size={560} isFullScreen={isMobile} onClose={onClose}>
      {replace.sent ? (
        <ReplaceProgress {...{ farmUID, place, onClose }} {...replace.sent} onAgain={replace.again} />
      ) : unit.serial !== place.serial ? (
        <ReplacedMeanwhile old={place} unit={unit} onClose={onClose} />
      ) : (
        <Choosing {...{ farmUID, place, why, replace }}>
          {maySend && (
            <Checkbox
              mb="md"
              label="Also send this position's schedule to the new unit"
              checked={isTicked}
              onChange={(event) => setTicked(event.currentTarget.checked)}
            />
          )}
        </Choosing>
      )}
    </Dialog>
  );
}

/** By somebody else, or by what was sent from here without an answer. */
function ReplacedMeanwhile({ old, unit, onClose }: { old: MapUnit; unit: MapUnit; onClose: () => void }) {
  return (
    <>
      <p role="status" className={classes.text}>
        {unit.name} was replaced meanwhile: {unit.serial} is there now, and no longer {old.serial}.
      </p>
      <Ways>
        <Button mih={44} onClick={onClose} data-autofocus>
          Close
        </Button>
      </Ways>
    </>
  );
}

interface ChoosingProps {
  farmUID: string;
  place: MapUnit;
  why: string | null;
  replace: Replace;
  children: ReactNode;
}

interface Asked {
  readonly spare: SpareUnit;
  readonly unit: NewUnit;
}

function Choosing({ farmUID, place, why, replace, children }: ChoosingProps) {
  const { send, isSending: isBusy, notSent } = replace;
  const { showSpareReadyDialog } = useSettings();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [inUse, setInUse] = useState<SerialUse | null>(null);
  const mayRead = useCan(needOf(deviceKinds.sprinkler, 'Read'), farmUID);
  const spares = useQuery({ ...spareUnitsQuery(farmUID), enabled: mayRead });
  const askOrSend = (spare: SpareUnit, unit: NewUnit) => {
    if (isAsked(spare, showSpareReadyDialog)) setAsked({ spare, unit });
    else send(unit);
  };
  const choose = (unit: NewUnit, use: SerialUse | undefined) => {
    const spare = spares.data?.find(({ macAddress }) => isSameMac(macAddress, unit.mac));
    if (spare) askOrSend(spare, { serialNumber: spare.serialNumber, mac: spare.macAddress });
    else if (use && isInTheWay(use, farmUID)) setInUse(use);
    else send(unit);
  };
  return (
    <>
      {notSent && <NotSentNote sentences={notSent} />}
      {isBusy && (
        <p role="status" className={classes.note}>
          Processing your command...
        </p>
      )}
      {why !== null && !isBusy && (
        <p role="status" className={classes.note}>
          {why}
        </p>
      )}
      <p className={classes.text}>
        Another unit takes the place of {place.name} ({place.serial}). Name, location, groups and history
        stay; {place.serial} becomes a spare, out of service.
      </p>
      {children}
      {mayRead && (
        <StateView
          query={spares}
          skeleton={<Skeleton blockPx={140} />}
          failed="The spares of this farm couldn't be loaded"
          isEmpty={(ipcs) => ipcs.length === 0}
          empty={
            <Empty title="This farm has no spares.">
              Enter the serial number of the new unit below. A sprinkler becomes a spare by "Make it a spare"
              in its form.
            </Empty>
          }
        >
          {(ipcs) => (
            <SpareList
              choices={spareChoices(ipcs, place)}
              why={why}
              isBusy={isBusy}
              onChoose={({ spare }) =>
                askOrSend(spare, { serialNumber: spare.serialNumber, mac: spare.macAddress })
              }
            />
          )}
        </StateView>
      )}
      <h3 className={classes.heading}>Another unit</h3>
      <SerialForm {...{ farmUID, why }} own={place.serial} isBusy={isBusy} onChoose={choose} />
      {asked && (
        <SpareDialog
          spare={asked.spare}
          onYes={() => {
            setAsked(null);
            send(asked.unit);
          }}
          onNo={() => setAsked(null)}
        />
      )}
      {inUse && <CannotReplace use={inUse} farmUID={farmUID} onClose={() => setInUse(null)} />}
    </>
  );
}

const isSameMac = (one: string, other: string) => digitsOf(one) !== '' && digitsOf(one) === digitsOf(other);
const digitsOf = (mac: string) => mac.replaceAll(/[^0-9A-Fa-f]/g, '').toUpperCase();

/** It works somewhere, or is on another farm: a unit is on one farm at a time. */
const isInTheWay = ({ currentlyActive, farmUID }: SerialUse, here: string) =>
  currentlyActive || (farmUID !== '' && farmUID !== here);

function NotSentNote({ sentences }: { sentences: readonly string[] }) {
  const [first, ...others] = sentences;
  return (
    <div role="alert" className={classes.failed}>
      <p className={classes.title}>{first}</p>
      {others.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

function CannotReplace({ use, farmUID, onClose }: { use: SerialUse; farmUID: string; onClose: () => void }) {
  const isHere = use.farmUID === farmUID;
  const as = use.name && ` as ${use.name}`;
  return (
    <Dialog title="Sorry, cannot replace" onClose={onClose}>
      <p className={classes.text}>
        {isHere
          ? `This unit is in use on this farm${as}. Make it a spare first.`
          : `This unit is on ${use.farmName || 'another farm'}${as}. Delete it from the other farm first.`}
      </p>
      <Ways>
        <Button onClick={onClose} data-autofocus>
          OK
        </Button>
      </Ways>
    </Dialog>
  );
}
