import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Api } from '@headrace/contract/api';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useSelectFarm } from '../../farm/current-farm.ts';
import { useCloseSession } from './close-session.ts';
import { minutesLeft } from './minutes-left.ts';
import { OpenSession } from './open-session.tsx';
import { supportFarmsQuery } from './support.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './support.module.css';

/** The search goes out this long after the last key, ms. */
const TYPING_MS = 250;

/** `/support`: farms for the operator's staff, and sessions with all rights on one of them. */
export function SupportPage() {
  const { q = '' } = useSearch({ from: '/support' });
  const patch = useSearchPatch<{ q: string | undefined }>();
  const [wanted] = useDebouncedValue(q.trim(), TYPING_MS);
  const query = useQuery(supportFarmsQuery(wanted));
  return (
    <>
      <TitleBar
        title="Support"
        subtitle="You can look at every farm; its owner reads of it in the access log. To change something, open a session."
        back="/"
      />
      <TextInput
        className={classes.search ?? ''}
        type="search"
        aria-label="Search farms of all owners"
        placeholder="Farm, owner or e-mail begins with…"
        value={q}
        maxLength={100}
        onChange={(event) => patch({ q: event.currentTarget.value || undefined }, { replace: true })}
      />
      <StateView
        query={query}
        failed="The farms couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={76} />}
        isEmpty={(farms) => farms.length === 0}
        empty={
          <Empty title={wanted === '' ? 'No session is open.' : 'No farm begins like this.'}>
            Type how the name of a farm, of its owner or the owner's e-mail begins.
          </Empty>
        }
      >
        {(farms) => <Farms farms={farms} />}
      </StateView>
    </>
  );
}

type Farm = Api['GET /support/farms']['reply']['farms'][number];

function Farms({ farms }: { farms: readonly Farm[] }) {
  const [opening, setOpening] = useState<Farm | null>(null);
  return (
    <>
      <ul className={classes.farms} aria-label="Farms">
        {farms.map((farm) => (
          <FarmRow key={farm.farmUID} farm={farm} onOpen={() => setOpening(farm)} />
        ))}
      </ul>
      {opening && <OpenSession farm={opening} onClose={() => setOpening(null)} />}
    </>
  );
}

function FarmRow({ farm, onOpen }: { farm: Farm; onOpen: () => void }) {
  const now = useNow();
  const close = useCloseSession();
  const navigate = useNavigate();
  const select = useSelectFarm();
  const until = farm.sessionUntil === null ? 0 : Date.parse(farm.sessionUntil);
  const isOpen = until > now;
  const goThere = () => {
    select(farm.farmUID);
    void navigate({ to: '/dashboard' });
  };
  return (
    <li className={classes.farm}>
      <div className={classes.about}>
        <span className={classes.name}>{farm.name}</span>
        <span className={classes.owner}>
          {farm.ownerName}, {farm.ownerEmail}
        </span>
        {isOpen && (
          <span className={classes.open}>
            <ConditionDot condition="caution" label={null} />
            <span className="num">
              Session open until {exactTime(until)} ({minutesLeft(until, now)})
            </span>
          </span>
        )}
      </div>
      <div className={classes.ways}>
        {isOpen ? (
          <>
            <PlainButton onClick={goThere}>Go to {farm.name}</PlainButton>
            <Button
              variant="default"
              aria-disabled={close.isPending}
              onClick={() => !close.isPending && close.mutate(farm.farmUID)}
            >
              {close.isPending ? 'Closing…' : 'Close session'}
            </Button>
          </>
        ) : (
          <PlainButton onClick={onOpen}>
            Open a session<span className={classes.spoken}> on {farm.name}</span>
          </PlainButton>
        )}
      </div>
    </li>
  );
}
