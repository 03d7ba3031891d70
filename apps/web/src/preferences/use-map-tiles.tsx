import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Tiles } from '../map/farm-map.tsx';
import { useSession } from '../session/use-session.ts';
import { ImageryHint } from './imagery-hint.tsx';
import { globalSettingsQuery } from './settings.queries.ts';

/** The installation's imagery; undefined until known. Where none is set, owners and staff see on large maps how to. */
export function useMapTiles({ hasHint = false }: { hasHint?: boolean } = {}): Tiles | undefined {
  const { data } = useQuery(globalSettingsQuery);
  const { type, isStaff } = useSession();
  const isHinted = hasHint && (isStaff || type === 'SUBSCRIBER');
  const { tileUrl, tileAttribution, tileMaxZoom } = data ?? {};
  return useMemo(
    () =>
      tileUrl === undefined
        ? undefined
        : {
            url: tileUrl,
            attribution: tileAttribution ?? '',
            maxZoom: tileMaxZoom ?? 19,
            hint: isHinted && <ImageryHint />,
          },
    [tileUrl, tileAttribution, tileMaxZoom, isHinted],
  );
}
