import { useQuery } from '@tanstack/react-query';
import { countryCodes } from '@headrace/contract/rules/account-form';
import { SelectField, TextField } from '../../forms/fields.tsx';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';

const countryNames: Record<keyof typeof countryCodes, string> = { nz: 'New Zealand', au: 'Australia' };
const countries = ['nz', 'au'] as const;

type PhoneFieldProps = FieldProps<string> & { required?: boolean };

/** Country code of a phone number, of the countries that are enabled; one that the record has stays to be chosen. */
export function CountryCodeField({ required = true, ...props }: PhoneFieldProps) {
  const enabled = useQuery(globalSettingsQuery).data?.enabledCountryCodes ?? countries;
  const offered = countries.filter(
    (country) => enabled.includes(country) || String(countryCodes[country]) === props.value,
  );
  const options = offered.map((country) => ({
    value: String(countryCodes[country]),
    label: `${countryNames[country]} (+${countryCodes[country]})`,
  }));
  return (
    <SelectField
      {...props}
      label="Country code"
      required={required}
      autoComplete="tel-country-code"
      options={[{ value: '', label: 'Choose…' }, ...options]}
    />
  );
}

/** A mobile number without its country code. Numbers are written with blanks; only the digits are kept. */
export function MobileField({ required = true, onChange, ...props }: PhoneFieldProps) {
  return (
    <TextField
      {...props}
      onChange={(typed) => onChange(typed.replace(/[\s().-]/g, ''))}
      label="Mobile"
      required={required}
      inputMode="tel"
      autoComplete="tel-national"
      maxLength={40}
      hint="8 to 10 digits, without the country code."
    />
  );
}
