import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { logFilters, type LogFilter } from './command-labels.ts';

/** What the command log keeps in its address. */
export interface CommandsSearch {
  show?: string | undefined;
  /** The command whose details are open. */
  command?: string | undefined;
}

export const readLogFilter = (show: string | undefined): LogFilter =>
  logFilters.find((filter) => filter === show) ?? 'all';

/** For `<Link to="." search={...}>`: the log with a command's details open. */
export function openCommand(command: string) {
  return {
    to: '.',
    search: ((before: object) => ({ ...before, command })) as never,
    state: { opened: true },
    resetScroll: false,
  } as const;
}

export function useCommandDrawer(): { id: string | undefined; close: () => void } {
  const { command } = useSearch({ strict: false }) as CommandsSearch;
  const navigate = useNavigate();
  const router = useRouter();
  const close = () => {
    if (router.state.location.state.opened) router.history.back();
    else {
      const search = ((before: object) => ({ ...before, command: undefined })) as never;
      void navigate({ to: '.', search, replace: true, resetScroll: false });
    }
  };
  return { id: command, close };
}
