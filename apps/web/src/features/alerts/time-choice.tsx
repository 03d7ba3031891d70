import { useRef, useState } from 'react';
import { PlainButton } from '../../ui/plain-button.tsx';
import classes from './alerts.module.css';

interface TimeChoiceProps<Time extends string> {
  /** "Snooze: Tank low". */
  name: string;
  /** What stands in it: "Snooze…". */
  title: string;
  /** "Snooze": before the time on the button. */
  verb: string;
  times: readonly Time[];
  labels: Readonly<Record<Time, string>>;
  disabled: boolean;
  onChoose: (time: Time) => void;
}

/**
 * Until when nobody is told. A tap on a time is meant; an arrow key changes a closed list at once, also where somebody wanted to scroll:
 * by keys a time is chosen first, and then taken by Enter or its button.
 */
export function TimeChoice<Time extends string>(props: TimeChoiceProps<Time>) {
  const { name, title, verb, times, labels, disabled, onChoose } = props;
  const isByKeys = useRef(false);
  const [chosen, setChosen] = useState<Time | null>(null);
  const take = (time: Time) => {
    setChosen(null);
    onChoose(time);
  };
  return (
    <>
      <select
        className={classes.snooze}
        aria-label={name}
        disabled={disabled}
        value={chosen ?? ''}
        onPointerDown={() => (isByKeys.current = false)}
        onKeyDown={({ key }) => {
          isByKeys.current = true;
          if (key === 'Enter' && chosen !== null) take(chosen);
          if (key === 'Escape') setChosen(null);
        }}
        onChange={({ currentTarget: { value } }) => (isByKeys.current ? setChosen : take)(value as Time)}
      >
        <option value="" disabled>
          {title}
        </option>
        {times.map((time) => (
          <option key={time} value={time}>
            {labels[time]}
          </option>
        ))}
      </select>
      {chosen !== null && (
        <PlainButton onClick={() => take(chosen)}>
          {verb} {labels[chosen]}
        </PlainButton>
      )}
    </>
  );
}
