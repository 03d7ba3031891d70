import { describe, expect, it } from 'vitest';
import { validateTlm } from './tlm-form.ts';

const good = {
  name: 'Ann Lee',
  email: 'ann@farm.co.nz',
  countryCode: 64,
  mobile: '0211234567',
  farmName: 'Hill farm',
  tanks: 3,
};

describe('the form that asks for tank telemetry', () => {
  it('passes what can be answered', () => {
    expect(validateTlm(good)).toEqual({});
    expect(validateTlm({ ...good, tanks: '1000', notes: 'Two are new.\nOne is old.' })).toEqual({});
  });

  it.each([
    [{ name: 'An' }, { name: 'Name must have at least 3 characters.' }],
    [{ email: 'ann' }, { email: 'E-mail must be an e-mail address.' }],
    [{ countryCode: 1 }, { countryCode: 'Please choose a country code: 64 or 61.' }],
    [{ mobile: '123' }, { mobile: 'Invalid mobile number.' }],
    [{ farmName: ' ' }, { farmName: 'Farm name is required.' }],
    [{ tanks: 0 }, { tanks: 'Number of tanks is required.' }],
    [{ tanks: '1.5' }, { tanks: 'Number of tanks must be a whole number.' }],
    [{ tanks: 1001 }, { tanks: "Number of tanks can't be more than 1000." }],
  ])('%j is said by field', (wrong, fieldErrors) => {
    expect(validateTlm({ ...good, ...wrong })).toEqual(fieldErrors);
  });
});
