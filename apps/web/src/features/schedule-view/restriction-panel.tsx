import { useState } from 'react';
import { Checkbox, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { GroupTake, groupTakes } from '@headrace/contract/restriction';
import { flag } from '@headrace/contract/permissions';
import { restricted, suggestStops } from '@headrace/contract/rules/schedule/restriction';
import { useCan } from '../../access/permissions.ts';
import { numberText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { HoldDialogHost } from '../holds/hold-dialog-host.tsx';
import { useHolds } from '../holds/holds.queries.ts';
import { RestrictionBegin } from './restriction-begin.tsx';
import { notConfirmedTexts, takeText } from './restriction-text.ts';
import { takesQuery } from './takes.queries.ts';
import classes from './schedule-view.module.css';

/** What a restriction of water would mean, and how far one that stands was carried out. */
export function RestrictionPanel({ farmUID }: { farmUID: string }) {
  const query = useQuery(takesQuery(farmUID));
  return (
    <Panel title="Low-flow restriction">
      <p className={classes.hint}>
        Sprinklers water by their own clock: trying this out stops nobody. Choose how much less may be taken,
        and see which groups would stop.
      </p>
      <Standing farmUID={farmUID} />
      <StateView
        query={query}
        failed="What the groups take couldn't be loaded"
        skeleton={<Skeleton blocks={6} blockPx={44} />}
        isEmpty={({ groups }) => groups.every(({ litresADay }) => litresADay === 0)}
        empty={
          <Empty title="No group takes water, by what its sprinklers hold and by the flow that they are set to give." />
        }
      >
        {(takes) => <Choice farmUID={farmUID} takes={takes} />}
      </StateView>
    </Panel>
  );
}

/** Holds that go on, and who has not said that it stopped. */
function Standing({ farmUID }: { farmUID: string }) {
  const { data: holds = [] } = useHolds(farmUID);
  const texts = notConfirmedTexts(holds);
  if (texts.length === 0) return null;
  return (
    <ul className={classes.standing} aria-label="Holds that go on">
      {texts.map((text) => (
        <li key={text} className="num">
          {text}
        </li>
      ))}
    </ul>
  );
}

interface ChoiceProps {
  farmUID: string;
  takes: ReplyOf<typeof groupTakes>;
}

function Choice({ farmUID, takes: { groups, shared } }: ChoiceProps) {
  const [percent, setPercent] = useState(20);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [held, setHeld] = useState<GroupTake | null>(null);
  const canHold = useCan({ anyOf: [flag('inhibitGroup')] }, farmUID);
  const share = percent / 100;
  const uids = groups.map(({ groupUID }) => groupUID);
  const stops = new Set(chosen ?? suggestStops(uids, shared, share));
  const told = restricted(shared, stops, share);
  const turn = (uid: string) =>
    setChosen([...stops].includes(uid) ? [...stops].filter((one) => one !== uid) : [...stops, uid]);
  return (
    <>
      <NumberInput
        label="Take less by, %"
        description="100: cease"
        value={percent}
        min={1}
        max={100}
        allowDecimal={false}
        w={200}
        onChange={(value) => {
          setPercent(Math.min(100, Math.max(1, Number(value) || 1)));
          setChosen(null);
        }}
      />
      <p role="status" className="num">
        {takeText(told, stops.size)}
      </p>
      <RestrictionBegin {...{ farmUID, stops, percent }} allowedLitres={told.allowedLitres} />
      <ul className={classes.stops} aria-label="Groups that stop">
        {groups
          .filter(({ litresADay }) => litresADay > 0)
          .map((group) => (
            <li key={group.groupUID}>
              <Checkbox
                label={`${group.name}: ${numberText(group.litresADay / 1000, 1)} m³ a day, ${numberText(group.sprinklers)} sprinklers${group.unknown > 0 ? `, ${numberText(group.unknown)} with an unknown schedule` : ''}`}
                checked={stops.has(group.groupUID)}
                onChange={() => turn(group.groupUID)}
              />
              {canHold && stops.has(group.groupUID) && (
                <PlainButton onClick={() => setHeld(group)} label={`Hold ${group.name}`}>
                  Hold
                </PlainButton>
              )}
            </li>
          ))}
      </ul>
      <p className={classes.hint}>
        A template without the groups that stop is the trimmed set: its form shows what would run before
        anything is sent. A hold of a group stops its sprinklers that are in others too; by such a template
        they water on for the others. Until every sprinkler has said so, walk the rest or close the pump.
      </p>
      {held && (
        <HoldDialogHost
          farmUID={farmUID}
          groupUID={held.groupUID}
          name={held.name}
          onClose={() => setHeld(null)}
        />
      )}
    </>
  );
}
