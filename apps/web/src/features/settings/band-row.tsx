import { defaultStressBands } from '@headrace/contract/default-settings';
import { moveStart, STRESS_MAX, STRESS_MIN } from '@headrace/contract/rules/stress-bands';
import type { StressBand } from '@headrace/contract/settings';
import { PlainButton } from '../../ui/plain-button.tsx';
import classes from './settings.module.css';

export interface BandRowProps {
  band: StressBand;
  bands: readonly StressBand[];
  onChange: (bands: StressBand[]) => void;
}

/** A level's start and colour. The browser's own slider and colour picker: by finger, pointer and keyboard. */
export function BandRow({ band: { idx, name, start, color }, bands, onChange }: BandRowProps) {
  const withColour = (list: readonly StressBand[], chosen: string) =>
    list.map((band) => (band.idx === idx ? { ...band, color: chosen } : band));
  const reset = () => {
    const byDefault = defaultStressBands[idx];
    if (byDefault) onChange(withColour(moveStart(bands, idx, byDefault.start), byDefault.color));
  };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <div className={classes.slider}>
          <input
            type="range"
            min={STRESS_MIN}
            max={STRESS_MAX}
            step={1}
            value={start}
            aria-label={`${name} starts at`}
            aria-valuetext={`${start} kPa`}
            onChange={(event) => onChange(moveStart(bands, idx, event.currentTarget.valueAsNumber))}
          />
          <output className="num">{start} kPa</output>
        </div>
      </td>
      <td>
        <input
          type="color"
          className={classes.colour}
          value={color}
          aria-label={`Colour of ${name}`}
          onChange={(event) => onChange(withColour(bands, event.currentTarget.value))}
        />
      </td>
      <td>
        <PlainButton onClick={reset}>
          Reset to Default<span className={classes.spoken}>: {name}</span>
        </PlainButton>
      </td>
    </tr>
  );
}
