import { useState } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { AreaField } from '../../forms/fields.tsx';
import { cornersText, readCorners } from './boundary-text.ts';
import classes from './farm-form.module.css';

export interface BoundaryAsTextProps {
  boundary: readonly LatLng[];
  onChange: (boundary: readonly LatLng[]) => void;
}

/** The boundary as lines of text: a surveyor's figures are pasted as they are. */
export function BoundaryAsText({ boundary, onChange }: BoundaryAsTextProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = typed === null ? null : readCorners(typed);
  const type = (text: string) => {
    setTyped(text);
    const result = readCorners(text);
    if ('boundary' in result) onChange(result.boundary);
  };
  return (
    <details className={classes.details}>
      <summary>Points as text</summary>
      <AreaField
        name="corners"
        label="Points as text"
        hint={
          read && 'note' in read
            ? read.note
            : 'One a line: latitude, longitude in degrees, as -43.74, 172.04. KML, GeoJSON and WKT are understood too.'
        }
        rows={6}
        value={typed ?? cornersText(boundary)}
        error={read && 'fieldError' in read ? read.fieldError : undefined}
        onChange={type}
        // What reads as corners is shown as they are from now on; also when the map changes them.
        onBlur={() => read && 'boundary' in read && setTyped(null)}
      />
    </details>
  );
}
