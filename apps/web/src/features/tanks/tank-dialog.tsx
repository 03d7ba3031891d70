import { useEffect, useState, type ReactNode } from 'react';
import { Button, Modal, Tabs } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { tankState } from '@headrace/contract/rules/tank-state';
import type { TankInfo } from '@headrace/contract/tanks';
import { useLeaveGuard } from '../../forms/leave-guard.tsx';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { useChosenInSight } from '../../ui/use-chosen-in-sight.ts';
import { useEscape } from '../../ui/use-escape.ts';
import { useTankInsights } from '../insights/use-tank-insights.ts';
import { BatteryTab } from './battery-tab.tsx';
import { FlowTab } from './flow-tab.tsx';
import { LevelTab } from './level-tab.tsx';
import { type PumpEdit, usePumpEdit } from './pump-edit.ts';
import { PumpTab } from './pump-tab.tsx';
import { TankDetails } from './tank-details.tsx';
import { conditionOf, hasPumpTab, stateLabel } from './tank-view-model.ts';
import { leavesTank, tankTabs, useTankDialog, type TankTab } from './tank-search.ts';
import { tankInfoQuery } from './tanks.queries.ts';
import { UsageTab } from './usage-tab.tsx';
import { LeaveDialog } from '../../forms/lazy-dialogs.ts';
import classes from './tank-dialog.module.css';

const tabLabels: Record<TankTab, string> = {
  details: 'Details',
  usage: 'Usage',
  level: 'Level',
  battery: 'Battery',
  flow: 'Flow',
  pump: 'Pump Control',
};

/** Only a TLM_V3 has a flow meter; a pump is set here where there is one, but not a TLM_V3's. */
const tabsOf = (info: Pick<TankInfo, 'type' | 'pumpControl'>): TankTab[] =>
  tankTabs.filter((tab) => {
    if (tab === 'flow') return info.type === sensorTypes.TLM_V3;
    return tab !== 'pump' || hasPumpTab(info);
  });

