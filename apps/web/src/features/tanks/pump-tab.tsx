// Within its layer, so that the order of app.css stands; with this tab, so that the first load doesn't carry it.
import '@mantine/core/styles/Slider.layer.css';
import { RangeSlider, Switch, TextInput } from '@mantine/core';
import { MAX_RUN_INPUT_MINUTES } from '@headrace/contract/limits';
import { needs } from '@headrace/contract/permissions';
import { pumpState, pumpTexts } from '@headrace/contract/rules/tank';
import type { PumpControl, TankInfo } from '@headrace/contract/tanks';
import { useCan } from '../../access/permissions.ts';
import { ConfigUpdates } from './config-updates.tsx';
import { PumpIcon } from './pump-badge.tsx';
import type { PumpEdit } from './pump-edit.ts';
import classes from './pump-tab.module.css';
import dialog from './tank-dialog.module.css';

const MARKS = [0, 20, 40, 60, 80, 100].map((value) => ({ value, label: String(value) }));

export interface PumpTabProps {
  info: TankInfo;
  pump: PumpControl;
  edit: PumpEdit;
}

/** When the pump goes on and off. The dialog's Update sends what was edited here. */
export function PumpTab({ info, pump, edit }: PumpTabProps) {
  const canEdit = useCan(needs.editSensors, info.farmUID);
  const { values, fieldErrors, patch, failure, isPending } = edit;
  const state = pumpState(pump);
  const isUnsaid = pump.lowSetpoint === null || pump.highSetpoint === null;
  return (
    <div className={classes.pump}>
      <div className={dialog.notices}>
        <ConfigUpdates info={info} />
      </div>
      <p className={classes.state}>
        <span className={dialog.pump} data-state={state}>
          <PumpIcon state={state} size={20} /> {pumpTexts[state]}
        </span>
        {pump.inputState !== null && (
          <span className={classes.dim}>Input {pump.inputState ? 'on' : 'off'}</span>
        )}
      </p>
      <Switch
        size="md"
        label="Auto relay"
        description="The pump follows the tank's level by itself."
        checked={values.relayControl}
        disabled={!canEdit}
        onChange={(event) => patch({ relayControl: event.currentTarget.checked })}
      />
      <div role="group" aria-labelledby="setpoints" className={classes.setpoints}>
        <h3 id="setpoints" className={classes.heading}>
          Setpoints
        </h3>
        <p className={classes.sentence} aria-live="polite">
          Pump on at <b className="num">{values.lowSetpoint} %</b>, off at{' '}
          <b className="num">{values.highSetpoint} %</b>
        </p>
        <RangeSlider
          min={0}
          max={100}
          step={1}
          minRange={1}
          size="lg"
          thumbSize={28}
          marks={MARKS}
          label={null}
          thumbFromLabel="Low setpoint, %"
          thumbToLabel="High setpoint, %"
          classNames={{
            root: classes.slider ?? '',
            thumb: classes.thumb ?? '',
            markLabel: classes.mark ?? '',
          }}
          disabled={!canEdit}
          value={[values.lowSetpoint, values.highSetpoint]}
          onChange={([lowSetpoint, highSetpoint]) => patch({ lowSetpoint, highSetpoint })}
        />
        {isUnsaid && <p className={classes.dim}>The unit has not said its setpoints: these are proposed.</p>}
        <FieldError text={fieldErrors.lowSetpoint ?? fieldErrors.highSetpoint} />
      </div>
      <TextInput
        type="number"
        inputMode="numeric"
        min={0}
        max={MAX_RUN_INPUT_MINUTES}
        step={1}
        label={
          <>
            Max run time<span className="unit"> min</span>
          </>
        }
        description="The pump stops after this time even if the tank isn't full. 0 is no limit."
        className={classes.run ?? ''}
        value={values.maxRunTime ?? ''}
        error={fieldErrors.maxRunTime}
        disabled={!canEdit}
        autoComplete="off"
        onChange={(event) => patch({ maxRunTime: event.currentTarget.value })}
      />
      {!canEdit && <p className={classes.dim}>You may see these settings, but not change them.</p>}
      {isPending && !failure && (
        <p className={classes.dim} role="status">
          Not sent yet. Update sends it to the unit, which takes it when it next reports.
        </p>
      )}
      {failure && (
        <p className={classes.failure} role="alert">
          {failure} What you entered is kept.
        </p>
      )}
    </div>
  );
}

function FieldError({ text }: { text: string | undefined }) {
  return text ? (
    <p className={classes.failure} role="alert">
      {text}
    </p>
  ) : null;
}
