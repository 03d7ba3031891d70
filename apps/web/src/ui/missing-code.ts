/**
 * A piece of the app's code did not come: the network failed, or it is of an older build and gone from the server. Only a fresh page
 * asks for it again, and by its new name.
 */
export const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|unable to preload css/i.test(error.message);
