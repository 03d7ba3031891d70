import { IconHistory, IconLayoutDashboard } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useCan } from '../../access/permissions.ts';
import type { FarmCard } from '@headrace/contract/farms';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { FarmSign } from '../../farm/farm-sign.tsx';
import { GatewayDialogHost } from '../gateways/gateway-dialog-host.tsx';
import { EDIT_LINK, headlineSearch } from '../headlines/headline-search.ts';
import { HealthHistoryHost } from '../sprinkler-cards/health-history-host.tsx';
import { TankDialogHost } from '../tanks/tank-dialog-host.tsx';
import { cardAnchor } from '../../ui/card-frame.tsx';
import { DashboardCards, useChosenCards } from './dashboard-cards.tsx';
import classes from './dashboard.module.css';

/** The farm at a glance: first what is wrong, then a card for each kind of thing on it. */
export function DashboardPage() {
  const farm = useCurrentFarm();
  const canCommands = useCan(needs.readCommands, farm?._id);
  if (!farm) return null;
  return (
    <>
      <TitleBar
        title={
          <span className={classes.title}>
            <FarmSign icon={farm.icon} />
            {farm.name}
          </span>
        }
        subtitle={<span className={classes.description}>{farm.description || 'No description'}</span>}
        back="/"
      >
        <EditHeadlines farm={farm} />
        {canCommands && (
          <Link
            to="/commands/$farmUID"
            params={{ farmUID: farm._id }}
            className={classes.commands}
            aria-label="Commands"
          >
            <IconHistory size={19} stroke={1.8} aria-hidden="true" />
            <span>Commands</span>
          </Link>
        )}
      </TitleBar>
      <DashboardCards farm={farm} />
      <TankDialogHost />
      <HealthHistoryHost farmUID={farm._id} />
      <GatewayDialogHost nameOf={nameless} />
    </>
  );
}

/** Its record, which the dialog asks for, has the name. */
const nameless = () => undefined;

/** Also while the row is hidden because there is nothing in it. */
function EditHeadlines({ farm }: { farm: FarmCard }) {
  if (!useChosenCards(farm).chosen.includes('Headline')) return null;
  return (
    <Link
      id={EDIT_LINK}
      to="."
      search={headlineSearch({ headlines: 'edit' })}
      hash={cardAnchor('Headline')}
      className={classes.commands}
      aria-label="Edit headlines"
    >
      <IconLayoutDashboard size={19} stroke={1.8} aria-hidden="true" />
      <span>Edit headlines</span>
    </Link>
  );
}