/** All there is to know of one tank. Which tank, which tab and which days stand in the address. */
export default function TankDialog() {
  const { search, close } = useTankDialog();
  const isMobile = useIsMobile();
  const id = useLast(search.tank);
  // Opened only once it is there, so that it sees what had the focus and gives it back on closing.
  const isMounted = useMounted();
  const [isUnsent, setIsUnsent] = useState(false);
  const { ask, question } = useUnsentQuestion(isUnsent, close);
  const isOpen = isMounted && search.tank !== undefined;
  useEscape(isOpen, ask);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={ask}
      closeOnEscape={false}
      size={860}
      fullScreen={isMobile}
      centered
      classNames={{ content: classes.content ?? '' }}
      radius={isMobile ? 0 : 'lg'}
      transitionProps={{ transition: isMobile ? 'slide-up' : 'pop', duration: 160 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        {id && <Content key={id} id={id} onUnsent={setIsUnsent} close={ask} />}
        {question}
      </Modal.Content>
    </Modal.Root>
  );
}

/** Closing, also by Back or a link, asks first while something was edited and not sent. */
function useUnsentQuestion(isUnsent: boolean, close: () => void) {
  const [isAsking, setIsAsking] = useState(false);
  const leaving = useLeaveGuard(() => isUnsent, leavesTank);
  const ask = () => (isUnsent ? setIsAsking(true) : close());
  const leave = () => {
    setIsAsking(false);
    if (leaving) leaving.proceed();
    else close();
  };
  const stay = () => {
    setIsAsking(false);
    leaving?.stay();
  };
  const question = (isAsking || leaving) && <LeaveDialog onStay={stay} onLeave={leave} />;
  return { ask, question };
}

/** While the dialog fades out its tank stays in it. */
function useLast(id: string | undefined): string | undefined {
  const [last, setLast] = useState(id);
  if (id !== undefined && id !== last) setLast(id);
  return id ?? last;
}

interface ContentProps {
  id: string;
  onUnsent: (isUnsent: boolean) => void;
  close: () => void;
}

/** What is edited of the pump outlives its tab: the way to send it is at the dialog's foot. */
function Content({ id, onUnsent, close }: ContentProps) {
  const query = useQuery(tankInfoQuery(id));
  const edit = usePumpEdit(query.data);
  const { isPending } = edit;
  useEffect(() => {
    onUnsent(isPending);
    return () => onUnsent(false);
  }, [onUnsent, isPending]);
  return (
    <>
      <Header info={query.data} />
      <div className={classes.body}>
        <StateView query={query} failed="The tank couldn't be loaded" skeleton={<DetailsSkeleton />}>
          {(info) => <TankTabs info={info} edit={edit} />}
        </StateView>
      </div>
      <Footer info={query.data}>
        {isPending && (
          <Button onClick={edit.send} aria-disabled={edit.isSending}>
            {edit.isSending ? 'Updating…' : 'Update'}
          </Button>
        )}
        <Button variant="default" onClick={close}>
          Close
        </Button>
      </Footer>
    </>
  );
}

function Header({ info }: { info: TankInfo | undefined }) {
  const now = useNow();
  const found = useTankInsights(info?.farmUID ?? '');
  const state = info && tankState(info, now, found.get(info._id));
  return (
    <div className={classes.header}>
      <div className={classes.names}>
        <Modal.Title className={classes.title}>
          {info && state ? (
            <>
              <ConditionDot
                condition={conditionOf(state)}
                label={stateLabel(state).join(', ') || 'OK'}
                size={18}
              />
              {info.name}
            </>
          ) : (
            'Tank'
          )}
        </Modal.Title>
        {info && (
          <p className={classes.subtitle}>
            <span className={classes.serial}>{info.serialNumber}</span>
            {info.description && <span> · {info.description}</span>}
          </p>
        )}
      </div>
      <Modal.CloseButton aria-label="Close" size={44} iconSize={22} />
    </div>
  );
}

function TankTabs({ info, edit }: { info: TankInfo; edit: PumpEdit }) {
  const { search, patch } = useTankDialog();
  const tabs = tabsOf(info);
  const tab = tabs.find((name) => name === search.tab) ?? 'details';
  const list = useChosenInSight(tab);
  const choose = (name: string | null) =>
    patch({
      tab: name === null || name === 'details' ? undefined : name,
      period: undefined,
      from: undefined,
      to: undefined,
    });
  return (
    <Tabs
      value={tab}
      onChange={choose}
      keepMounted={false}
      classNames={{ list: classes.tabs, tab: classes.tab, panel: classes.panel }}
    >
      <Tabs.List ref={list} aria-label="About this tank">
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name} data-tab={name}>
            {tabLabels[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <Panel tab={name} info={info} edit={edit} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Panel({ tab, info, edit }: { tab: TankTab; info: TankInfo; edit: PumpEdit }): ReactNode {
  switch (tab) {
    case 'details':
      return <TankDetails info={info} />;
    case 'usage':
      return <UsageTab info={info} />;
    case 'level':
      return <LevelTab info={info} />;
    case 'battery':
      return <BatteryTab info={info} />;
    case 'flow':
      return <FlowTab info={info} />;
    case 'pump':
      return info.pumpControl && <PumpTab info={info} pump={info.pumpControl} edit={edit} />;
    default:
      return tab satisfies never;
  }
}

function Footer({ info, children }: { info: TankInfo | undefined; children: ReactNode }) {
  const zone = useChartZone(info?.farmUID);
  const time = (at: string | null, never: string) => (at === null ? never : exactTime(Date.parse(at), zone));
  return (
    <div className={classes.footer}>
      <dl className={classes.times}>
        <div>
          <dt>Last Contact</dt>
          <dd className="num">
            {info ? time(info.statusTime, 'No data') : '–'}
            {info?.statusTime && (
              <span className={classes.age}>
                <Age at={info.statusTime} zone={zone} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>Last Config Update</dt>
          <dd className="num">{info ? time(info.configUpdatedAt, 'Never') : '–'}</dd>
        </div>
      </dl>
      <div className={classes.footerWays}>{children}</div>
    </div>
  );
}

function DetailsSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      <i />
      <div>
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}
