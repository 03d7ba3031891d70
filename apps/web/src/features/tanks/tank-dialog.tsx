import { useState, type ReactNode } from 'react';
import { Button, Modal, Tabs } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankInfo } from '@headrace/contract/tanks';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { BatteryTab } from './battery-tab.tsx';
import { useChartZone } from './farm-zone.ts';
import { FlowTab } from './flow-tab.tsx';
import { LevelTab } from './level-tab.tsx';
import { TankDetails } from './tank-details.tsx';
import { conditionOf, stateWords, tankState } from './tank-facts.ts';
import { tankTabs, useTankDialog, type TankTab } from './tank-search.ts';
import { tankInfoQuery } from './tanks.queries.ts';
import { UsageTab } from './usage-tab.tsx';
import classes from './tank-dialog.module.css';

const tabWords: Record<TankTab, string> = {
  details: 'Details',
  usage: 'Usage',
  level: 'Level',
  battery: 'Battery',
  flow: 'Flow',
};

/** Only a TLM_V3 has a flow meter. */
export const tabsOf = (type: number): TankTab[] =>
  tankTabs.filter((tab) => tab !== 'flow' || type === sensorTypes.TLM_V3);

/** All there is to know of one tank. Which tank, which tab and which days stand in the address. */
export default function TankDialog() {
  const { search, close } = useTankDialog();
  const isMobile = useIsMobile();
  const id = useLast(search.tank);
  // Opened only once it is there, so that it sees what had the focus and gives it back on closing.
  const isMounted = useMounted();
  return (
    <Modal.Root
      opened={isMounted && search.tank !== undefined}
      onClose={close}
      size={860}
      fullScreen={isMobile}
      centered
      classNames={{ content: classes.content ?? '' }}
      radius={isMobile ? 0 : 'lg'}
      transitionProps={{ transition: isMobile ? 'slide-up' : 'pop', duration: 160 }}
    >
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content>{id && <Content key={id} id={id} />}</Modal.Content>
    </Modal.Root>
  );
}

/** While the dialog fades out its tank stays in it. */
function useLast(id: string | undefined): string | undefined {
  const [last, setLast] = useState(id);
  if (id !== undefined && id !== last) setLast(id);
  return id ?? last;
}

function Content({ id }: { id: string }) {
  const query = useQuery(tankInfoQuery(id));
  const { close } = useTankDialog();
  return (
    <>
      <Header info={query.data} />
      <div className={classes.body}>
        <StateView query={query} failed="The tank couldn't be loaded" skeleton={<DetailsSkeleton />}>
          {(info) => <TankTabs info={info} />}
        </StateView>
      </div>
      <Footer info={query.data}>
        <Button variant="default" onClick={close}>
          Close
        </Button>
      </Footer>
    </>
  );
}

function Header({ info }: { info: TankInfo | undefined }) {
  const now = useNow();
  const state = info && tankState(info, now);
  return (
    <div className={classes.header}>
      <div className={classes.names}>
        <Modal.Title className={classes.title}>
          {info && state ? (
            <>
              <ConditionDot
                condition={conditionOf[state.condition]}
                label={stateWords(state).join(', ') || 'OK'}
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

function TankTabs({ info }: { info: TankInfo }) {
  const { search, patch } = useTankDialog();
  const tabs = tabsOf(info.type);
  const tab = tabs.find((name) => name === search.tab) ?? 'details';
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
      <Tabs.List aria-label="About this tank">
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {tabWords[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <Panel tab={name} info={info} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Panel({ tab, info }: { tab: TankTab; info: TankInfo }): ReactNode {
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
    default:
      return tab satisfies never;
  }
}

function Footer({ info, children }: { info: TankInfo | undefined; children: ReactNode }) {
  const zone = useChartZone(info?.farmUID);
  const time = (at: string | null) => (at === null ? 'Never' : exactTime(Date.parse(at), zone));
  return (
    <div className={classes.footer}>
      <dl className={classes.times}>
        <div>
          <dt>Last Contact</dt>
          <dd className="num">
            {info ? time(info.statusTime) : '–'}
            {info?.statusTime && (
              <span className={classes.age}>
                <Age at={info.statusTime} zone={zone} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>Last Config Update</dt>
          <dd className="num">{info ? time(info.configUpdatedAt) : '–'}</dd>
        </div>
      </dl>
      {children}
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
