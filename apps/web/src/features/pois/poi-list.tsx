import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Poi } from '@headrace/contract/pois';
import { exactTime } from '../../ui/format.ts';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { useGroupChoices, useNames } from '../../device-records/choices.queries.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { poisQuery } from '../../device-records/pois.queries.ts';
import { iconOptions, iconText } from '../../device-records/poi-icons.ts';
import type { Column, ListKind } from '../devices/list-kind.ts';
import { ListPage } from '../devices/list-page.tsx';

const filters = iconOptions.map(({ value, label }) => ({
  id: value,
  label,
  isIn: ({ icon }: Poi) => icon === value,
}));

const description: Column<Poi> = {
  id: 'description',
  label: 'Description',
  width: 'minmax(140px, 2.4fr)',
  cell: (poi) => poi.description || '–',
  order: (poi) => poi.description,
  onCard: '',
};

/** `/pois/{id}` */
export function PoiList({ farmUID }: { farmUID: string }) {
  const query = useQuery(poisQuery(farmUID));
  const groups = useGroupChoices(farmUID);
  const names = useNames(groups);
  const zone = useFarmZone(farmUID);
  const kind: ListKind<Poi> = useMemo(() => {
    const groupText = (poi: Poi) => poi.groups.map((id) => names.get(id) ?? '').join(', ');
    const changed: Column<Poi> = {
      id: 'changed',
      label: 'Changed',
      width: '170px',
      cell: ({ updatedAt }) => exactTime(Date.parse(updatedAt), zone),
      order: ({ updatedAt }) => updatedAt,
    };
    const inGroups: Column<Poi> = {
      id: 'groups',
      label: 'Groups',
      width: 'minmax(100px, 1fr)',
      cell: (poi) => groupText(poi) || '–',
      order: groupText,
    };
    return {
      kind: deviceKinds.poi,
      filters,
      standingLabel: 'Kind',
      standing: ({ icon }) => ({ condition: 'poi', label: iconText(icon) }),
      columns: [description, inGroups, changed],
      groups: { of: (poi) => poi.groups, choices: groups },
    };
  }, [groups, names, zone]);
  return <ListPage farmUID={farmUID} query={query} kind={kind} />;
}
