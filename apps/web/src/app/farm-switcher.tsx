import { useEffect, useState } from 'react';
import { Combobox, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AnyRouter, useNavigate, useRouter } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { type DeviceKind, deviceKinds, listPath } from '../device-records/device-kinds.ts';
import { useCurrentFarm, useSelectFarm } from '../farm/current-farm.ts';
import { FarmSign } from '../farm/farm-sign.tsx';
import { farmsCardQuery } from '../farm/farms.queries.ts';
import { WHOLE_FARM } from '../features/group-map/group-map.queries.ts';
import { foldText } from '../ui/fold-text.ts';
import { FarmButton } from './header-buttons.tsx';

/** From this many farms on there is a box to search them. */
const SEARCH_FROM = 8;

const found = (farms: readonly FarmCard[], wanted: string) =>
  farms.filter((farm) => foldText(farm.name).includes(foldText(wanted)));

/** Which farm the screens are about, and the way to another. */
export function FarmSwitcher() {
  const { data: farms = [] } = useQuery(farmsCardQuery);
  const current = useCurrentFarm();
  const [wanted, setWanted] = useState('');
  const select = useOpenFarm();
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setWanted('');
    },
    onDropdownOpen: () => {
      if (farms.length > SEARCH_FROM) combobox.focusSearchInput();
      combobox.updateSelectedOptionIndex('active');
    },
  });
  const { focusTarget, openDropdown } = combobox;
  // It comes when it is asked for.
  useEffect(() => {
    focusTarget();
    openDropdown();
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, []);
  const choose = (uid: string) => {
    select(uid);
    combobox.closeDropdown();
  };
  const shown = found(farms, wanted);
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={choose}
      width={300}
      position="bottom-start"
      radius="lg"
      shadow="md"
      withinPortal={false}
    >
      <Combobox.Target targetType="button">
        <FarmButton onClick={() => combobox.toggleDropdown()} />
      </Combobox.Target>
      <Combobox.Dropdown p={6}>
        {farms.length > SEARCH_FROM && (
          <Combobox.Search
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
            placeholder="Search farms"
            aria-label="Search farms"
            role="combobox"
            aria-expanded={combobox.dropdownOpened}
            aria-controls={combobox.listId ?? undefined}
          />
        )}
        <Combobox.Options mah="60vh" style={{ overflowY: 'auto' }} aria-label="Farms">
          {shown.map((farm) => (
            <Combobox.Option key={farm._id} value={farm._id} active={farm._id === current?._id} mih={44}>
              <span style={{ display: 'flex', alignItems: 'center', gap: 10 }}>
                <FarmSign icon={farm.icon} size={26} />
                <span
                  style={{
                    flex: 1,
                    fontWeight: `var(--hr-weight-${farm._id === current?._id ? 'strong' : 'normal'})`,
                  }}
                >
                  {farm.name}
                </span>
                {farm._id === current?._id && <span aria-hidden="true">✓</span>}
              </span>
            </Combobox.Option>
          ))}
          {shown.length === 0 && <Combobox.Empty>No farm of that name</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const kindOfPath = (path: string): DeviceKind | undefined =>
  Object.values(deviceKinds).find(({ paths }) => Object.values(paths).includes(path.split('/')[1] ?? ''));

/** Makes a farm the current one. A page about a farm opens for the new one. */
function useOpenFarm(): (uid: string) => void {
  const select = useSelectFarm();
  const navigate = useNavigate();
  const router = useRouter();
  return (uid) => {
    const page = pageOn(uid, router.state);
    // A farm's page makes it the current one when it is entered, which edits that aren't saved may hinder.
    if (!page || page.to === '/') select(uid);
    if (page) void navigate({ to: page.to, search: page.search as never });
  };
}

/** The page that is open, of another farm, without what was open of the old: for a record its list, for a group the groups. */
function pageOn(uid: string, { matches, location }: AnyRouter['state']): FarmPage | null {
  const match = matches.at(-1);
  const farmIn = match?.staticData.farmIn;
  const path: string = match?.fullPath ?? '';
  const search = location.search as Record<string, string | undefined>;
  if (path === '/') return search['f'] === undefined ? null : { to: '/', search: { ...search, f: uid } };
  if (path.startsWith('/group/')) return { to: '/', search: { t: 'g', f: uid } };
  if (path.startsWith('/group-status/')) return { to: `/group-status/${WHOLE_FARM}`, search: { farm: uid } };
  if (path.startsWith('/alerts')) return { to: '/alerts', search: { farm: uid } };
  if (path.startsWith('/scheduler/')) return { to: `/scheduler/${uid}` };
  const kind = kindOfPath(path);
  if (kind) return { to: listPath(kind, uid) };
  if (!farmIn) return null;
  if (path.includes(`$${farmIn}`)) return { to: path.replace(`$${farmIn}`, uid) };
  return { to: path, search: { [farmIn]: uid } };
}

interface FarmPage {
  to: string;
  search?: Record<string, string | undefined>;
}
