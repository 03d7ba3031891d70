import { useEffect, useEffectEvent, useState } from 'react';
import type { ImportType } from '@headrace/contract/imports';
import { radioChannel, radioFarmId } from '@headrace/contract/rules/form-rules';
import {
  type EnteredNumber,
  enteredNumber,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '../../forms/fields.tsx';
import { importTypes } from './import-labels.ts';
import { readFile, typeOfMenu, typeOfName, typeWithin } from './read-file.ts';
import classes from './files.module.css';

export interface Chosen {
  typeFile: ImportType;
  data: string;
  filename: string;
  options: { importAsSpares: boolean; farmId?: string; channel?: number };
  note: string;
}

export interface ChooseFileProps {
  /** That was dropped. */
  file: File | null;
  isReading: boolean;
  failed: string;
  onChosen: (chosen: Chosen) => void;
}

/** What is wrong is said as one types. */
const noBlur = () => {};

/** What the file is, and which one. */
export function ChooseFile({ file: dropped, isReading, failed, onChosen }: ChooseFileProps) {
  const [type, setType] = useState<ImportType | ''>('');
  const [asSpares, setAsSpares] = useState(false);
  const [farmId, setFarmId] = useState('01:01');
  const [channel, setChannel] = useState<EnteredNumber>('1');
  const [unreadable, setUnreadable] = useState('');
  const chosen = importTypes.find(({ value }) => value === type);
  const farmIdError = radioFarmId()(farmId) ?? undefined;
  const channelError = radioChannel()(channel) ?? undefined;
  const isReady = chosen !== undefined && !farmIdError && !channelError && !isReading;
  const read = async (file: File, of: ImportType) => {
    setUnreadable('');
    try {
      const { text, note } = await readFile(file, of);
      const radio = enteredNumber(channel);
      const options = {
        importAsSpares: of === 'podlist' && asSpares,
        ...(farmId && { farmId }),
        ...(radio !== null && { channel: radio }),
      };
      onChosen({ typeFile: of, data: text, filename: file.name.slice(0, 255), options, note });
    } catch (error) {
      setUnreadable((error as Error).message);
    }
  };
  const take = (file: File) => {
    const of = typeOfName(file.name);
    if (of === null)
      return setUnreadable(`What ${file.name} is can't be told by its name: choose its type first.`);
    setType(typeOfMenu(of));
    return void read(file, of);
  };
  const takeDropped = useEffectEvent(take);
  useEffect(() => {
    if (dropped) takeDropped(dropped);
  }, [dropped]);
  return (
    <div className={classes.choose}>
      <SelectField
        name="type"
        onBlur={noBlur}
        label="Type"
        value={type}
        error={undefined}
        options={[{ value: '', label: 'Choose what to import' }, ...importTypes]}
        onChange={(value) => setType(value as ImportType | '')}
        hint={chosen?.hint}
      />
      {type === 'podlist' && (
        <>
          <SwitchField
            name="asSpares"
            onBlur={noBlur}
            label="Import as Spares"
            value={asSpares}
            error={undefined}
            onChange={setAsSpares}
          />
          <div className={classes.radio}>
            <TextField
              name="farmId"
              onBlur={noBlur}
              label="Farm ID"
              value={farmId}
              error={farmIdError}
              onChange={setFarmId}
              hint="Of new units that say none"
            />
            <NumberField
              name="channel"
              onBlur={noBlur}
              label="Channel"
              isWhole
              value={channel}
              error={channelError}
              onChange={setChannel}
              hint="Of new units that say none"
            />
          </div>
        </>
      )}
      <label className={classes.fileField}>
        <span>File</span>
        <input
          type="file"
          accept={chosen?.accept}
          disabled={!isReady}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            // The same file can be chosen again after it was mended.
            event.currentTarget.value = '';
            if (file && type !== '') void read(file, typeWithin(type, file.name));
          }}
        />
      </label>
      {isReading && <p role="status">Reading the file…</p>}
      {(unreadable || failed) && !isReading && (
        <p role="alert" className={classes.failed}>
          {unreadable || failed}
        </p>
      )}
      {!chosen && (
        <p className={classes.text}>
          A file can also be dragged here or onto the map. Nothing is changed before you have seen what it
          would do.
        </p>
      )}
    </div>
  );
}
