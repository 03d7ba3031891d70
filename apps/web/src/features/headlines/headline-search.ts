import { useSearch } from '@tanstack/react-router';

/** What of the headlines stands in the address: that they are being edited, and the slot whose dialog is open. */
export interface HeadlineSearch {
  headlines?: 'edit' | undefined;
  slot?: string | undefined;
}

export const useHeadlineSearch = (): HeadlineSearch => useSearch({ strict: false });

/** For `<Link to="." search={...}>`: the same page with this part of the address changed. */
export const headlineSearch = (change: HeadlineSearch) =>
  ((before: object) => ({ ...before, ...change })) as never;

/** The id of the link that starts the editing. */
export const EDIT_LINK = 'edit-headlines';
