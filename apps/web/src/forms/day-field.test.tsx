import { useState } from 'react';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { DayField, readDay, writeDay } from './day-field.tsx';

test.each([
  ['31/12/2027', '2027-12-31'],
  ['1/2/2027', '2027-02-01'],
  ['01-02-2027', '2027-02-01'],
  [' 01.02.2027 ', '2027-02-01'],
  ['29/02/2028', '2028-02-29'],
  ['29/02/2027', '29/02/2027'],
  ['12/31/2027', '12/31/2027'],
  ['2027-12-31', '2027-12-31'],
  ['31/12/27', '31/12/27'],
  ['soon', 'soon'],
  ['', ''],
])('%j is read as %j', (text, day) => {
  expect(readDay(text)).toBe(day);
});

test('a stored day is written day first', () => {
  expect([writeDay('2027-03-04'), writeDay(''), writeDay('soon')]).toEqual(['04/03/2027', '', 'soon']);
});

test('what is typed stays as it is typed, and is handed on as a day', async () => {
  const days: string[] = [];
  function Form() {
    const [day, setDay] = useState('2027-03-31');
    const change = (next: string) => {
      days.push(next);
      setDay(next);
    };
    const field = { name: 'day', label: 'Last day', error: undefined, onBlur: () => undefined };
    return <DayField {...field} value={day} onChange={change} />;
  }
  const user = userEvent.setup();
  render(
    <MantineProvider>
      <Form />
    </MantineProvider>,
  );
  const field = screen.getByLabelText<HTMLInputElement>('Last day');
  expect(field.value).toBe('31/03/2027');
  await user.clear(field);
  await user.type(field, '1/2/2028');
  expect(field.value).toBe('1/2/2028');
  expect(days.at(-1)).toBe('2028-02-01');
});
