import { useMemo, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import type { LatLng } from '@headrace/contract/schemas';
import { drawSmallMap, SMALL_MAP } from '../../map/small-map.ts';
import { useIsSeen } from '../../ui/use-is-seen.ts';
import { groupInfoQuery, WHOLE_FARM } from '../group-map/group-map.queries.ts';
import { tankSiteQuery } from '../tanks/tanks.queries.ts';
import type { FarmLinks } from './farm-card.tsx';
import classes from './card-maps.module.css';

/** Where things stand changes rarely, and a map's own page asks anew, ms. */
const FRESH_MS = 10 * 60_000;

export interface CardMapsProps {
  farm: FarmCard;
  sprinklers: FarmLinks['sprinklers'];
  tanks: FarmLinks['tanks'];
}

/** The farm's outline with its sprinklers, and with its tanks; each leads to its map. Asked for once in sight. */
export function CardMaps({ farm, sprinklers, tanks }: CardMapsProps) {
  const element = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(element);
  return (
    <div className={classes.maps} ref={element}>
      {sprinklers && <SprinklerMap farm={farm} link={sprinklers} isSeen={isSeen} />}
      {tanks && <TankMap farm={farm} link={tanks} isSeen={isSeen} />}
    </div>
  );
}

interface MapProps<Link> {
  farm: FarmCard;
  link: NonNullable<Link>;
  isSeen: boolean;
}

function SprinklerMap({ farm, link, isSeen }: MapProps<FarmLinks['sprinklers']>) {
  const query = groupInfoQuery(farm._id, WHOLE_FARM);
  const { data } = useQuery({ ...query, enabled: isSeen, staleTime: FRESH_MS });
  const places = useMemo(
    () => (data?.ipcs ?? []).flatMap(({ lat, lng }) => (lat === null || lng === null ? [] : { lat, lng })),
    [data],
  );
  return (
    <Link {...link} className={classes.map} aria-label={`Sprinkler map of ${farm.name}`}>
      <Drawing boundary={data?.boundaries} places={places} />
    </Link>
  );
}

function TankMap({ farm, link, isSeen }: MapProps<FarmLinks['tanks']>) {
  const { data } = useQuery({ ...tankSiteQuery(farm._id), enabled: isSeen, staleTime: FRESH_MS });
  const places = useMemo(
    () =>
      data
        ? [...data.sensorsLegacy.filter(({ deletedAt }) => deletedAt === null), ...data.sensors].flatMap(
            ({ location }) => location ?? [],
          )
        : [],
    [data],
  );
  return (
    <Link {...link} className={classes.map} data-kind="tanks" aria-label={`Tank map of ${farm.name}`}>
      <Drawing boundary={data?.boundaries} places={places} />
    </Link>
  );
}

const NONE: readonly LatLng[] = [];

function Drawing({
  boundary = NONE,
  places,
}: {
  boundary?: readonly LatLng[] | undefined;
  places: readonly LatLng[];
}) {
  const { outline, dots } = useMemo(() => drawSmallMap(boundary, places), [boundary, places]);
  return (
    <svg viewBox={`0 0 ${SMALL_MAP.width} ${SMALL_MAP.height}`} aria-hidden="true">
      <path d={outline} className={classes.outline} />
      <path d={dots} className={classes.dots} />
    </svg>
  );
}
