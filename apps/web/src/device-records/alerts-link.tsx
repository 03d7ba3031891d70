import { Link } from '@tanstack/react-router';
import type { Incident } from '@headrace/contract/alerts';

/** How many alerts are open, where their list could not be loaded. */
export function AlertsLink({ open, label }: { open: readonly Incident[]; label?: string | undefined }) {
  const [first] = open;
  if (!first) return null;
  const search = open.length === 1 ? { farm: first.farmUID, incident: first.uid } : { farm: first.farmUID };
  return (
    <Link to="/alerts" search={search} aria-label={label}>
      {open.length} open {open.length === 1 ? 'alert' : 'alerts'}
    </Link>
  );
}
