import type { FieldProps, RecordForm } from '../../forms/use-record-form.ts';
import type { TakeValues } from './take-values.ts';

type Lists = Pick<TakeValues, 'meters' | 'restrictions'>;

/** Fields of one line of a list in the form: `part` names it where its faults are told. */
export function fieldsOf<Name extends keyof Lists>(
  form: RecordForm<TakeValues>,
  list: Name,
  index: number,
  part: string,
) {
  type Line = Lists[Name][number];
  const lines = form.values[list] as Line[];
  const change = (patch: Partial<Line>) =>
    form.patch({
      [list]: lines.map((line, place) => (place === index ? { ...line, ...patch } : line)),
    });
  return {
    change,
    remove: () => form.patch({ [list]: lines.filter((_, place) => place !== index) }),
    field: <K extends keyof Line & string>(name: K): FieldProps<Line[K]> => ({
      name: `${part}.${name}`,
      value: (lines[index] as Line)[name],
      error: form.error(`${part}.${name}`),
      onChange: (value) => change({ [name]: value } as unknown as Partial<Line>),
      onBlur: () => form.touch(`${part}.${name}`),
    }),
  };
}
