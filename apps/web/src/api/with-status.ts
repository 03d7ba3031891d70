import { ApiError } from './client.ts';

/** "Failed to update sensor. (409)": the specification's words, without their last full stop here. spec 1 §8 */
export const withStatus = (text: string, error: unknown): string => {
  const status = error instanceof ApiError ? error.status : 0;
  return status === 0 ? `${text}: no connection.` : `${text}. (${status})`;
};
