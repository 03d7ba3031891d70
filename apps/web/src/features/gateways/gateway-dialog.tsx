import { Button, Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { Gateway } from '@headrace/contract/gateways';
import { gatewayBanner, gatewayCondition } from '@headrace/contract/rules/contact';
import { isMissing } from '../../api/client.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { gatewayColour, gatewayLabels } from '../../device-records/gateway-view-model.ts';
import { GatewayActions } from './gateway-actions.tsx';
import { gatewayQuery } from './gateway.queries.ts';
import { gatewayColumns, type GatewayFact } from './gateway-columns.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './gateway-dialog.module.css';

export interface GatewayDialogProps {
  isOpen: boolean;
  /** Null: the gateway has no record yet. */
  id: string | null;
  /** What it is called where it was opened, until its record is there. */
  name?: string | undefined;
  onClose: () => void;
}

/** A gateway as it last reported. */
export default function GatewayDialog({ isOpen, id, name, onClose }: GatewayDialogProps) {
  const isMobile = useIsMobile();
  // Opened only once it is there, so that it sees what had the focus and gives it back on closing.
  const isMounted = useMounted();
  return (
    <Modal.Root
      opened={isMounted && isOpen}
      onClose={onClose}
      size={660}
      fullScreen={isMobile}
      centered
      classNames={{ content: classes.content ?? '' }}
      radius={isMobile ? 0 : 'lg'}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        {id ? <Known id={id} name={name} onClose={onClose} /> : <Unknown name={name} onClose={onClose} />}
      </Modal.Content>
    </Modal.Root>
  );
}

function Unknown({ name, onClose }: { name: string | undefined; onClose: () => void }) {
  return (
    <>
      <div className={classes.header}>
        <Modal.Title className={classes.title}>{name ?? 'Gateway'}</Modal.Title>
        <Modal.CloseButton aria-label="Close" size={44} />
      </div>
      <div className={classes.body}>
        <p>This gateway has no information available, please use manage gateway devices to set it up.</p>
      </div>
      <div className={classes.footer}>
        <span />
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  );
}

/** One that was removed since it was opened, or is named in an old link, is unknown, too. */
function Known({ id, name, onClose }: { id: string; name: string | undefined; onClose: () => void }) {
  const query = useQuery(gatewayQuery(id));
  const now = useNow();
  const gateway = query.data;
  const zone = useFarmZone(gateway?.farmUID);
  if (isMissing(query)) return <Unknown name={name} onClose={onClose} />;
  const at = gateway?.statusTime ? Date.parse(gateway.statusTime) : null;
  const condition = gateway && gatewayCondition(at, now);
  return (
    <>
      <div className={classes.header}>
        <Modal.Title className={classes.title}>
          {condition && (
            <ConditionDot condition={gatewayColour[condition]} label={gatewayLabels[condition]} size={18} />
          )}
          {gateway?.name ?? name ?? 'Gateway'}
        </Modal.Title>
        <Modal.CloseButton aria-label="Close" size={44} />
      </div>
      {/* It may scroll and holds nothing else to stop at: the keyboard must get there. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.body} tabIndex={0} role="group" aria-label="About this gateway">
        <StateView
          query={query}
          failed="The gateway couldn't be loaded"
          skeleton={<Skeleton blocks={2} blockPx={220} className={classes.columns} />}
        >
          {(data) => <Details gateway={data} zone={zone} banner={gatewayBanner(at, now)} />}
        </StateView>
      </div>
      <div className={classes.footer}>
        <div className="num">
          <span className={classes.dim}>Last Contact</span> {at === null ? 'Never' : exactTime(at, zone)}{' '}
          {at !== null && <Age at={at} zone={zone} className={classes.dim} />}
        </div>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  );
}

interface DetailsProps {
  gateway: Gateway;
  zone: Timezone | null;
  banner: string | null;
}

function Details({ gateway, zone, banner }: DetailsProps) {
  const { details, settings } = gatewayColumns(gateway, zone);
  return (
    <>
      {banner !== null && (
        <p className={classes.banner}>
          <ConditionDot condition="issue" label={null} size={16} />
          {banner}
        </p>
      )}
      <p className={classes.link}>
        <ConditionDot condition={gateway.connected ? 'ok' : 'inhibited'} label={null} size={15} />
        {gateway.connected ? 'Connected to the server now' : 'Not connected to the server now'}
      </p>
      <div className={classes.columns}>
        <Column title="Details" facts={details} />
        {settings.length > 0 && <Column title="Settings" facts={settings} />}
      </div>
      <GatewayActions gateway={gateway} />
    </>
  );
}

function Column({ title, facts }: { title: string; facts: readonly GatewayFact[] }) {
  return (
    <section>
      <h3 className={classes.columnTitle}>{title}</h3>
      <dl className={classes.facts}>
        {facts.map(({ name, value, unit }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">
              {value}
              {unit && <span className="unit">{unit}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
