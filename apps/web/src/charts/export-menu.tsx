import { useEffect, useRef, useState } from 'react';
import { Menu, useComputedColorScheme } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { toast } from '../ui/toasts.ts';
import type { ChartProps } from './chart.tsx';
import { chartPalettes } from './chart-palette.ts';
import type { PictureType } from './engine.ts';
import { ExportButton } from './export-button.tsx';
import { pictureOption } from './picture-option.ts';

/** What may not stand in a file's name everywhere. */
const BESIDES_WORDS = /[^\p{L}\p{N}_-]+/gu;
const PICTURES: readonly PictureType[] = ['png', 'jpg', 'svg'];

/** The chart as a picture to keep. */
export function ExportMenu({ label, option, fileName, legend }: ChartProps) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const [isOpen, setIsOpen] = useState(true);
  // It comes when it is asked for. Opened once its button has the focus, which then comes back to it.
  const isMounted = useMounted();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const save = async (type: PictureType) => {
    const { picture, PICTURE_WIDTH } = await import('./engine.ts');
    const palette = chartPalettes[scheme];
    const drawn = option({ width: PICTURE_WIDTH, scheme });
    const shown = legend?.filter(({ isOn }) => isOn).map(({ name }) => name);
    const link = document.createElement('a');
    link.href = picture(pictureOption(drawn, { title: label, shown, palette }), type, palette.paper);
    link.download = `${fileName.replace(BESIDES_WORDS, '-')}.${type}`;
    link.click();
  };
  return (
    <Menu
      position="top-end"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      opened={isMounted && isOpen}
      onChange={setIsOpen}
    >
      <Menu.Target>
        <ExportButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        {PICTURES.map((type) => (
          <Menu.Item
            key={type}
            onClick={() =>
              void save(type).catch(() => toast.error("The chart couldn't be exported. Please try again."))
            }
          >
            {type.toUpperCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
