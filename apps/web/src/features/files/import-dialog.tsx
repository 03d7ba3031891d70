import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import type { ImportPlan, ImportType } from '@headrace/contract/imports';
import { radioChannel, radioFarmId } from '@headrace/contract/rules/form-rules';
import { errorText } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import {
  type EnteredNumber,
  enteredNumber,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '../../forms/fields.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { ListBehind } from '../devices/list-behind.tsx';
import { offerUndo } from '../changes/undo.ts';
import { importTypes, resultParts, summaryText } from './import-labels.ts';
import { ImportRows } from './import-rows.tsx';
import { readTextFile } from './read-text-file.ts';
import { useImport } from './use-import.ts';
import classes from './files.module.css';

/** A file is chosen, what it would do is looked at, and it is done: each step says what it knows. */
export function ImportDialog({ farm, onClose }: { farm: FarmCard; onClose: () => void }) {
  const [isOpen, setIsOpen] = useState(true);
  const isMobile = useIsMobile();
  const close = () => setIsOpen(false);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      onClosed={onClose}
      title="Import Configurations"
      size={820}
      isFullScreen={isMobile}
    >
      <Steps farm={farm} onClose={close} />
    </Dialog>
  );
}

function Steps({ farm, onClose }: { farm: FarmCard; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { look, apply, plan, ticked, isTicked, tick, again } = useImport();
  const [notes, setNotes] = useState<readonly string[]>([]);
  if (apply.data) return <Result farm={farm} message={apply.data.msg.res_message} onClose={onClose} />;
  if (!plan)
    return (
      <ChooseFile
        isReading={look.isPending}
        failed={
          look.isError ? `File ${look.variables.filename} was not uploaded. ${errorText(look.error)}` : ''
        }
        onChosen={({ note, ...file }) => {
          setNotes(note === '' ? [] : [note]);
          look.mutate({ farmUID: farm._id, ...file });
        }}
      />
    );
  const done = () =>
    apply.mutate(undefined, {
      onSuccess: (reply) =>
        reply &&
        offerUndo(queryClient, `${resultParts(reply.msg.res_message).heading}.`, {
          farmUID: farm._id,
          act: 'import',
          batchId: reply.batchId,
        }),
    });
  return (
    <>
      <PlanSummary plan={plan} notes={notes} />
      {apply.isError && (
        <p role="alert" className={classes.failed}>
          {errorText(apply.error)}
        </p>
      )}
      <ImportRows plan={plan} isTicked={isTicked} onTick={tick} />
      <Ways isLong>
        <Button variant="default" mih={44} onClick={again} disabled={apply.isPending}>
          Other file
        </Button>
        {plan.counts.add + plan.counts.change + plan.counts.choose > 0 && (
          <Button mih={44} onClick={done} loading={apply.isPending} disabled={ticked.length === 0}>
            {ticked.length === 0 ? 'Nothing is ticked' : `Import ${ticked.length.toLocaleString('en-NZ')}`}
          </Button>
        )}
      </Ways>
    </>
  );
}

function PlanSummary({ plan, notes }: { plan: ImportPlan; notes: readonly string[] }) {
  const { newGroups } = plan;
  const groups = newGroups.length > 0 ? [`Groups that will be added: ${newGroups.join(', ')}.`] : [];
  return (
    <div role="status">
      <p className={classes.summary}>{summaryText(plan)}</p>
      {[...notes, ...plan.notes, ...groups].map((note) => (
        <p key={note} className={classes.text}>
          {note}
        </p>
      ))}
    </div>
  );
}

interface Chosen {
  typeFile: ImportType;
  data: string;
  filename: string;
  options: { importAsSpares: boolean; farmId?: string; channel?: number };
  note: string;
}

interface ChooseFileProps {
  isReading: boolean;
  failed: string;
  onChosen: (chosen: Chosen) => void;
}

/** What is wrong is said as one types. */
const noBlur = () => {};

function ChooseFile({ isReading, failed, onChosen }: ChooseFileProps) {
  const [type, setType] = useState<ImportType | ''>('');
  const [asSpares, setAsSpares] = useState(false);
  const [farmId, setFarmId] = useState('01:01');
  const [channel, setChannel] = useState<EnteredNumber>('1');
  const [unreadable, setUnreadable] = useState('');
  const chosen = importTypes.find(({ value }) => value === type);
  const farmIdError = radioFarmId()(farmId) ?? undefined;
  const channelError = radioChannel()(channel) ?? undefined;
  const isReady = chosen !== undefined && !farmIdError && !channelError && !isReading;
  const read = async (file: File) => {
    setUnreadable('');
    try {
      const { text, note } = await readTextFile(file);
      const radio = enteredNumber(channel);
      const options = {
        importAsSpares: type === 'podlist' && asSpares,
        ...(farmId && { farmId }),
        ...(radio !== null && { channel: radio }),
      };
      if (type !== '')
        onChosen({ typeFile: type, data: text, filename: file.name.slice(0, 255), options, note });
    } catch (error) {
      setUnreadable((error as Error).message);
    }
  };
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
            if (file) void read(file);
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
        <p className={classes.text}>Nothing is changed before you have seen what the file would do.</p>
      )}
    </div>
  );
}

function Result({ farm, message, onClose }: { farm: FarmCard; message: string; onClose: () => void }) {
  const { heading, items } = resultParts(message);
  return (
    <>
      <p className={classes.summary} role="status">
        {heading}
      </p>
      {items.length > 0 && (
        <ul className={classes.items}>
          {[...new Set(items)].map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
      <p className={classes.text}>It can be undone for 30 days, in the history of changes.</p>
      <ListBehind farmUID={farm._id} />
      <Ways>
        <Button mih={44} onClick={onClose}>
          Close
        </Button>
      </Ways>
    </>
  );
}
