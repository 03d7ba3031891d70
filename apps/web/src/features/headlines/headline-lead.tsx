import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { farmPatch } from '@headrace/contract/rules/settings-farms';
import { useCan } from '../../access/permissions.ts';
import { cardAnchor } from '../../ui/card-frame.tsx';
import { saveSettings } from '../../preferences/settings.queries.ts';
import { openTank } from '../tanks/tank-search.ts';
import type { Headline } from './headline-configs.ts';
import type { Leads } from './headline-tile.tsx';

/** The sensor's page, with this metric's chart open. */
const openSeries = (farmUID: string, deviceId: string, said: string) =>
  ({
    to: '/sensor-device/$farmUID/$id',
    params: { farmUID, id: deviceId },
    search: { said } as never,
  }) as const;

const same = ((before: object) => before) as never;

interface CardLinkProps {
  id: string;
  className: string;
  type: CardType;
  onClick?: (() => void) | undefined;
  children: ReactNode;
}
const CardLink = ({ type, ...rest }: CardLinkProps) => (
  <Link to="." hash={cardAnchor(type)} search={same} {...rest} />
);

/**
 * The way from a headline to the history behind it: the tank's dialog, or the card of its kind where that is on the
 * page. Undefined: there is none that the person may see.
 */
export function useLead(headline: Headline, farm: FarmCard, shown: readonly CardType[]): Leads | undefined {
  const queryClient = useQueryClient();
  const canTank = useCan(needs.readSensors, farm._id);
  const toCard = (type: CardType, onClick?: () => void): Leads | undefined =>
    shown.includes(type) ? (props) => <CardLink {...props} type={type} onClick={onClick} /> : undefined;
  const toTank = (sensor: string, tab: 'level' | 'usage' | 'flow'): Leads | undefined =>
    canTank && sensor ? (props) => <Link {...props} {...openTank(sensor, tab)} /> : undefined;
  switch (headline.type) {
    case 'TankLevel':
      return toTank(headline.configs.sensor, 'level');
    case 'TankFlow':
      return toTank(headline.configs.sensor, headline.configs.sumType === 'current' ? 'flow' : 'usage');
    case 'Temperature':
    case 'RainfallAccumulated': {
      const { site } = headline.configs;
      // The soil card shows one site at a time: this one.
      const choose = () => saveSettings(queryClient, { farms: [farmPatch(farm, { smCurrDisplayed: site })] });
      return toCard('SoilMoisture', choose);
    }
    case 'RainForecast':
      return toCard('SoilMoisture');
    case 'Flow':
    case 'AccumulatedFlow':
      return toCard('Flow');
    case 'IO':
      return toCard('IO');
    case 'Metric': {
      const { sensor, metric } = headline.configs;
      return canTank && sensor
        ? (props) => <Link {...props} {...openSeries(farm._id, sensor, metric)} />
        : undefined;
    }
    case 'LocalTime':
    case 'Empty':
    case 'None':
      return undefined;
    default:
      return headline satisfies never;
  }
}
