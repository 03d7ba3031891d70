// Texts that server and browser share, without a schema: the browser carries this file.

export const FORBIDDEN_TEXT = "Sorry, you don't have permissions to access this page for the current farm.";
export const NOT_FOUND_TEXT = "Sorry, we couldn't find what you're looking for.";
/** The server answers, and can read and write nothing. */
export const DATABASE_AWAY_TEXT = 'The server has no connection to its database at the moment.';
/** The owner's subscription has ended. */
export const ACCOUNT_SUSPENDED_TEXT = 'Account Suspended';
/** The password was given by somebody else, who invited this person. */
export const NEW_PASSWORD_TEXT = 'Please choose a password of your own first.';
/** The account was made by an invitation or a key, and asks for a password where a session isn't enough. */
export const NO_PASSWORD_TEXT =
  'Your account has no password yet. Please set one first, by the link that "Forgot your password?" mails.';
/** The key of a mailed link for a new password is wrong, used or old. */
export const RESET_LINK_TEXT =
  "This link doesn't work: it may have been used, or is older than one hour. Please ask for a new link.";
/** Why an invitation can't be accepted. spec 1 §8 */
export const inviteFailures = {
  INVALID_KEY: 'Sorry, but this access key is invalid.',
  IS_SUBSCRIBER:
    "Sorry, but your account type doesn't support accepting account/farm sharing. Please, create an agent/contractor account to accept it.",
  ALREADY_USED: 'Sorry, but this access key has already been used.',
  ALREADY_SUBSCRIBED: 'Sorry, but you already subscribed to this farm/account.',
} as const;
export type InviteFailure = keyof typeof inviteFailures;

/** As the rows of the product have it, sic. spec 2 §5 */
export const backupNotFoundText = (uid: string): string => `Sorry, cant find the backup with UID ${uid}!`;
