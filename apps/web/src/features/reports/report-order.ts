import type { Made } from '@headrace/paper/made';
import type { CommsData } from '@headrace/paper/reports/comms-report';
import type { HealthData } from '@headrace/paper/reports/health-report';
import type { ProofData } from '@headrace/paper/reports/proof-report';
import type { StatusData } from '@headrace/paper/reports/status-report';

/** What a report is made from; plain data, so that a worker can make it. */
export type ReportOrder = { readonly made: Made } & (
  | { readonly kind: 'status'; readonly data: StatusData }
  | { readonly kind: 'health'; readonly data: HealthData }
  | { readonly kind: 'comms'; readonly data: CommsData }
  | { readonly kind: 'proof'; readonly data: ProofData }
);
