import { useState } from 'react';
import { NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import { can } from '@headrace/contract/permissions';
import { farmPatch, stressBandsOf, withSiteBands } from '@headrace/contract/rules/settings-farms';
import type { StressBand } from '@headrace/contract/settings';
import { useCan } from '../../access/permissions.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { withStatus } from '../../api/with-status.ts';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import { BandRow } from './band-row.tsx';
import { soilSensorsQuery } from './soil-sensors.queries.ts';
import classes from './settings.module.css';

const WHOLE_FARM = '';

/** Where each level of soil moisture starts, for a farm or one of its sites. */
export function StressBandsPage() {
  const farm = useCurrentFarm();
  return farm ? <Bands key={farm._id} farm={farm} /> : <p className={classes.text}>No Farm Selected</p>;
}

function Bands({ farm }: { farm: FarmCard }) {
  const [site, setSite] = useState(WHOLE_FARM);
  return (
    <>
      <SiteField farm={farm} value={site} onChange={setSite} />
      <BandTable key={site} farm={farm} site={site} />
    </>
  );
}

function BandTable({ farm, site }: { farm: FarmCard; site: string }) {
  const settings = useSettings();
  const queryClient = useQueryClient();
  const stored = stressBandsOf(settings, farm._id, site);
  // A slider's own move is shown in the same breath; the settings follow a moment later.
  const [moved, setMoved] = useState({ from: stored, bands: stored });
  const bands = moved.from === stored ? moved.bands : stored;
  const save = (next: StressBand[]) => {
    setMoved({ from: stored, bands: next });
    const change =
      site === WHOLE_FARM
        ? { smStressBands: next }
        : { sites: withSiteBands(settings, farm._id, site, next) };
    saveSettings(queryClient, { farms: [farmPatch(farm, change)] });
  };
  return (
    <>
      <Strip bands={bands} />
      <table className={classes.bands}>
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Starts at</th>
            <th scope="col">Colour</th>
            <th scope="col">
              <span className={classes.spoken}>Default</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {bands.map((band) => (
            <BandRow key={band.idx} band={band} bands={bands} onChange={save} />
          ))}
        </tbody>
      </table>
    </>
  );
}

interface SiteFieldProps {
  farm: FarmCard;
  value: string;
  onChange: (site: string) => void;
}

/** The farm, or one soil moisture sensor of it, where it has any. */
function SiteField({ farm, value, onChange }: SiteFieldProps) {
  const canRead = useCan({ anyOf: [can('sensors', 'Read')] }, farm._id);
  const { data: sensors = [], error } = useQuery({ ...soilSensorsQuery(farm._id), enabled: canRead });
  if (error)
    return (
      <p className={classes.text} role="alert">
        {withStatus('Failed to fetch sensor list', error)}
      </p>
    );
  if (sensors.length === 0) return <p className={classes.text}>{farm.name}</p>;
  return (
    <NativeSelect
      size="md"
      mb="md"
      label="For"
      value={value}
      data={[
        { value: WHOLE_FARM, label: `${farm.name}, all sites` },
        ...sensors.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The whole scale in the bands' colours; the table says the same in numbers. */
function Strip({ bands }: { bands: readonly StressBand[] }) {
  return (
    <div className={classes.strip} aria-hidden="true">
      {bands.map(({ idx, start, color }, index) => (
        <span
          key={idx}
          style={{ flexGrow: (bands[index + 1]?.start ?? 200) - start, backgroundColor: color }}
        />
      ))}
    </div>
  );
}
