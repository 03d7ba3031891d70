import type { ReactNode } from 'react';
import type { Api } from '@headrace/contract/api';
import { countText, wholeText } from '@headrace/contract/rules/number-text';
import { TitleBar } from '../../ui/title-bar.tsx';
import type { Member } from './members.ts';
import type { Hidden } from './use-members.ts';

export interface DevicesTitleProps {
  group: Api['GET /group/devices']['reply'] | undefined;
  members: readonly Member[] | undefined;
  hidden: Hidden;
  /** The other way to choose. */
  children: ReactNode;
}

/** The group's name, how many devices are in it, and how many can't be. */
export function DevicesTitle({ group, members, hidden, children }: DevicesTitleProps) {
  const inside = members?.filter(({ isIn }) => isIn).length ?? 0;
  const taken = members?.filter((one) => one.taken !== null && !one.isIn).length ?? 0;
  const facts = [
    `${wholeText(inside)} of ${wholeText(members?.length ?? 0)} devices in the group`,
    ...hiddenTexts(hidden),
    ...(taken > 0 ? [`${wholeText(taken)} in other lateral groups`] : []),
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

/** "3 sprinklers in it not shown" for each kind that one may not read. */
function hiddenTexts({ ipcs, pois }: Hidden): string[] {
  const text = (n: number | null, one: string, many?: string) =>
    n ? [`${countText(n, one, many)} in it not shown`] : [];
  return [...text(ipcs, 'sprinkler'), ...text(pois, 'point of interest', 'points of interest')];
}
