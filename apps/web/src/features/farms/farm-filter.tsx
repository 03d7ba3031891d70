import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import classes from './home.module.css';

export interface FarmFilterProps {
  q: string;
  show: 'attention' | undefined;
  /** How many farms need attention. */
  attention: number;
}

export function FarmFilter({ q, show, attention }: FarmFilterProps) {
  const patch = useSearchPatch<{ q: string | undefined; show: 'attention' | undefined }>();
  return (
    <div className={classes.filter}>
      <TextInput
        type="search"
        aria-label="Search farms"
        placeholder="Search farms"
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden="true" />}
        value={q}
        onChange={(event) => patch({ q: event.currentTarget.value || undefined }, { replace: true })}
        className={classes.search}
      />
      <button
        type="button"
        className={classes.chip}
        aria-pressed={show === 'attention'}
        onClick={() => patch({ show: show ? undefined : 'attention' })}
      >
        <ConditionDot condition="caution" label={null} />
        <span className="num">Needs attention ({attention})</span>
      </button>
    </div>
  );
}
