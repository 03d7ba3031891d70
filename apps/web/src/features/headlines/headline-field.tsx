import { NativeSelect } from '@mantine/core';

export interface Choice {
  value: string;
  label: string;
}

interface FieldProps {
  label: string;
  value: string;
  data: readonly Choice[];
  onChange: (value: string) => void;
}
export const Field = ({ data, onChange, ...rest }: FieldProps) => (
  <NativeSelect
    {...rest}
    size="md"
    data={[...data]}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
