import type { ReactNode } from 'react';
import type { Api } from '@headrace/contract/api';
import { TitleBar } from '../../ui/title-bar.tsx';
import type { Member } from './members.ts';

export interface DevicesTitleProps {
  group: Api['GET /group/devices']['reply'] | undefined;
  members: readonly Member[] | undefined;
  farmUID: string;
  /** The other way to choose. */
  children: ReactNode;
}

/** The group's name, how many devices are in it, and how many can't be. */
export function DevicesTitle({ group, members, children }: DevicesTitleProps) {
  const inside = members?.filter(({ isIn }) => isIn).length ?? 0;
  const taken = members?.filter((one) => one.taken !== null && !one.isIn).length ?? 0;
  const facts = [
    `${inside.toLocaleString('en-NZ')} of ${members?.length.toLocaleString('en-NZ')} devices in the group`,
    ...(taken > 0 ? [`${taken.toLocaleString('en-NZ')} in other lateral groups`] : []),
  ];
  return (
    <TitleBar
      title={group?.name ?? 'Group'}
      subtitle={members && <output className="num">{facts.join(' · ')}</output>}
      back="/"
    >
      {children}
    </TitleBar>
  );
}
