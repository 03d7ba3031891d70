import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useCan } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { LetterEntry } from './letter-entry.tsx';
import { lettersQuery } from './letters.queries.ts';
import { useReplay } from './use-replay.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './letters.module.css';

const TITLE = 'Messages that were not taken';

/** On the page of a device or gateway: there only while something of it was not taken. */
export function DeviceLetters({ farmUID, mac: written }: { farmUID: string; mac: string }) {
  const mac = written.replaceAll(/[^0-9A-Fa-f]/g, '');
  const canRead = useCan(needs.readLetters, farmUID);
  const { data } = useQuery({ ...lettersQuery(farmUID, mac), enabled: canRead && mac !== '' });
  if (!data?.letters.some(({ count }) => count > 0)) return null;
  return <Letters farmUID={farmUID} mac={mac} />;
}

/** Of the whole farm. */
export function FarmLetters({ farmUID }: { farmUID: string }) {
  return <Letters farmUID={farmUID} />;
}

function Letters({ farmUID, mac }: { farmUID: string; mac?: string }) {
  const query = useQuery(lettersQuery(farmUID, mac));
  const canReplay = useCan(needs.replayLetters, farmUID);
  const zone = useFarmZone(farmUID);
  const replay = useReplay(farmUID);
  const open = query.data?.letters.filter(({ count, kept, held }) => count > 0 && kept > 0 && !held) ?? [];
  return (
    <Panel title={TITLE}>
      <StateView
        query={query}
        failed="The messages couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={64} />}
        isEmpty={({ letters }) => letters.length === 0}
        empty={
          <Empty title="All messages were taken.">
            What a device says and can't be used stands here, with the reason.
          </Empty>
        }
      >
        {({ letters, more, keptDays }) => (
          <>
            {canReplay && mac === undefined && open.length > 1 && (
              <PlainButton onClick={() => replay.mutate(undefined)} disabled={replay.isPending}>
                {replay.isPending ? 'Trying all…' : 'Try all again'}
              </PlainButton>
            )}
            <ol className={classes.list}>
              {letters.map((letter) => (
                <LetterEntry
                  key={letter._id}
                  farmUID={farmUID}
                  letter={letter}
                  zone={zone}
                  canReplay={canReplay}
                />
              ))}
            </ol>
            <p className={classes.note}>
              {more && `Only the newest ${letters.length} reasons are listed. `}
              What no longer happens is listed for {keptDays} days.
            </p>
          </>
        )}
      </StateView>
    </Panel>
  );
}
