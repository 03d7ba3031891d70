import { Button } from '@mantine/core';
import { IconDroplet, IconDropletOff, IconRefresh } from '@tabler/icons-react';
import { isTakenAsOpen } from '@headrace/contract/rules/valve-belief';
import { CommandButton } from '../commands/command-button.tsx';
import { UnitMenu, type UnitMenuProps } from './unit-menu.tsx';
import classes from './sprinkler-dialog.module.css';

const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const;

/** Within the thumb's reach: poll it, open or close it, and the rest. */
export function DialogFooter({ onClose, ...props }: UnitMenuProps & { onClose: () => void }) {
  const { unit, commands, onAsk } = props;
  const isOpen = unit.belief !== null && isTakenAsOpen(unit.belief);
  const refuse = (what: string) => (why: string) => commands.refuse(what, why);
  return (
    <div className={classes.footer}>
      <p role="status" className={classes.refused}>
        {commands.refused}
      </p>
      <CommandButton
        why={commands.whyNot('Poll')}
        isBusy={commands.isSending('Poll')}
        icon={<IconRefresh {...icon} />}
        onPress={() => commands.send('Poll')}
        onRefused={refuse('Poll')}
      >
        Poll
      </CommandButton>
      {isOpen ? (
        <CommandButton
          why={commands.whyNot('ValveOff')}
          isBusy={commands.isSending('ValveOff')}
          icon={<IconDropletOff {...icon} />}
          onPress={() => commands.send('ValveOff')}
          onRefused={refuse('Valve Off')}
        >
          Valve Off
        </CommandButton>
      ) : (
        <CommandButton
          why={commands.whyNot('ValveOn')}
          isBusy={commands.isSending('ValveOn')}
          icon={<IconDroplet {...icon} />}
          onPress={() => onAsk('valveOn')}
          onRefused={refuse('Valve On')}
        >
          Valve On…
        </CommandButton>
      )}
      <UnitMenu {...props} />
      <Button variant="default" mih={44} className={classes.close ?? ''} onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
