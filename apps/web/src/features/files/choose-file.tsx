import { useState } from 'react';
import { Button } from '@mantine/core';
import type { ImportType } from '@headrace/contract/imports';
import { menuLabels } from '@headrace/contract/rules/files/file-types';
import { radioChannel, radioFarmId } from '@headrace/contract/rules/form-rules';
import {
  type EnteredNumber,
  enteredNumber,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '../../forms/fields.tsx';
import { Ways } from '../../forms/dialog.tsx';
import { importTypes } from './import-labels.ts';
import { typeOfMenu, typeOfName, typeWithin } from './read-file.ts';
import type { ImportOptions } from './use-import.ts';
import plain from '../../ui/plain-button.module.css';
import classes from './files.module.css';

export interface ChooseFileProps {
  farmName: string;
  /** That was dropped. */
  dropped: File | null;
  /** The name of the file that is being read. */
  reading: string | null;
  failed: string;
  /** Of the file that failed: the type by which it can be read. */
  suggested: ImportType | null;
  onSuggested: (type: ImportType) => void;
  onChosen: (file: File, type: ImportType, options: ImportOptions) => void;
}

/** What is wrong is said as one types. */
const noBlur = () => {};

/** What the file is, and which one. */
export function ChooseFile(props: ChooseFileProps) {
  const { farmName, dropped, reading, failed, suggested, onSuggested, onChosen } = props;
  const known = dropped && typeOfName(dropped.name);
  const [type, setType] = useState<ImportType | ''>(known === null ? '' : typeOfMenu(known));
  const [asSpares, setAsSpares] = useState(false);
  const [replaces, setReplaces] = useState(false);
  const [isNone, setIsNone] = useState(false);
  const [farmId, setFarmId] = useState('01:01');
  const [channel, setChannel] = useState<EnteredNumber>('1');
  const untold =
    dropped && known === null
      ? `What ${dropped.name} is can't be told by its name: choose its type first.`
      : '';
  const alert = isNone ? 'No file select' : failed || untold;
  const chosen = importTypes.find(({ value }) => value === type);
  const farmIdError = radioFarmId()(farmId) ?? undefined;
  const channelError = radioChannel()(channel) ?? undefined;
  const isReady = chosen !== undefined && !farmIdError && !channelError && reading === null;
  const choose = (file: File) => {
    if (type === '') return;
    setIsNone(false);
    const radio = enteredNumber(channel);
    const kind = typeWithin(type, file.name);
    onChosen(file, kind, {
      importAsSpares: type === 'podlist' && asSpares,
      ...(kind === 'ims' && replaces && { replaceIpcs: true }),
      ...(farmId && { farmId }),
      ...(radio !== null && { channel: radio }),
    });
  };
  return (
    <div className={classes.choose}>
      <p className={classes.into}>Into {farmName}.</p>
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
      {type === 'project' && (
        <SwitchField
          name="replaces"
          onBlur={noBlur}
          label="Replace IPCs"
          hint="Of site.json alone: where the file has another serial number for a sprinkler of the farm, that unit stands there now. Otherwise such rows are left out."
          value={replaces}
          error={undefined}
          onChange={setReplaces}
        />
      )}
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
      <FileInput accept={chosen?.accept} isReady={isReady} onNone={() => setIsNone(true)} onChosen={choose} />
      {reading !== null && <p role="status">Reading {reading}…</p>}
      {reading === null && (
        <Failed
          text={alert}
          suggested={isNone ? null : suggested}
          onSuggested={(next) => {
            setType(typeOfMenu(next));
            onSuggested(next);
          }}
        />
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

interface FileInputProps {
  /** Endings of names. */
  accept: string | undefined;
  isReady: boolean;
  /** The choice was closed without one. */
  onNone: () => void;
  onChosen: (file: File) => void;
}

const FileInput = ({ accept, isReady, onNone, onChosen }: FileInputProps) => (
  <label className={classes.fileField}>
    <span>File</span>
    <input
      type="file"
      className={plain.file}
      accept={accept}
      disabled={!isReady}
      ref={(input) => {
        input?.addEventListener('cancel', onNone);
        return () => input?.removeEventListener('cancel', onNone);
      }}
      onChange={(event) => {
        const [file] = event.currentTarget.files ?? [];
        // The same file can be chosen again after it was mended.
        event.currentTarget.value = '';
        if (file) onChosen(file);
      }}
    />
  </label>
);

interface FailedProps extends Pick<ChooseFileProps, 'suggested' | 'onSuggested'> {
  text: string;
}

/** Why nothing came of a file, and by which type it can be read. */
const Failed = ({ text, suggested, onSuggested }: FailedProps) => (
  <>
    {text && (
      <p role="alert" className={classes.failed}>
        {text}
      </p>
    )}
    {suggested !== null && (
      <Ways>
        <Button mih={44} onClick={() => onSuggested(suggested)}>
          Choose {menuLabels[suggested]}
        </Button>
      </Ways>
    )}
  </>
);
