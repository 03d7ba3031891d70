import { useId } from 'react';
import classes from './segmented.module.css';

export interface SegmentedProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  data: readonly (Value | { value: Value; label: string })[];
  'aria-label'?: string;
  'aria-labelledby'?: string;
  className?: string | undefined;
  fullWidth?: boolean;
}

/**
 * One of a few, side by side. Radio buttons that CSS alone draws: the kit's control measures where its mark has to stand, and the
 * layouts that this forces hold up a slow phone for a quarter of a second on the dashboard.
 */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { value: chosen, onChange, data, className = '', fullWidth, ...names } = props;
  const group = useId();
  return (
    <div
      {...names}
      role="radiogroup"
      className={`${classes.group} ${className}`}
      data-full-width={fullWidth || undefined}
    >
      {data.map((one) => {
        const { value, label } = typeof one === 'string' ? { value: one, label: one } : one;
        return (
          <label key={value} className={classes.segment}>
            <input
              type="radio"
              name={group}
              value={value}
              checked={value === chosen}
              onChange={() => onChange(value)}
              className={classes.input}
            />
            <span className={classes.label}>{label}</span>
          </label>
        );
      })}
    </div>
  );
}
