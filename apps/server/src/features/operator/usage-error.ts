/** A mistake in what the operator typed: shown as it is. */
export class UsageError extends Error {}
