import type { SearchResult } from '@headrace/contract/irrigation-devices';
import { errorText } from '../../api/client.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { RetryButton } from '../../ui/state-view.tsx';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { type FarmHits, hitStanding, kindOf } from './search-view-model.ts';
import classes from './search.module.css';

export interface SearchResultsProps {
  id: string;
  wanted: string;
  /** Too little is typed to look for. */
  isShort: boolean;
  isAnswered: boolean;
  failure: Error | null;
  retry: () => void;
  farms: readonly FarmHits[];
  /** Id of the hit that Enter opens. */
  active: string | undefined;
  onChoose: (hit: SearchResult) => void;
}

/** What was found, by farm; or why there is nothing to see. */
export function SearchResults(props: SearchResultsProps) {
  const { id, farms, active, onChoose } = props;
  if (farms.length === 0) return <Nothing {...props} />;
  return (
    <div role="listbox" id={`${id}-found`} aria-label="Devices found">
      {farms.map(({ farmUID, farm, hits }) => (
        <div key={farmUID} role="group" aria-labelledby={`${id}-${farmUID}`}>
          <div id={`${id}-${farmUID}`} className={classes.farm}>
            {farm}
          </div>
          {hits.map((hit) => (
            <Hit
              key={hit.id}
              id={`${id}-${hit.id}`}
              hit={hit}
              isActive={hit.id === active}
              onChoose={() => onChoose(hit)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function Nothing({ wanted, isShort, isAnswered, failure, retry }: SearchResultsProps) {
  if (failure)
    return (
      <div role="alert" className={classes.notice}>
        <p>The search failed: {errorText(failure)}</p>
        <RetryButton onClick={retry} isBusy={false} />
      </div>
    );
  return (
    <p role="status" className={classes.notice}>
      {isShort
        ? 'Type one more letter or digit.'
        : isAnswered
          ? `Nothing found for “${wanted}”.`
          : 'Searching…'}
    </p>
  );
}

interface HitProps {
  id: string;
  hit: SearchResult;
  isActive: boolean;
  onChoose: () => void;
}

function Hit({ id, hit, isActive, onChoose }: HitProps) {
  const { condition, label } = hitStanding(hit);
  const kind = kindOf(hit);
  const facts = [kind && deviceKinds[kind].one, hit.serial, hit.groups.join(', ')];
  return (
    // The keyboard moves by the box's arrow keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.hit}
      // The box keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <ConditionDot condition={condition} size={17} label={null} />
      <span className={classes.text}>
        <b>{hit.name}</b>
        <span>{facts.filter(Boolean).join(' · ')}</span>
      </span>
      <span className={classes.state}>{label}</span>
    </div>
  );
}
