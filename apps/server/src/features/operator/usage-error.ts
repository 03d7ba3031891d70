/** A mistake in what the operator typed: shown as it is. */
export class UsageError extends Error {}

/** Some of it could not be done: shown as it is, and the program ends with 1. */
export class PartlyDone extends Error {}
