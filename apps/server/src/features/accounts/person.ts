import { validatePerson } from '@headrace/contract/rules/account-form';
import { invalid } from '../../http/errors.ts';

type Person = Parameters<typeof validatePerson>[0];

/** Throws the form's sentence for the first field that is wrong. */
export function refuseWrong(person: Person): void {
  const [first] = Object.entries(validatePerson(person));
  if (first) throw invalid(first[1], first[0]);
}

/** As typed, but for blanks around it; an address in small letters. */
export function personColumns(person: Person) {
  return {
    name: person.name.trim(),
    email: person.email.trim().toLowerCase(),
    country_code: Number(person.countryCode),
    mobile: person.mobile.trim(),
    notes: (person.notes ?? '').trim(),
  };
}
