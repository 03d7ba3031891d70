import { useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { SearchResult } from '@headrace/contract/irrigation-devices';
import { byFarm } from './search-view-model.ts';
import { SearchResults } from './search-results.tsx';
import { SEARCH_FROM, SEARCH_MAX, searchQuery } from './search.queries.ts';
import { useOpenHit } from './use-open-hit.ts';
import classes from './search.module.css';

/** Typing is waited for, ms. */
const PAUSE_MS = 250;

export interface SearchBoxProps {
  field: RefObject<HTMLInputElement | null>;
  /** Fills a sheet: what is found stands below the box, not in front of the page. */
  isSheet?: boolean | undefined;
  /** Something was opened, or Escape was pressed with nothing typed. */
  onDone?: (() => void) | undefined;
}

/** A box in which devices of all farms are found by name, serial number or MAC, and what was found. */
export function SearchBox({ field, isSheet = false, onDone }: SearchBoxProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const wanted = text.trim();
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const query = useQuery(searchQuery(asked));
  const isAnswered = asked === wanted && query.data !== undefined;
  const farms = byFarm(isAnswered ? query.data : []);
  const hits = farms.flatMap((farm) => farm.hits);
  const open = useOpenHit();
  const isShown = isOpen && wanted !== '';
  const activeId = hits[active]?.id;

  useEffect(() => {
    if (activeId) document.getElementById(`${id}-${activeId}`)?.scrollIntoView?.({ block: 'nearest' });
  }, [id, activeId]);

  const change = (next: string) => {
    setText(next);
    setActive(0);
    setIsOpen(true);
  };
  const choose = (hit: SearchResult) => {
    change('');
    setIsOpen(false);
    field.current?.blur();
    onDone?.();
    open(hit);
  };
  /** First what was found goes, then what was typed, then the box. */
  const escape = () => {
    if (isShown && !isSheet) return setIsOpen(false);
    if (text !== '') return change('');
    field.current?.blur();
    onDone?.();
  };
  const press = (event: KeyboardEvent) => {
    const hit = hits[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setIsOpen(true);
      if (hits.length > 0)
        setActive((at) => (at + (event.key === 'ArrowDown' ? 1 : hits.length - 1)) % hits.length);
    } else if (event.key === 'Enter' && isShown && hit) choose(hit);
    else if (event.key === 'Escape') escape();
    else return;
    event.preventDefault();
    // A sheet closes by Escape itself, but only once nothing is typed.
    event.stopPropagation();
  };

  return (
    // Only so that what was found goes when the focus leaves the box and what was found.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="search"
      aria-label="Devices of all farms"
      className={classes.box}
      data-sheet={isSheet || undefined}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <div className={classes.field}>
        <IconSearch size={19} stroke={1.7} aria-hidden="true" />
        <input
          ref={field}
          data-autofocus={isSheet || undefined}
          type="text"
          role="combobox"
          aria-label="Search devices"
          aria-keyshortcuts="/"
          aria-expanded={isShown && hits.length > 0}
          aria-controls={`${id}-found`}
          aria-autocomplete="list"
          aria-activedescendant={isShown && activeId ? `${id}-${activeId}` : undefined}
          placeholder={isSheet ? 'Name, serial number or MAC' : 'Search devices'}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={SEARCH_MAX}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          onFocus={() => setIsOpen(true)}
          onKeyDown={press}
        />
        {text === '' ? (
          !isSheet && <kbd aria-hidden="true">/</kbd>
        ) : (
          <button
            type="button"
            aria-label="Clear the search"
            onClick={() => {
              change('');
              field.current?.focus();
            }}
          >
            <IconX size={18} aria-hidden="true" />
          </button>
        )}
      </div>
      {(isShown || (isSheet && wanted !== '')) && (
        <div className={classes.found}>
          <SearchResults
            id={id}
            wanted={wanted}
            isShort={wanted.length < SEARCH_FROM}
            isAnswered={isAnswered}
            failure={query.isError && asked === wanted ? query.error : null}
            retry={() => void query.refetch()}
            farms={farms}
            active={activeId}
            onChoose={choose}
          />
        </div>
      )}
    </div>
  );
}
