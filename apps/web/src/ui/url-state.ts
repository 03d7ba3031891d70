import { useCallback } from 'react';
import { useNavigate } from '@tanstack/react-router';

/** Readers of search parameters: what isn't understood is as if it weren't there. */
export type Search = Record<string, unknown>;

export function textParam(value: unknown, maxLength = 200): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= maxLength ? value : undefined;
}

export function uidParam(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value) ? value : undefined;
}

export function oneOfParam<const T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((name) => name === value);
}

/** A calendar day as YYYY-MM-DD. */
export function dayParam(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const at = Date.parse(`${value}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== value ? undefined : value;
}

/** Plain `?name=text`: every value is text, so a serial number of digits stays what it is. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Search): string {
  const given = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/**
 * Changes some search parameters of the page one is on and keeps the rest; `undefined` takes one away. What opens
 * something (a dialog, a tab) is pushed so that Back closes it; what refines a view (typing) replaces.
 */
export function useSearchPatch<T extends object>(): (
  patch: Partial<T>,
  options?: { replace?: boolean },
) => void {
  const navigate = useNavigate();
  return useCallback(
    (patch, options) => {
      void navigate({
        to: '.',
        search: ((before: Search) => ({ ...before, ...patch })) as never,
        replace: options?.replace ?? false,
        resetScroll: false,
      });
    },
    [navigate],
  );
}
