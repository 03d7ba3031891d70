import { useState } from 'react';
import type { RawKey } from '@headrace/contract/api';
import type { FarmCard } from '@headrace/contract/farms';
import { download } from '../../api/client.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { FileRows } from '../../ui/file-rows.tsx';
import { MadeFileRow } from '../../ui/made-file-row.tsx';
import classes from './files.module.css';
import { ReadingsExport } from './readings-export.tsx';

type ExportKey = Exclude<Extract<RawKey, `GET /export/${string}`>, 'GET /export/readings.csv'>;
interface ExportedFile {
  readonly key: ExportKey;
  readonly file: string;
  readonly text: string;
  readonly ofSprinklers?: true;
}

const files: readonly ExportedFile[] = [
  {
    key: 'GET /export/podlist',
    file: 'pod-config.ini',
    text: 'Sprinklers in service, a section for each.',
    ofSprinklers: true,
  },
  {
    key: 'GET /export/rptrlist',
    file: 'inc-rptrs.ini',
    text: 'Repeaters, a section for each.',
    ofSprinklers: true,
  },
  {
    key: 'GET /export/schedules',
    file: 'site.zip',
    text: 'Schedule sets, a CSV file for each.',
    ofSprinklers: true,
  },
  {
    key: 'GET /export/site-json',
    file: 'site.json',
    text: 'The whole configuration. No people, keys or readings.',
  },
  {
    key: 'GET /export/devices.csv',
    file: 'devices.csv',
    text: 'All devices and points of interest, for a spreadsheet.',
  },
  {
    key: 'GET /export/farm.kml',
    file: 'farm.kml',
    text: 'The boundary and what has a place, for Google Earth.',
  },
  {
    key: 'GET /export/farm.geojson',
    file: 'farm.geojson',
    text: 'The same for QGIS and other mapping programs.',
  },
];

/** The farm's configuration as files, and its readings. */
export function ExportDialog({ farm, onClose }: { farm: FarmCard; onClose: () => void }) {
  const [isOpen, setIsOpen] = useState(true);
  const shown = files.filter(({ ofSprinklers }) => !(ofSprinklers && farm.tankOnly));
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      onClosed={onClose}
      title="Export Configurations"
      size={600}
    >
      <p className={classes.text}>{farm.name}, as it is now.</p>
      <FileRows>
        {shown.map((one) => (
          <MadeFileRow
            key={one.key}
            file={one.file}
            text={one.text}
            of={farm._id}
            make={() => download(one.key, { query: { farmUID: farm._id } })}
          />
        ))}
      </FileRows>
      <ReadingsExport farmUID={farm._id} />
    </Dialog>
  );
}
