import { useSyncExternalStore } from 'react';
import { TOAST_MS } from '@headrace/contract/limits';

export type ToastKind = 'success' | 'error' | 'action' | 'loading' | 'live' | 'notice';
export interface ToastAction {
  label: string;
  run: () => void;
}
export interface Toast {
  id: string;
  kind: ToastKind;
  text: string;
  /** ms; null stays until it is closed. */
  durationMs: number | null;
  /** A button beside the text; pressing it closes the toast. */
  action?: ToastAction | undefined;
  /** Bumped by every change, so that its time starts again. */
  version: number;
}
export interface ToastOptions {
  /** The same id replaces the toast that is there. */
  id?: string;
  /** ms instead of the kind's own; null stays until closed. */
  durationMs?: number | null;
  action?: ToastAction;
}

let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(kind: ToastKind, text: string, { id, durationMs, action }: ToastOptions = {}): string {
  made += 1;
  const own = kind === 'notice' ? null : TOAST_MS[kind];
  const toast: Toast = {
    id: id ?? `toast-${made}`,
    kind,
    text,
    durationMs: durationMs === undefined ? own : durationMs,
    action,
    version: made,
  };
  const isThere = toasts.some((other) => other.id === toast.id);
  change(isThere ? toasts.map((other) => (other.id === toast.id ? toast : other)) : [...toasts, toast]);
  return toast.id;
}

/** Short messages at the top right. Each returns its id, with which it can be replaced or closed. */
export const toast = {
  success: (text: string, options?: ToastOptions) => show('success', text, options),
  error: (text: string, options?: ToastOptions) => show('error', text, options),
  action: (text: string, options?: ToastOptions) => show('action', text, options),
  loading: (text: string, options?: ToastOptions) => show('loading', text, options),
  live: (text: string, options?: ToastOptions) => show('live', text, options),
  /** Stays for as long as what it says is so. */
  notice: (text: string, options?: ToastOptions) => show('notice', text, options),
  isShown: (id: string) => toasts.some((other) => other.id === id),
  /** With a version, only while the toast is still that one. */
  close: (id: string, version?: number) => {
    const gone = toasts.find((other) => other.id === id && (version ?? other.version) === other.version);
    if (gone) change(toasts.filter((other) => other !== gone));
  },
  clear: () => change([]),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}
