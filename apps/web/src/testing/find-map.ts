import { screen } from '@testing-library/react';

/** The map's box, once the map itself is in it: it is made after its page is painted. */
export const findMap = (): Promise<HTMLElement> => screen.findByRole('application', { busy: false });
