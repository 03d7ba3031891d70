import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { validatePerson, EMAIL_TAKEN_TEXT } from '@headrace/contract/rules/account-form';
import { customAsync } from '@headrace/contract/rules/form-rules';
import { ApiError, call } from '../../api/client.ts';

const DEBOUNCE_MS = 400;

const registeredQuery = (email: string) =>
  queryOptions({
    queryKey: ['is-registered', email],
    queryFn: async ({ signal }) =>
      (await call('GET /account/is-registered', { query: { email }, signal })).registered,
    staleTime: 30_000,
    retry: false,
  });

const isEmail = (email: string) =>
  validatePerson({ name: '', email, countryCode: null, mobile: '' }).email === undefined;

/** While an address is typed: EMAIL_TAKEN_TEXT when it has an account; nothing while it isn't known. */
export function useEmailCheck(typed: string): string | undefined {
  const email = typed.trim();
  const [wanted] = useDebouncedValue(email, DEBOUNCE_MS);
  const isWanted = wanted === email && isEmail(email);
  const { data } = useQuery({ ...registeredQuery(wanted), enabled: isWanted });
  return isWanted && data ? EMAIL_TAKEN_TEXT : undefined;
}

const validateTaken = customAsync(
  EMAIL_TAKEN_TEXT,
  async (email) =>
    !(await call('GET /account/is-registered', { query: { email: String(email).trim() } })).registered,
);

/** Before a step is left: fails at the e-mail field when the address has an account. */
export async function refuseTaken(email: string): Promise<void> {
  const fieldError = await validateTaken(email);
  if (fieldError) throw new ApiError(409, { errorMessage: fieldError, field: 'email' });
}
