import { useState } from 'react';
import { Menu } from '@mantine/core';
import {
  IconCopy,
  IconDropletHalf2Filled,
  IconEdit,
  IconFileExport,
  IconFileImport,
  IconHistory,
  IconLayoutDashboard,
  IconMapPinOff,
  IconRestore,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { can, flag } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { useSelectFarm } from '../../farm/current-farm.ts';
import { copySiteUid } from './copy-site-uid.ts';
import type { FarmLinks } from './farm-card.tsx';
import { useFarmLists } from './farm-lists.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import classes from './home.module.css';
import type { ResetLocationsProps } from '../placing/reset-locations.tsx';
import { LazyImportDialog } from '../files/lazy-import-dialog.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const DeleteFarm = lazyDialog<{ farm: FarmCard; onClose: () => void }>(() =>
  import('./delete-farm.tsx').then((m) => m.DeleteFarm),
);
const ResetLocations = lazyDialog<ResetLocationsProps>(() =>
  import('../placing/reset-locations.tsx').then((m) => m.ResetLocations),
);

const ExportDialog = lazyDialog<{ farm: FarmCard; onClose: () => void }>(() =>
  import('../files/export-dialog.tsx').then((m) => m.ExportDialog),
);

const BackupsDialog = lazyDialog<{ farm: FarmCard; onClose: () => void }>(() =>
  import('../files/backups-dialog.tsx').then((m) => m.BackupsDialog),
);

const icon = { size: 18, stroke: 1.7 };
type Dialog = 'import' | 'export' | 'backups' | 'delete' | 'reset-sprinklers' | 'reset-all';

/** Everything that can be done with a farm and opened of it, by what the person may do there. */
export function FarmMenu({ farm, links }: { farm: FarmCard; links: FarmLinks }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const canDelete = useCan({ anyOf: [can('farms', 'Delete')] }, farm._id);
  const canReset = useCan({ anyOf: [can('irrigationDevices', 'Edit')] }, farm._id);
  const canImport = useCan({ anyOf: [flag('import')] }, farm._id) && !farm.tankOnly;
  const canExport = useCan({ anyOf: [flag('export')] }, farm._id);
  const canBackUp = useCan({ anyOf: [flag('dashboard')] }, farm._id);
  const lists = useFarmLists(farm);
  const select = useSelectFarm();
  const close = () => setDialog(null);
  return (
    <>
      <ActionsMenu of={farm.name} width={260} comesOpen>
        {links.edit && (
          <Menu.Item
            h={44}
            leftSection={<IconEdit {...icon} />}
            renderRoot={(props) => <Link {...props} {...links.edit} />}
          >
            Edit farm
          </Menu.Item>
        )}
        {/* Far from what takes something away. */}
        <Menu.Item h={44} leftSection={<IconCopy {...icon} />} onClick={() => void copySiteUid(farm._id)}>
          Copy site UID
        </Menu.Item>
        {links.dashboard && (
          <Menu.Item
            h={44}
            leftSection={<IconLayoutDashboard {...icon} />}
            renderRoot={(props) => <Link {...props} {...links.dashboard} />}
          >
            Dashboard
          </Menu.Item>
        )}
        {links.tanks && (
          <Menu.Item
            h={44}
            leftSection={<IconDropletHalf2Filled {...icon} />}
            renderRoot={(props) => <Link {...props} {...links.tanks} />}
          >
            Tank map
          </Menu.Item>
        )}
        {links.commands && (
          <Menu.Item
            h={44}
            leftSection={<IconHistory {...icon} />}
            renderRoot={(props) => <Link {...props} {...links.commands} />}
          >
            Commands
          </Menu.Item>
        )}
        {lists.map(({ label, Icon, link }) => (
          <Menu.Item
            key={label}
            h={44}
            leftSection={<Icon {...icon} />}
            renderRoot={(props) => <Link {...props} {...link} onClick={() => select(farm._id)} />}
          >
            {label}
          </Menu.Item>
        ))}
        <FileItems {...{ canImport, canExport, canBackUp }} onAsk={setDialog} />
        <DangerItems {...{ canReset, canDelete }} tankOnly={farm.tankOnly} onAsk={setDialog} />
      </ActionsMenu>
      {dialog === 'import' && canImport && <LazyImportDialog farm={farm} onClose={close} />}
      {dialog === 'export' && canExport && <ExportDialog farm={farm} onClose={close} />}
      {dialog === 'backups' && canBackUp && <BackupsDialog farm={farm} onClose={close} />}
      {dialog === 'delete' && canDelete && <DeleteFarm farm={farm} onClose={close} />}
      {dialog?.startsWith('reset') && canReset && (
        <ResetLocations farm={farm} what={dialog === 'reset-all' ? 'all' : 'sprinklers'} onClose={close} />
      )}
    </>
  );
}

interface ItemProps {
  Icon: typeof IconCopy;
  label: string;
  onPress: () => void;
  isDanger?: boolean;
}

const Item = ({ Icon, label, onPress, isDanger = false }: ItemProps) => (
  <Menu.Item
    h={44}
    leftSection={<Icon {...icon} />}
    onClick={onPress}
    className={(isDanger && classes.danger) || ''}
  >
    {label}
  </Menu.Item>
);

interface Asks {
  onAsk: (dialog: Dialog) => void;
}

type FileRights = Record<'canImport' | 'canExport' | 'canBackUp', boolean>;

const FileItems = ({ canImport, canExport, canBackUp, onAsk }: FileRights & Asks) => (
  <>
    {(canImport || canExport || canBackUp) && <Menu.Divider />}
    {canImport && <Item Icon={IconFileImport} label="Import" onPress={() => onAsk('import')} />}
    {canExport && <Item Icon={IconFileExport} label="Export" onPress={() => onAsk('export')} />}
    {canBackUp && <Item Icon={IconRestore} label="Backup & Restore" onPress={() => onAsk('backups')} />}
  </>
);

type DangerRights = Record<'canReset' | 'canDelete' | 'tankOnly', boolean>;

/** What takes something away. */
const DangerItems = ({ canReset, canDelete, tankOnly, onAsk }: DangerRights & Asks) => (
  <>
    {canReset && <Menu.Divider />}
    {canReset && !tankOnly && (
      <Item
        Icon={IconMapPinOff}
        label="Reset sprinkler locations"
        onPress={() => onAsk('reset-sprinklers')}
      />
    )}
    {canReset && (
      <Item Icon={IconMapPinOff} label="Reset all device locations" onPress={() => onAsk('reset-all')} />
    )}
    {canDelete && <Menu.Divider />}
    {canDelete && <Item Icon={IconTrash} label="Delete farm" isDanger onPress={() => onAsk('delete')} />}
  </>
);
