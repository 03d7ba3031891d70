import type { ReactNode } from 'react';
import type { FarmCard, FarmSummary } from '@headrace/contract/farms';
import { stressBandsOf } from '@headrace/contract/rules/settings-farms';
import { type TensionLook, tensionLook } from '@headrace/contract/rules/soil-moisture';
import { Age } from '../../ui/age.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { useSettings } from '../../preferences/settings.queries.ts';
import type { SummaryState } from './farm-card.tsx';
import classes from './farm-figures.module.css';

/** How full, how much flows and how dry: of each the device that one would look at first, with its name and age. */
export function Figures({ farm, state }: { farm: FarmCard; state: SummaryState }) {
  const settings = useSettings();
  if (typeof state === 'string') return null;
  const { lowestTank, flow, driestSite, tanks, meters, sites } = state.summary;
  if (!lowestTank && !flow && !driestSite) return null;
  const look = driestSite && tensionLook(stressBandsOf(settings, farm._id, driestSite._id), driestSite.kpa);
  return (
    <dl className={classes.figures}>
      {lowestTank && (
        <Figure of={lowestTank} title={tanks > 1 ? 'Lowest tank' : 'Tank'}>
          <Quantity value={lowestTank.percent} unit="%" />
        </Figure>
      )}
      {flow && (
        <Figure of={flow} title={meters > 1 ? 'Most flow' : 'Flow'}>
          <Quantity
            value={flow.litresPerSecond}
            unit="L/s"
            digits={flow.litresPerSecond > 0 && flow.litresPerSecond < 1 ? 2 : 1}
          />
        </Figure>
      )}
      {driestSite && (
        <Figure of={driestSite} title={sites > 1 ? 'Driest soil' : 'Soil'} look={look}>
          <Quantity value={driestSite.kpa} unit="kPa" />
        </Figure>
      )}
    </dl>
  );
}

type Reading = Pick<NonNullable<FarmSummary['flow']>, 'name' | 'at'>;

interface FigureProps {
  of: Reading;
  title: string;
  look?: TensionLook | null | undefined;
  children: ReactNode;
}

function Figure({ of: { name, at }, title, look, children }: FigureProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <b>
          {look && <i className={classes.drop} style={{ background: look.colour }} aria-hidden="true" />}
          {children}
        </b>
        <span className={classes.name}>{look?.label ? `${look.label} · ${name}` : name}</span>
        <Age at={at} />
      </dd>
    </div>
  );
}
