import { useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { LatLng } from '@headrace/contract/schemas';
import { errorText } from '../../../api/client.ts';
import { QuestionDialog } from '../../../forms/question-dialog.tsx';
import { LocationPicker } from '../../../map/location-picker.tsx';
import type { MapMarker } from '../../../map/marker.ts';
import { StateView } from '../../../ui/state-view.tsx';
import { deviceCount, deviceKinds } from '../../../device-records/device-kinds.ts';
import { farmQuery } from '../../../farm/farms.queries.ts';
import { useMapTiles } from '../../../preferences/use-map-tiles.tsx';
import { lastRadioQuery, sprinklersQuery } from '../../../device-records/sprinklers.queries.ts';
import { PageTitle } from '../../devices/edit-page.tsx';
import { useDevicesOnMap } from '../../placing/devices-on-map.ts';
import { FIRST_RADIO } from '../sprinkler-values.ts';
import { PlacedList } from './placed-list.tsx';
import { validateShared, firstShared, SharedFields, unitOf } from './shared-values.tsx';
import { useAddMany } from './use-add-many.ts';
import { type PlacedUnit, rowOf, usePlaced } from './use-placed.ts';
import { useRowCheck } from './use-row-check.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import classes from './many.module.css';

const kind = deviceKinds.sprinkler;

/** `/irrigation-device/map/{farmUID}` */
export function PlacePage({ farmUID }: { farmUID: string }) {
  const last = useQuery(lastRadioQuery(farmUID));
  // The map's view is set once: not before it is known where the farm lies.
  const farm = useQuery(farmQuery(farmUID));
  const radio = last.data ?? (last.isError ? FIRST_RADIO : undefined);
  const data = radio && farm.data ? { radio, farm: farm.data } : undefined;
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title="Add on the map" />
      <StateView
        query={{ ...farm, data }}
        failed="The farm couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
      >
        {({ radio: found, farm: { lat, lng, boundary } }) => (
          <Placing farmUID={farmUID} radio={found} centre={{ lat, lng }} boundary={boundary} />
        )}
      </StateView>
    </>
  );
}

interface PlacingProps {
  farmUID: string;
  radio: typeof FIRST_RADIO;
  centre: LatLng;
  boundary: readonly LatLng[];
}

function Placing({ farmUID, radio, centre, boundary }: PlacingProps) {
  const tiles = useMapTiles({ hasHint: true });
  const { data: known } = useQuery(sprinklersQuery(farmUID));
  const others = useDevicesOnMap(farmUID);
  const placed = usePlaced(farmUID, known?.map(({ name }) => name) ?? []);
  const [shared, setShared] = useState(() => firstShared(radio));
  const [moving, setMoving] = useState<number | null>(null);
  const planned = useMemo(() => placed.units.map(rowOf), [placed.units]);
  const check = useRowCheck(farmUID, planned);
  const fine = placed.units.filter((_unit, at) => check.rows[at]?.faults.length === 0);
  const later = placed.units.length - fine.length;
  const add = useAddMany(farmUID, {
    onAdded: () => {
      placed.remove(fine.map(({ key }) => key));
      return later > 0 ? 'stay' : 'leave';
    },
    onFailed: check.recheck,
  });
  const moved = placed.units.find(({ key }) => key === moving);
  const markers = useMemo(
    () => [...others, ...placed.units.filter(({ key }) => key !== moving).map(markerOf)],
    [others, placed.units, moving],
  );
  const take = (place: LatLng | null) => {
    if (!place) return;
    if (moved) placed.change(moved.key, { place });
    else placed.add(place);
    setMoving(null);
  };
  const value = moved?.place ?? placed.nextPlace;
  const name = moved?.name ?? placed.nextName;
  const isSharedFine = Object.values(validateShared(shared)).every((fieldError) => fieldError === undefined);
  return (
    <div className={classes.page}>
      <div className={classes.placing}>
        <div className={classes.ground}>
          <LocationPicker
            label="Where the sprinklers stand"
            value={value}
            onChange={take}
            shape="sprinkler"
            name={name}
            boundary={boundary}
            others={markers}
            centre={centre}
            tiles={tiles}
            message={moved ? `Tap where ${name} stands.` : `Tap where ${name || 'the next one'} stands.`}
            isProposed={!moved && value !== null}
            isRequired
          />
          {!moved && value && (
            <Button variant="default" mih={44} onClick={() => take(value)}>
              Place {name || 'the next one'} where the line goes on
            </Button>
          )}
          {moved && (
            <Button variant="default" mih={44} onClick={() => setMoving(null)}>
              Leave {name} where it is
            </Button>
          )}
        </div>
        <PlacedList
          units={placed.units}
          rows={check.rows}
          isChecking={check.isChecking}
          moving={moving}
          onChange={placed.change}
          onMove={setMoving}
          onRemove={(key) => placed.remove([key])}
        />
      </div>
      <SharedFields title="All of them" farmUID={farmUID} values={shared} onChange={setShared} />
      <div className={classes.bar}>
        <div className={classes.notice} role="status">
          {add.error ? errorText(add.error) : saying(placed.units.length, fine.length, check.isChecking)}
        </div>
        <Button
          mih={44}
          disabled={fine.length === 0 || check.isChecking || check.error !== null || !isSharedFine}
          aria-disabled={add.isPending}
          onClick={() =>
            add.add(
              check.rows.flatMap(({ faults, entry }) => (faults.length === 0 ? [unitOf(entry, shared)] : [])),
            )
          }
        >
          {add.isPending ? 'Saving…' : fine.length === 0 ? 'Save' : `Save ${deviceCount(fine.length, kind)}`}
        </Button>
      </div>
      {add.question && <QuestionDialog {...add.question} back="Back to the map" confirm="Add them" />}
    </div>
  );
}

/** Kept here, because a serial number may be read later, at the shed. */
function saying(count: number, fine: number, isChecking: boolean): string {
  if (count === 0) return 'Tap the map to place the first.';
  if (isChecking) return 'Serial numbers and MACs are being looked up…';
  const later = count - fine;
  if (later === 0) return 'All are added, or none.';
  return `${later} ${later === 1 ? 'needs its' : 'need their'} serial number or a change, and ${later === 1 ? 'stays' : 'stay'} here until then.`;
}

const markerOf = ({ key, name, place }: PlacedUnit): MapMarker => ({
  ...place,
  id: `placed-${key}`,
  name,
  spoken: `Sprinkler ${name}, not saved yet`,
  shape: 'sprinkler',
  condition: 'ok',
});
