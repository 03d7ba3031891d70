import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { IconDownload } from '@tabler/icons-react';

type Props = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>;

/** Of the menu of a chart's pictures: before the menu is there, and with it. */
export const ExportButton = (props: Props) => (
  <Button
    variant="subtle"
    size="compact-sm"
    leftSection={<IconDownload size={16} />}
    aria-haspopup="menu"
    {...props}
  >
    Export
  </Button>
);
