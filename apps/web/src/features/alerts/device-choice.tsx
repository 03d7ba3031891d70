import { useId, useState } from 'react';
import { FieldGroup, TextField } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { foldText } from '../../ui/fold-text.ts';
import classes from './alerts.module.css';

interface Watchable {
  readonly uid: string;
  readonly name: string;
}

interface DeviceChoiceProps {
  field: FieldProps<string[]>;
  devices: readonly Watchable[];
  /** "tanks". */
  all: string;
}

/** Rows in sight; whoever has more looks for theirs by name. */
const LISTED = 100;

/** All devices, also those that come later, or chosen ones. */
export function DeviceChoice({ field, devices, all }: DeviceChoiceProps) {
  const { name, value: chosen, error, onChange } = field;
  const [isSome, setIsSome] = useState(chosen.length > 0);
  const group = useId();
  return (
    <FieldGroup name={name} label="Which" error={error}>
      <div className={classes.boxes}>
        <label className={classes.box}>
          <input
            type="radio"
            name={group}
            checked={!isSome}
            onChange={() => {
              setIsSome(false);
              onChange([]);
            }}
          />
          All {all}, also those that come later ({devices.length} now)
        </label>
        <label className={classes.box}>
          <input type="radio" name={group} checked={isSome} onChange={() => setIsSome(true)} />
          Chosen ones{isSome && chosen.length > 0 ? `: ${chosen.length}` : ''}
        </label>
      </div>
      {isSome && <Devices devices={devices} chosen={chosen} onChange={onChange} />}
    </FieldGroup>
  );
}

interface DevicesProps {
  devices: readonly Watchable[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function Devices({ devices, chosen, onChange }: DevicesProps) {
  const [text, setText] = useState('');
  const wanted = foldText(text);
  const found = devices.filter(({ name }) => foldText(name).includes(wanted));
  const isChosen = new Set(chosen);
  return (
    <>
      {devices.length > 10 && (
        <TextField
          name="find"
          label="Find"
          value={text}
          error={undefined}
          onChange={setText}
          onBlur={() => undefined}
        />
      )}
      <ul className={classes.devices} aria-label="Devices">
        {found.slice(0, LISTED).map(({ uid, name }) => (
          <li key={uid}>
            <label className={classes.box}>
              <input
                type="checkbox"
                checked={isChosen.has(uid)}
                onChange={({ currentTarget }) =>
                  onChange(currentTarget.checked ? [...chosen, uid] : chosen.filter((one) => one !== uid))
                }
              />
              {name}
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={classes.facts}>No device has this name.</p>}
      {found.length > LISTED && (
        <p className={classes.facts}>and {found.length - LISTED} more: find them by name</p>
      )}
    </>
  );
}
