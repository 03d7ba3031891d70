import { type ChangeEvent, useMemo, useRef, useState } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { foldText } from '../ui/fold-text.ts';
import { VirtualList } from '../ui/virtual-list.tsx';
import type { LassoSelectProps } from './lasso-select.tsx';
import classes from './lasso.module.css';

export interface LassoListProps extends Pick<LassoSelectProps, 'markers' | 'chosen'> {
  placeless: NonNullable<LassoSelectProps['placeless']>;
  disabled: boolean;
  /** Several with Shift: they become what the last of them does. */
  onTick: (ids: readonly string[], isOn: boolean) => void;
  onFocus: (id: string | null) => void;
}

const ROW_PX = 46;

/** The devices by name, each with a box to tick: how the keyboard chooses, and the only way to those without a place. */
export function LassoList({ markers, placeless, chosen, disabled, onTick, onFocus }: LassoListProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const devices = useMemo(
    () =>
      [
        ...markers.map((marker) => ({ ...marker, note: '' })),
        ...placeless.map((it) => ({ ...it, note: 'No location' })),
      ].sort((a, b) => compareNatural(a.name, b.name)),
    [markers, placeless],
  );
  const sought = foldText(text.trim());
  const shown = sought ? devices.filter(({ name }) => foldText(name).includes(sought)) : devices;
  const last = useRef<string | null>(null);
  const tick = (id: string, { currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
    const ids = shown.map((device) => device.id);
    const from = isRange && last.current !== null ? ids.indexOf(last.current) : -1;
    const [to, begin] = [ids.indexOf(id), from < 0 ? ids.indexOf(id) : from];
    last.current = id;
    onTick(ids.slice(Math.min(begin, to), Math.max(begin, to) + 1), currentTarget.checked);
  };
  return (
    <details className={classes.list} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Devices as a list{placeless.length > 0 && ` (${placeless.length} without location)`}</summary>
      {isOpen && (
        <>
          <TextInput
            size="md"
            aria-label="Find a device by its name"
            placeholder="Find a device"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div className={classes.rows}>
            <VirtualList label="Devices" items={shown} rowPx={ROW_PX} keyOf={({ id }) => id}>
              {({ id, name, condition, spoken, note }) => (
                <label className={classes.row}>
                  <Checkbox
                    checked={chosen.has(id)}
                    disabled={disabled}
                    aria-label={spoken}
                    onChange={(event) => tick(id, event)}
                    onFocus={() => onFocus(id)}
                    onBlur={() => onFocus(null)}
                  />
                  <ConditionDot condition={condition} label={null} />
                  <span>{name}</span>
                  <small>{note}</small>
                </label>
              )}
            </VirtualList>
          </div>
        </>
      )}
    </details>
  );
}
