import { useEffect, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { MAP } from '@headrace/contract/limits';
import { errorText } from '../../api/client.ts';
import { FarmMap, MapSpinner } from '../../map/farm-map.tsx';
import { MapFailed, MapNotice, MapPage } from '../../map/map-page.tsx';
import type { SheetHeight } from '../../map/map-sheet.ts';
import { useNow } from '../../ui/clock.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { useSettings } from '../../preferences/settings.queries.ts';
import { useMapTiles } from '../../preferences/use-map-tiles.tsx';
import { GatewayDialogHost } from '../gateways/gateway-dialog-host.tsx';
import { useTankInsights } from '../insights/use-tank-insights.ts';
import { TankDialogHost } from './tank-dialog-host.tsx';
import { useLiveCards } from './live-cards.ts';
import { mapDevices, markerOf } from './map-devices.ts';
import { availableFilters, isShown, readFilter, readSort, sortItems } from './map-filter.ts';
import { MapPopupContent } from './map-popup-content.tsx';
import { MapSummary, TankPanel } from './tank-panel.tsx';
import type { TankMapSearch } from './map-search.ts';
import { tankSiteQuery, tanksQuery } from './tanks.queries.ts';
import { useAskedPopup } from './use-asked-popup.ts';

/** The farm's tanks on its map, with what needs a person beside it. */
export function TankMapPage() {
  const farm = useCurrentFarm();
  return farm ? <TankMap key={farm._id} farm={farm} /> : null;
}

function TankMap({ farm }: { farm: FarmCard }) {
  const search: TankMapSearch = useSearch({ strict: false });
  const patch = useSearchPatch<TankMapSearch>();
  const [height, setHeight] = useState<SheetHeight>('summary');
  const [selected, setSelected] = useState<string | null>(null);
  const now = useNow();
  const { displayPOI = true } = useSettings();
  const tanks = useQuery(tanksQuery(farm._id));
  const site = useQuery(tankSiteQuery(farm._id));
  const tiles = useMapTiles({ hasHint: true });
  const found = useTankInsights(farm._id);
  useLiveCards(farm._id);
  useLogged(tanks.error ?? site.error);

  const devices = useMemo(
    () => (tanks.data ? mapDevices(tanks.data, site.data, { now, displayPOI, found }) : []),
    [tanks.data, site.data, now, displayPOI, found],
  );
  const filters = availableFilters(
    devices.filter(({ kind }) => kind === 'poi').length,
    devices.filter(({ kind }) => kind === 'gateway' || kind === 'repeater').length,
  );
  const filter = readFilter(search.filter, filters);
  const sort = readSort(search.sort);
  const shown = useMemo(() => sortItems(devices.filter(isShown[filter]), sort), [devices, filter, sort]);
  const markers = useMemo(
    () => shown.map((device) => markerOf(device, now)).filter((marker) => marker !== null),
    [shown, now],
  );
  useAskedPopup(search.p, devices, setSelected);

  const select = (id: string | null) => {
    setSelected(id);
    // Its popup needs all of the map.
    if (id !== null) setHeight('summary');
    const device = devices.find((other) => other.id === id);
    patch({ p: device?.kind === 'tank' ? device.serialNumber : undefined }, { replace: true });
  };
  const isReady = tanks.data !== undefined && (site.data !== undefined || site.isError);
  const chosen = shown.find(({ id }) => id === selected);
  const panel = (
    <TankPanel
      farmUID={farm._id}
      tanks={tanks.data}
      shown={shown}
      filters={filters}
      filter={filter}
      sort={sort}
      selected={selected}
      onChange={(change) => patch(change, { replace: true })}
      onSelect={select}
    />
  );
  return (
    <MapPage
      title={`Tanks of ${farm.name}`}
      panel={panel}
      counts={
        <MapSummary
          tanks={tanks.data}
          filter={filter}
          onFilter={(next) => patch({ filter: next }, { replace: true })}
          isCompact
        />
      }
      height={height}
      onHeight={setHeight}
      dialogs={
        <>
          <TankDialogHost />
          <GatewayDialogHost nameOf={(id) => devices.find((device) => device.id === id)?.name} />
        </>
      }
    >
      {isReady ? (
        <FarmMap
          label={`Map of ${farm.name}`}
          markers={markers}
          boundary={site.data?.boundaries ?? NO_BOUNDARY}
          centre={site.data?.centre ?? farm}
          zoom={MAP.tankZoom}
          tiles={tiles}
          selected={selected}
          onSelect={select}
          popup={
            chosen && <MapPopupContent device={chosen} farmUID={farm._id} onClose={() => select(null)} />
          }
        />
      ) : (
        <MapSpinner>
          {tanks.isError && (
            <MapFailed onRetry={() => void tanks.refetch()} isRetrying={tanks.isFetching}>
              The tanks couldn't be loaded: {errorText(tanks.error)}
            </MapFailed>
          )}
        </MapSpinner>
      )}
      {isReady && site.isError && (
        <MapNotice onRetry={() => void site.refetch()} isRetrying={site.isFetching}>
          The boundary, gateways and points of interest couldn't be loaded.
        </MapNotice>
      )}
    </MapPage>
  );
}

const NO_BOUNDARY: never[] = [];

/** What fails here is logged; the screen says it in its own way. */
function useLogged(error: Error | null): void {
  useEffect(() => {
    // oxlint-disable-next-line no-console
    if (error) console.error(error);
  }, [error]);
}
