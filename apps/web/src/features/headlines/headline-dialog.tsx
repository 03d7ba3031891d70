import { useState } from 'react';
import { Button, NativeSelect } from '@mantine/core';
import { headlinePicker, type HeadlineType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import forms from '../../forms/forms.module.css';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { headlineOf, isShown, type Headline } from './headline-configs.ts';
import { HeadlineOptions, useChoices } from './headline-options.tsx';
import { kindLabels } from './headline-labels.ts';
import classes from './headlines.module.css';

export interface HeadlineDialogProps {
  farm: FarmCard;
  headline: Headline;
  /** 1 to 4 */
  place: number;
  onClose: () => void;
  onSave: (headline: Headline) => void;
}

/** What a slot shows: its kind, and the options of that kind. */
export function HeadlineDialog({ farm, headline, place, onClose, onSave }: HeadlineDialogProps) {
  const [chosen, setChosen] = useState(isShown(headline) ? headline : headlineOf(headlinePicker[0]));
  const choices = useChoices(farm);
  const { draft, missing } = choices.complete(chosen);
  return (
    <Dialog title={`Headline at place ${place}`} onClose={onClose}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null) onSave(draft);
        }}
      >
        <NativeSelect
          size="md"
          label="Show"
          data-autofocus
          value={draft.type}
          data={headlinePicker.map((type) => ({ value: type, label: kindLabels[type] }))}
          onChange={(event) => setChosen(headlineOf(event.currentTarget.value as HeadlineType))}
        />
        <HeadlineOptions headline={draft} choices={choices} onChange={setChosen} />
        {missing && (
          <p className={forms.text} role="status">
            {missing}
          </p>
        )}
        <Ways>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={missing !== null}>
            Save
          </Button>
        </Ways>
      </form>
    </Dialog>
  );
}
