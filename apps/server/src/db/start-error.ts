/** Why the server can't start, in one sentence with the remedy: shown to the operator as it is. */
export class StartError extends Error {}
