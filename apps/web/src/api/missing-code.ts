/**
 * A piece of the app's code did not come: the network failed, or it is of an older build and gone from the server, which only a fresh
 * page knows by its new name.
 */
export const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|unable to preload css/i.test(error.message);

export const MISSING_CODE_TEXT =
  "This part of the app didn't arrive. Please check the connection and try again.";
