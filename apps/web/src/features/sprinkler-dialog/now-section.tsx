import { useId, useState } from 'react';
import { Button } from '@mantine/core';
import { IconDropletOff } from '@tabler/icons-react';
import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import { exactTime } from '../../ui/format.ts';
import { useNow } from '../../ui/clock.ts';
import { UnitDot } from '../../device-records/unit-dot.tsx';
import { unitLook } from '../../device-records/unit-view-model.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Evidence } from './evidence.tsx';
import { nowSentence } from './now-labels.ts';
import { SentOutcomes } from './sent-outcome.tsx';
import { useInfoOncePainted } from './sprinkler-info.queries.ts';
import type { UnitCommands } from './use-unit-commands.ts';
import classes from './sprinkler-dialog.module.css';

interface NowSectionProps {
  farmUID: string;
  unit: MapUnit;
  zone: Timezone | null;
  commands: UnitCommands;
}

/** What its valve does, as far as is known, on what that rests, and the way to close it. */
export function NowSection({ farmUID, unit, zone, commands }: NowSectionProps) {
  const now = useNow();
  const id = useId();
  const [isWhy, setIsWhy] = useState(false);
  const state = unit.belief?.state ?? 'closed';
  const isOpen = state === 'open' || state === 'mayBeOpen' || state === 'openOverdue';
  return (
    <section className={classes.now} aria-label="Now" data-state={state}>
      <div className={classes.nowLine}>
        {isOpen && <UnitDot condition="watering" look={unitLook(unit)} label={null} size={22} />}
        <p>{nowSentence(unit, zone, now)}</p>
      </div>
      <div className={classes.nowWays}>
        {isOpen && (
          <CommandButton
            why={commands.whyNot('ValveOff')}
            isBusy={commands.isSending('ValveOff')}
            isMain
            icon={<IconDropletOff size={18} stroke={1.7} aria-hidden="true" />}
            onPress={() => commands.send('ValveOff')}
            onRefused={(why) => commands.refuse('Valve Off', why)}
          >
            Valve Off
          </CommandButton>
        )}
        <Button
          variant="default"
          mih={44}
          aria-expanded={isWhy}
          aria-controls={id}
          onClick={() => setIsWhy((is) => !is)}
        >
          Why?
        </Button>
      </div>
      <StopWanted {...{ farmUID, unit, zone }} />
      <SentOutcomes farmUID={farmUID} commands={commands} of={(command) => command === 'ValveOff'} />
      <div id={id}>{isWhy && <Evidence {...{ farmUID, unit, zone }} />}</div>
    </section>
  );
}

/** A person stopped it, and it has not said so yet: wanted, and not known to be so. */
function StopWanted({ farmUID, unit, zone }: Pick<NowSectionProps, 'farmUID' | 'unit' | 'zone'>) {
  const { data: info } = useInfoOncePainted(unit.id, farmUID);
  const since = info?.stopWanted ?? null;
  if (since === null || unit.isInhibited) return null;
  return (
    <p className={classes.note}>
      Stop wanted since {exactTime(since, zone)}. It has not said yet that it is inhibited. Headrace sends it
      nothing that lets it water until it is uninhibited, unless that is meant.
    </p>
  );
}
