import { useState } from 'react';
import { Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import { cardMapsOf, farmPatch } from '@headrace/contract/rules/settings-farms';
import type { Settings } from '@headrace/contract/settings';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { StateView } from '../../ui/state-view.tsx';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import classes from './settings.module.css';

const maps = [
  { kind: 'sprinklers', member: 'displayIPCMap', label: 'Display sprinklers map' },
  { kind: 'tanks', member: 'displayTankMap', label: 'Display tank map' },
] as const;
type MapChoice = (typeof maps)[number];

/** Which maps stand on the cards of the chosen farms. */
export function FarmCardsPage() {
  return (
    <StateView
      query={useQuery(farmsCardQuery)}
      skeleton={<div className={classes.waiting} aria-busy="true" />}
      failed="Your farms couldn't be loaded"
      isEmpty={(farms) => farms.length === 0}
      empty={<p className={classes.text}>No farms yet.</p>}
    >
      {(farms) => <CardMaps farms={farms} />}
    </StateView>
  );
}

function CardMaps({ farms }: { farms: readonly FarmCard[] }) {
  const settings = useSettings();
  const queryClient = useQueryClient();
  const [chosenIds, setChosenIds] = useState<readonly string[]>([]);
  const chosen = farms.filter(({ _id }) => chosenIds.includes(_id));
  const choose = (id: string) =>
    setChosenIds((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]));
  const isAll = chosen.length === farms.length;
  const set = ({ member }: MapChoice, isOn: boolean) =>
    saveSettings(
      queryClient,
      isAll
        ? {
            [member]: isOn,
            farms: farmsOf(settings, farms).map((farm) => farmPatch(farm, { [member]: null })),
          }
        : { farms: chosen.map((farm) => farmPatch(farm, { [member]: isOn })) },
    );
  return (
    <>
      <fieldset className={classes.farms}>
        <legend className={classes.label}>Farms</legend>
        {farms.length > 1 && (
          <Checkbox
            size="md"
            label="All farms"
            checked={isAll}
            indeterminate={chosen.length > 0 && !isAll}
            classNames={{ body: classes.tick ?? '' }}
            onChange={() => setChosenIds(isAll ? [] : farms.map(({ _id }) => _id))}
          />
        )}
        {farms.map(({ _id, name }) => (
          <Checkbox
            key={_id}
            size="md"
            label={name}
            checked={chosenIds.includes(_id)}
            classNames={{ body: classes.tick ?? '' }}
            onChange={() => choose(_id)}
          />
        ))}
      </fieldset>
      <div className={classes.rows}>
        {maps.map((map) => {
          const on = chosen.filter(({ _id }) => cardMapsOf(settings, _id)[map.kind]).length;
          return (
            <SettingSwitch
              key={map.member}
              label={map.label}
              hint={hintOf(on, chosen.length)}
              isOn={chosen.length > 0 && on === chosen.length}
              disabled={chosen.length === 0}
              onChange={(isOn) => set(map, isOn)}
            />
          );
        })}
      </div>
    </>
  );
}

function hintOf(on: number, chosen: number): string {
  if (chosen === 0) return 'Choose a farm first';
  return on > 0 && on < chosen ? `On for ${on} of ${chosen} farms` : '';
}

/** Those of the farms that the document says something of. */
const farmsOf = ({ farms: known = [] }: Settings, farms: readonly FarmCard[]) =>
  farms.filter(({ _id }) => known.some(({ info }) => info.id === _id));
