import type { Need, Right } from '@headrace/contract/permissions';

const rightText = (right: Right): string =>
  'flag' in right ? right.flag : `${right.resource} (${right.level})`;

/** What a call needs, for the pages of the API. */
export function needText(need: Need): string {
  if ('public' in need) return 'Needs nothing: anybody may call it.';
  if ('operator' in need) return "Needs the operator's token.";
  if ('staff' in need) return 'Needs an account of support staff.';
  if ('login' in need) return 'Needs an account.';
  if ('subscriber' in need)
    return need.paying
      ? 'Needs the account of a farm owner whose subscription hasn’t ended.'
      : 'Needs the account of a farm owner.';
  const rights = 'anyOf' in need ? need.anyOf : need.allOf;
  const which = rights.length === 1 ? 'this right' : 'anyOf' in need ? 'one of these rights' : 'these rights';
  return `Needs ${which} on the farm: ${rights.map(rightText).join(', ')}.`;
}
