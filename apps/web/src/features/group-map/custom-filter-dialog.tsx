import { useState, type FormEvent } from 'react';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { atLeast, isNumber } from '@headrace/contract/rules/form-rules';
import { customConditions, customProps, type CustomFilter } from '@headrace/contract/rules/sprinkler-filter';
import { Dialog } from '../../forms/dialog.tsx';
import { ChoiceField } from '../../forms/fields.tsx';
import { conditionTypeLabels, propLabels } from './group-filter.ts';
import classes from './group-map.module.css';

export interface CustomFilterDialogProps {
  isOpen: boolean;
  filter: CustomFilter;
  onApply: (filter: CustomFilter) => void;
  onClose: () => void;
}

/** Which units the filter Custom shows. */
export default function CustomFilterDialog({ isOpen, onClose, ...rest }: CustomFilterDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Custom filter properties">
      <FilterForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

const props = Object.values(customProps);
const types = Object.values(customConditions);

function FilterForm({ filter, onApply, onClose }: Omit<CustomFilterDialogProps, 'isOpen'>) {
  const [prop, setProp] = useState(filter.prop);
  const [type, setType] = useState(filter.conditionType);
  const [text, setText] = useState(String(filter.propValue));
  const [isTried, setIsTried] = useState(false);
  const fieldError = validateValue(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (fieldError === null) onApply({ prop, conditionType: type, propValue: Number(text) });
  };
  return (
    <form className={classes.customForm} onSubmit={submit} noValidate>
      <ChoiceField
        name="property"
        label="Property"
        value={String(prop)}
        error={undefined}
        options={props.map((value) => ({ value: String(value), label: propLabels[value].name }))}
        onChange={(value) => setProp(pick(props, value))}
        onBlur={() => undefined}
      />
      <NativeSelect
        size="md"
        label="Condition"
        value={String(type)}
        data={types.map((value) => ({ value: String(value), label: conditionTypeLabels[value] }))}
        onChange={(event) => setType(pick(types, event.currentTarget.value))}
      />
      <TextInput
        size="md"
        label={
          <>
            Value <span className="unit">{propLabels[prop].unit}</span>
          </>
        }
        inputMode="decimal"
        autoComplete="off"
        value={text}
        error={isTried ? fieldError : null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.dialogButtons}>
        <Button variant="default" size="md" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="md">
          Apply
        </Button>
      </div>
    </form>
  );
}

function validateValue(text: string): string | null {
  if (text.trim() === '') return 'Value is required.';
  return isNumber('Value')(text) ?? atLeast('Value', 0)(text);
}

function pick<T extends number>(choices: readonly T[], value: string): T {
  const found = choices.find((choice) => String(choice) === value) ?? choices[0];
  if (found === undefined) throw new Error('Nothing to choose from');
  return found;
}
