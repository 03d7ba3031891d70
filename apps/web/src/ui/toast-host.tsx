import { useEffect, useRef, useState } from 'react';
import type { Condition } from './tokens.ts';
import { ConditionDot } from './condition-dot.tsx';
import { toast, useToasts, type Toast, type ToastAction, type ToastKind } from './toasts.ts';
import { useToastSpot } from './use-toast-spot.ts';
import classes from './toasts.module.css';

const signs: Record<Exclude<ToastKind, 'loading'>, Condition> = {
  success: 'ok',
  error: 'issue',
  action: 'watering',
  live: 'caution',
  notice: 'caution',
};

/**
 * Where toasts appear: top right, newest below, beside what can be pressed there. Always in the page, so that screen readers
 * hear the first one too.
 */
export function ToastHost() {
  const toasts = useToasts();
  const host = useRef<HTMLElement>(null);
  const spot = useToastSpot(host, toasts.length > 0);
  return (
    <section
      ref={host}
      className={classes.host}
      style={spot ? { top: spot.top, right: spot.right } : undefined}
      aria-label="Messages"
      aria-live="polite"
    >
      {toasts.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
    </section>
  );
}

function ActionButton({ id, action }: { id: string; action: ToastAction }) {
  const press = () => {
    toast.close(id);
    action.run();
  };
  return (
    <button type="button" className={classes.action} onClick={press}>
      {action.label}
    </button>
  );
}

function ToastCard({ item }: { item: Toast }) {
  const [isHeld, setIsHeld] = useState(false);
  const { id, durationMs, version } = item;
  useEffect(() => {
    if (durationMs === null || isHeld) return undefined;
    const timer = setTimeout(() => toast.close(id, version), durationMs);
    return () => clearTimeout(timer);
  }, [id, durationMs, version, isHeld]);
  const hold = () => setIsHeld(true);
  const release = () => setIsHeld(false);
  return (
    // Held while it is pointed at or has the focus: nobody has to read against the clock.
    <div
      className={classes.toast}
      data-kind={item.kind}
      role={item.kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {item.kind === 'loading' ? (
        <span className={classes.spinner} aria-hidden="true" />
      ) : (
        <ConditionDot condition={signs[item.kind]} size={18} label={null} />
      )}
      <span className={classes.text}>{item.text}</span>
      {item.action && <ActionButton id={id} action={item.action} />}
      <button
        type="button"
        className={classes.close}
        aria-label="Close message"
        onClick={() => toast.close(id)}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M3 3l10 10M13 3L3 13" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
        </svg>
      </button>
    </div>
  );
}
