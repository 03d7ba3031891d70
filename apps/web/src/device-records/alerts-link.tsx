import { Link } from '@tanstack/react-router';
import type { Incident } from '@headrace/contract/alerts';

interface Props {
  open: readonly Incident[];
  /** There are more than these. */
  isCut?: boolean | undefined;
  label?: string | undefined;
}

/** How many alerts are open, where their list could not be loaded. */
export function AlertsLink({ open, isCut = false, label }: Props) {
  const [first] = open;
  if (!first) return null;
  const search = open.length === 1 ? { farm: first.farmUID, incident: first.uid } : { farm: first.farmUID };
  return (
    <Link to="/alerts" search={search} aria-label={label}>
      {isCut && 'At least '}
      {open.length} open {open.length === 1 ? 'alert' : 'alerts'}
    </Link>
  );
}
